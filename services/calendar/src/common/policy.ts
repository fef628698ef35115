/**
 * Who may read, change and delete events, venues and organizers: one set of rights for the three, by ownership as posts
 * have it (BEHAVIOUR.md 10).
 */
import type { Access } from '@sevenfold/chassis/access';
import type { Actor } from '@sevenfold/chassis/actor';
import type { Conditions } from '@sevenfold/chassis/db/sql';
import { invalidParam } from '@sevenfold/chassis/errors';
import { type Denial } from '@sevenfold/chassis/http/route';
import type { Owned } from '@sevenfold/publishing/rights';
import * as rights from '@sevenfold/publishing/rights';
import { anyStatuses, filterableStatuses } from '@sevenfold/publishing/statuses';
import { deny } from '../errors';

/** The capabilities of the three. */
const KIND = 'events';

/** `may(actor, 'publish')` asks for `publish_events`. */
export const may = (actor: Actor, right: rights.Right): boolean => rights.may(actor, KIND, right);

export const canRead = (actor: Actor, row: Owned): boolean => rights.canRead(actor, KIND, row);
/** Inside of something else: there trash is shown to nobody, whoever may still read it by itself. */
export const isShown = (actor: Actor, row: Owned): boolean => row.status !== 'trash' && canRead(actor, row);
export const canEdit = (actor: Actor, row: Owned): boolean => rights.canEdit(actor, KIND, row);
/** As data: other services judge by it who may change what they keep of it. */
export const editorsOf = (row: Owned): Access => rights.editorsOf(KIND, row);
export const canDelete = (actor: Actor, row: Owned): boolean => rights.canDelete(actor, KIND, row);

// ---- permissions of routes -----------------------------------------------------------------------------------------

interface Asked<S> {
  readonly actor: Actor;
  readonly subject: S;
}

export type Thing = 'event' | 'venue' | 'organizer';

const forbidden = (what: string): Denial => deny('rest_forbidden', `You are not allowed to ${what}.`);

export const refuseCreate =
  (what: Thing) =>
  ({ actor }: { readonly actor: Actor }): Denial | undefined =>
    may(actor, 'edit') ? undefined : forbidden(`create ${what}s`);

/** `event-not-accessible` and its kin. Without a subject (`Allow` of something unknown) reading is open to all. */
export const refuseRead =
  (what: Thing) =>
  ({ actor, subject }: Asked<Owned | undefined>): Denial | undefined =>
    subject === undefined || canRead(actor, subject)
      ? undefined
      : deny(`${what}-not-accessible`, `You are not allowed to read this ${what}: it is not published.`);

export const refuseEdit =
  (what: Thing) =>
  ({ actor, subject }: Asked<Owned | undefined>): Denial | undefined =>
    (subject === undefined ? may(actor, 'edit') : canEdit(actor, subject))
      ? undefined
      : forbidden(`change this ${what}`);

export const refuseDelete =
  (what: Thing) =>
  ({ actor, subject }: Asked<Owned | undefined>): Denial | undefined =>
    (subject === undefined ? may(actor, 'delete') : canDelete(actor, subject))
      ? undefined
      : forbidden(`delete this ${what}`);

// ---- lists -----------------------------------------------------------------------------------------------------------

/**
 * Statuses that a list shows: `publish` for those without rights, everything (in reach) for editors. Explicit ones: a
 * stranger may only name `publish`; a status that is forbidden and one that is unknown look the same to him.
 */
export function askedStatuses(actor: Actor, value: unknown): readonly string[] {
  const editor = may(actor, 'edit');
  if (value === undefined) return editor ? anyStatuses : ['publish'];
  const names = (Array.isArray(value) ? value : [value]).flatMap((part) =>
    typeof part === 'string' ? part.split(',').map((name) => name.trim()) : [''],
  );
  const asked = names.filter((name) => name !== '');
  const allowed: readonly string[] = editor ? filterableStatuses : ['publish'];
  if (asked.length === 0 || asked.length < names.length || !asked.every((name) => allowed.includes(name)))
    throw invalidParam('status', `status must be one of ${allowed.join(', ')}, or a list of them.`);
  return [...new Set(asked.flatMap((name) => (name === 'any' ? anyStatuses : [name])))];
}

/** Condition for rows of the table `alias` that have one of the statuses and that the caller may read. */
export const visibility = (
  conditions: Conditions,
  actor: Actor,
  statuses: readonly string[],
  alias: string,
): string => rights.visibility(conditions, actor, statuses, alias, (row) => canRead(actor, row)).sql;
