/**
 * Who may read, change and delete a published thing: by its status and its owner, and in the trash by what it was before.
 * Pure functions of actor and row. Lists ask the same rules as a condition for SQL, so that totals count exactly what
 * the caller may see. `kind` is the word that the capabilities end in: `edit_others_events`.
 */
import { type Access, admits, everybody } from '@sevenfold/chassis/access';
import { type Actor, can, isLoggedIn } from '@sevenfold/chassis/actor';
import type { Conditions } from '@sevenfold/chassis/db/sql';
import { isPublic, publishedStatuses, sqlWords } from './statuses';

/** What the rules look at. */
export interface Owned {
  readonly status: string;
  /** 0 belongs to nobody. */
  readonly author: number;
  /** Only of what is in the trash. */
  readonly statusBeforeTrash?: string;
}

type Verb = 'edit' | 'delete';
export type Right = Verb | `${Verb}_${'others' | 'published' | 'private'}` | 'publish' | 'read_private';

const capabilityOf = (kind: string, right: Right): string => `${right}_${kind}`;

export const may = (actor: Actor, kind: string, right: Right): boolean =>
  can(actor, capabilityOf(kind, right));

/** Who may read it, as data: other services judge by it what they show. */
export function readersOf(kind: string, row: Owned): Access {
  if (isPublic(row.status)) return everybody;
  const rights: Right[] = row.status === 'private' ? ['read_private'] : rightsToChange(row, 'edit', false);
  const readers = [{ user: 0, capabilities: rights.map((right) => capabilityOf(kind, right)) }];
  if (row.author > 0) readers.push({ user: row.author, capabilities: [] });
  return { public: false, readers };
}

/** Who may change it, as data. */
export function editorsOf(kind: string, row: Owned): Access {
  const capabilities = (isOwn: boolean): string[] =>
    rightsToChange(row, 'edit', isOwn).map((right) => capabilityOf(kind, right));
  const readers = [{ user: 0, capabilities: capabilities(false) }];
  if (row.author > 0) readers.push({ user: row.author, capabilities: capabilities(true) });
  return { public: false, readers };
}

export const canRead = (actor: Actor, kind: string, row: Owned): boolean =>
  admits(readersOf(kind, row), actor);
export const canEdit = (actor: Actor, kind: string, row: Owned): boolean =>
  canChange(actor, kind, row, 'edit');
export const canDelete = (actor: Actor, kind: string, row: Owned): boolean =>
  canChange(actor, kind, row, 'delete');

function canChange(actor: Actor, kind: string, row: Owned, verb: Verb): boolean {
  const isOwn = isLoggedIn(actor) && row.author === actor.id;
  return rightsToChange(row, verb, isOwn).every((right) => may(actor, kind, right));
}

function rightsToChange(row: Owned, verb: Verb, isOwn: boolean): Right[] {
  const status = row.status === 'trash' ? (row.statusBeforeTrash ?? '') : row.status;
  const rights: Right[] = [publishedStatuses.includes(status) ? `${verb}_published` : verb];
  if (isOwn) return rights;
  if (status === 'private') rights.push(`${verb}_private`);
  return [...rights, `${verb}_others`];
}

// ---- lists -----------------------------------------------------------------------------------------------------------

/** Which rows of a status the caller gets in lists. */
export type Reach = 'all' | 'own' | 'none';

/** One of the rules above, for one caller. */
export type Rule = (row: Owned) => boolean;

/** Asks the rule about two made-up rows: somebody else's, and one of the caller. */
export function reachOf(actor: Actor, rule: Rule, status: string, statusBeforeTrash = ''): Reach {
  if (rule({ status, statusBeforeTrash, author: -1 })) return 'all';
  return isLoggedIn(actor) && rule({ status, statusBeforeTrash, author: actor.id }) ? 'own' : 'none';
}

// The trash is judged by what a thing was before, and the rules tell three sorts of that apart.
const trashSorts = [
  { before: 'publish', sql: `in ${sqlWords(publishedStatuses)}` },
  { before: 'private', sql: `= 'private'` },
  { before: 'draft', sql: `not in ${sqlWords([...publishedStatuses, 'private'])}` },
];

export interface Visible {
  readonly sql: string;
  /** He gets all rows of these statuses, so that counters know the total. */
  readonly isWhole: boolean;
}

/** Condition for rows of the table `alias` that have one of the statuses and that the rule lets the caller see. */
export function visibility(
  conditions: Conditions,
  actor: Actor,
  statuses: readonly string[],
  alias: string,
  rule: Rule,
): Visible {
  const words: Record<Reach, string[]> = { all: [], own: [], none: [] };
  const sorts: Record<Reach, string[]> = { all: [], own: [], none: [] };
  for (const status of statuses) {
    const reached =
      status === 'trash' ? trashSorts.map(({ before }) => reachOf(actor, rule, status, before)) : [];
    const first = reached[0] ?? reachOf(actor, rule, status);
    if (reached.every((reach) => reach === first)) words[first].push(status);
    else
      reached.forEach((reach, index) =>
        sorts[reach].push(
          `(${alias}.status = 'trash' and ${alias}.status_before_trash ${trashSorts[index]?.sql})`,
        ),
      );
  }
  const sqlOf = (reach: Reach): string => [...wordsSql(alias, words[reach]), ...sorts[reach]].join(' or ');
  const [all, own] = [sqlOf('all'), sqlOf('own')];
  const parts = all === '' ? [] : [all];
  if (own !== '') parts.push(`${alias}.author = ${conditions.value(actor.id)} and (${own})`);
  return {
    sql: parts.length === 0 ? 'false' : parts.map((part) => `(${part})`).join(' or '),
    isWhole: own === '' && words.none.length + sorts.none.length === 0,
  };
}

function wordsSql(alias: string, words: readonly string[]): string[] {
  if (words.length === 0) return [];
  return [words.length === 1 ? `${alias}.status = '${words[0]}'` : `${alias}.status in ${sqlWords(words)}`];
}
