/**
 * Who may read, change and delete events, venues and organizers: one set of rights for the three, by ownership as posts
 * have it (BEHAVIOUR.md 10). Pure functions of the actor and the row. Lists ask the same rules as a condition for SQL,
 * so that totals count exactly what the caller may see.
 */
import { type Actor, can, isLoggedIn } from '@sevenfold/chassis/actor';
import type { Conditions } from '@sevenfold/chassis/db/sql';
import { invalidParam } from '@sevenfold/chassis/errors';
import { type Denial, deny } from '@sevenfold/chassis/http/route';
import { anyStatuses, filterableStatuses, isPublic } from './statuses';

/** What the rules look at; every row of the three tables has it. */
export interface OwnedRow {
  readonly status: string;
  readonly author: number;
  /** Only of rows in the trash. */
  readonly statusBeforeTrash?: string;
}

/** `may(actor, 'publish')` asks for `publish_events`. */
export const may = (actor: Actor, right: string): boolean => can(actor, `${right}_events`);

const isAuthor = (actor: Actor, row: OwnedRow): boolean => isLoggedIn(actor) && row.author === actor.id;

export function canRead(actor: Actor, row: OwnedRow): boolean {
  if (isPublic(row.status) || isAuthor(actor, row)) return true;
  if (row.status === 'private') return may(actor, 'read_private');
  return canEdit(actor, row);
}

export const canEdit = (actor: Actor, row: OwnedRow): boolean => canChange(actor, row, 'edit');
export const canDelete = (actor: Actor, row: OwnedRow): boolean => canChange(actor, row, 'delete');

function canChange(actor: Actor, row: OwnedRow, verb: 'edit' | 'delete'): boolean {
  const status = row.status === 'trash' ? (row.statusBeforeTrash ?? '') : row.status;
  if (!isAuthor(actor, row)) {
    if (!may(actor, `${verb}_others`)) return false;
    if (status === 'private' && !may(actor, `${verb}_private`)) return false;
  }
  return isPublic(status) || status === 'future' ? may(actor, `${verb}_published`) : may(actor, verb);
}

// ---- permissions of routes -----------------------------------------------------------------------------------------

interface Asked<S> {
  readonly actor: Actor;
  readonly subject: S;
}

const forbidden = (what: string): Denial => deny('rest_forbidden', `You are not allowed to ${what}.`);

export const mayCreate =
  (what: string) =>
  ({ actor }: { readonly actor: Actor }): Denial | undefined =>
    may(actor, 'edit') ? undefined : forbidden(`create ${what}s`);

/** `event-not-accessible` and its kin. Without a subject (`Allow` of something unknown) reading is open to all. */
export const mayRead =
  (what: string) =>
  ({ actor, subject }: Asked<OwnedRow | undefined>): Denial | undefined =>
    subject === undefined || canRead(actor, subject)
      ? undefined
      : deny(`${what}-not-accessible`, `You are not allowed to read this ${what}: it is not published.`);

export const mayEdit =
  (what: string) =>
  ({ actor, subject }: Asked<OwnedRow | undefined>): Denial | undefined =>
    (subject === undefined ? may(actor, 'edit') : canEdit(actor, subject))
      ? undefined
      : forbidden(`change this ${what}`);

export const mayDelete =
  (what: string) =>
  ({ actor, subject }: Asked<OwnedRow | undefined>): Denial | undefined =>
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
  const allowed = editor ? filterableStatuses : ['publish'];
  if (asked.length === 0 || asked.length < names.length || !asked.every((name) => allowed.includes(name)))
    throw invalidParam('status', `status must be one of ${allowed.join(', ')}, or a list of them.`);
  return [...new Set(asked.flatMap((name) => (name === 'any' ? anyStatuses : [name])))];
}

type Reach = 'all' | 'own' | 'none';

/** Asks canRead about two made-up rows: somebody else's, and one of the caller. */
function reachOf(actor: Actor, status: string, statusBeforeTrash = ''): Reach {
  const row = { status, statusBeforeTrash };
  if (canRead(actor, { ...row, author: -1 })) return 'all';
  return isLoggedIn(actor) && canRead(actor, { ...row, author: actor.id }) ? 'own' : 'none';
}

const trashKinds = [
  { before: 'publish', sql: `status_before_trash in ('publish', 'future')` },
  { before: 'private', sql: `status_before_trash = 'private'` },
  { before: 'draft', sql: `status_before_trash not in ('publish', 'future', 'private')` },
];

/** Condition for rows of the table `alias` that have one of the statuses and that the caller may read. */
export function visibility(
  conditions: Conditions,
  actor: Actor,
  statuses: readonly string[],
  alias: string,
): string {
  const all: string[] = [];
  const own: string[] = [];
  for (const status of statuses) {
    const is = `${alias}.status = '${status}'`;
    const kinds =
      status === 'trash'
        ? trashKinds.map(({ before, sql }) => ({
            reach: reachOf(actor, status, before),
            sql: `${is} and ${alias}.${sql}`,
          }))
        : [{ reach: reachOf(actor, status), sql: is }];
    for (const { reach, sql } of kinds) {
      if (reach === 'all') all.push(sql);
      if (reach === 'own') own.push(sql);
    }
  }
  const parts = all.length > 0 ? [anyOf(all)] : [];
  if (own.length > 0) parts.push(`${alias}.author = ${conditions.value(actor.id)} and (${anyOf(own)})`);
  return parts.length === 0 ? 'false' : anyOf(parts);
}

const anyOf = (parts: readonly string[]): string =>
  parts.length === 1 ? (parts[0] as string) : parts.map((part) => `(${part})`).join(' or ');
