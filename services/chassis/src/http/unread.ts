/**
 * What is refused before the body of a request is read: strangers whom a route refuses whatever they send. That is not
 * declared but found out by asking the route as always, with arguments that give nothing away but the path: whoever
 * looks at more of them must see the body first.
 */
import type { IncomingMessage } from 'node:http';
import { isLoggedIn } from '../actor';
import type { ArgTable } from './args';
import { readArgs } from './read-args';
import { expectsContinue, hasBody } from './connections';
import { ApiError } from '../errors';
import { MISSING } from './allow';
import type { Place } from './match';
import type { AnyRoute, Call, Denial } from './route';

const NEEDS_BODY = new Error('only the body could tell');

const hidden = (): never => {
  throw NEEDS_BODY;
};
const hiddenSet = new Proxy<ReadonlySet<string>>(new Set(), { get: hidden, has: hidden });

function knownOnly(known: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const args = new Proxy(known as Record<string, unknown>, {
    get: (target, name) =>
      typeof name === 'string' && Object.hasOwn(target, name) ? target[name] : hidden(),
    has: hidden,
    ownKeys: hidden,
  });
  unread.add(args);
  return args;
}

const unread = new WeakSet<object>();

/** Whether only those of the path are known: what the others decide is asked again once they are read, or was not asked for. */
export const isUnread = (args: object): boolean => unread.has(args);

/** Strangers always; users where they ask to be told, since looking twice costs them a query on each write. */
export const mayBeRefusedUnread = (request: IncomingMessage, actor: Call<unknown>['actor']): boolean =>
  hasBody(request) && (!isLoggedIn(actor) || expectsContinue(request));

export interface Refusal {
  readonly denial: Denial;
  readonly subject: unknown;
  /** Those of the path. */
  readonly args: Record<string, unknown>;
  readonly sent: ReadonlySet<string>;
}

/** `call` comes without arguments; `params` are those of the path. Throws what loading the subject throws, such as 404. */
export async function refusedUnread<D>(
  row: AnyRoute<D>,
  call: Omit<Call<D>, 'args' | 'sent' | 'subject'>,
  params: Readonly<Record<string, string>>,
): Promise<Refusal | undefined> {
  const args = argsOfPath(row, params);
  const asked = { ...call, args, sent: hiddenSet };
  const subject = await unlessHidden<unknown>(() => row.load?.({ ...asked, subject: undefined }));
  const denial = await unlessHidden(() => row.permission({ ...asked, subject }));
  return denial && { denial, subject, args, sent: hiddenSet };
}

/** What the path of a place names, for who must be told what he may do there and has said nothing that could be read. */
export async function subjectOf<D>(
  place: Place<D>,
  call: Omit<Call<D>, 'args' | 'sent' | 'subject'>,
  params: Readonly<Record<string, string>>,
): Promise<unknown> {
  const row = place.routes.find(({ load }) => load);
  if (!row || place.variables.length === 0) return undefined;
  try {
    const asked = { ...call, args: argsOfPath(row, params), sent: hiddenSet, subject: undefined };
    return await unlessHidden<unknown>(() => row.load?.(asked));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // What cannot be looked at, such as while its owner is away, is judged by what the caller may do in general.
    return error.status === 404 ? MISSING : undefined;
  }
}

function argsOfPath<D>(row: AnyRoute<D>, params: Readonly<Record<string, string>>): Record<string, unknown> {
  const table: ArgTable = Object.fromEntries(
    Object.entries(row.args as ArgTable).filter(([name]) => name in params),
  );
  return knownOnly(readArgs(table, params).args);
}

async function unlessHidden<T>(ask: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error === NEEDS_BODY) return undefined;
    throw error;
  }
}
