/** What permissions decide: the error of whoever may not, and the methods that `Allow` names. */
import { type Actor, isLoggedIn } from '../actor';
import { ApiError } from '../errors';
import type { Place } from './match';
import type { AnyRoute, Denial } from './route';

/** In place of a subject: the path names nothing. Only methods that do not look at one are left. */
export const MISSING = Symbol('missing');

export function denied(denial: Denial, actor: Actor): ApiError {
  return new ApiError(denial.code, denial.status ?? (isLoggedIn(actor) ? 403 : 401), denial.message, {
    data: denial.data,
  });
}

/** Throws what the caller is told where there is a denial: for what is judged besides the permission of a route. */
export function throwDenial(denial: Denial | undefined, actor: Actor): void {
  if (denial) throw denied(denial, actor);
}

/** Of a request whose arguments are not known, and of methods that were not called. */
export const NOTHING_SENT: ReadonlySet<string> = new Set();

/** The request that was made to a place, as far as it got. */
export interface Asked<D> {
  /** Missing where its arguments are not known yet. */
  readonly row?: AnyRoute<D>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly sent: ReadonlySet<string>;
}

/**
 * Methods of the place whose permission this caller passes. Permissions are pure, so asking each costs next to nothing.
 * Without a subject an item cannot be judged by its row: what the caller may do in general counts. The arguments are
 * those of the method that was called: the filters of a list are no wishes for a new item.
 */
export function allowed<D>(
  place: Place<D>,
  actor: Actor,
  deps: D,
  subject?: unknown,
  asked?: Asked<D>,
): string {
  const isMissing = subject === MISSING;
  const inPath: Record<string, unknown> = {};
  for (const name of place.variables) inPath[name] = asked?.args[name];
  const methods: string[] = [];
  for (const row of place.routes) {
    if (isMissing && row.load) continue;
    const { args, sent } = asked?.row === row ? asked : { args: inPath, sent: NOTHING_SENT };
    if (row.permission({ deps, actor, subject: isMissing ? undefined : subject, args, sent })) continue;
    methods.push(...row.methods);
  }
  return methods.join(', ');
}
