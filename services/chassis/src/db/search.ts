/**
 * Searches as conditions for SQL, and what keeps them bounded: no search counts or orders more than the newest
 * SEARCH_WINDOW matches, and none looks for what no index finds. Which columns are searched is for the stores to say.
 */
import { beginningsOf, likePattern, parseSearch } from '@sevenfold/text/search';
import { ApiError } from '../errors';
import { Conditions, type Db, withUsed } from './sql';

/** Matches are counted and paged through up to here. */
export const SEARCH_WINDOW = 10_000;

/** SQL expressions with an index each. */
export interface Searched {
  /** Lower-case text with a trigram index. */
  readonly text: string;
  /** Text whose `titleWords` has an index: where words of one or two letters are looked for. */
  readonly title: string;
}

/** What the index of short words is made of; migrations repeat it. */
const titleWords = (title: string): string => `to_tsvector('simple', left(${title}, 300))`;

/** Words, phrases and exclusions as people type them. Answers whether there was anything to look for. */
export function addSearch(conditions: Conditions, text: string | undefined, searched: Searched): boolean {
  const { include, phrases, exclude } = parseSearch(text ?? '');
  for (const term of [...include, ...phrases]) addTerm(conditions, term, [searched]);
  for (const term of exclude) addTerm(conditions, term, [searched], 'not ');
  return include.length + phrases.length + exclude.length > 0;
}

/** The text as it is, anywhere in one of the columns. */
export function addTerm(
  conditions: Conditions,
  term: string,
  columns: readonly Searched[],
  not: '' | 'not ' = '',
): void {
  const words = beginningsOf(term);
  const any = (sql: readonly string[]): string => `${not}(${sql.join(' or ')})`;
  if (words === undefined) {
    const pattern = likePattern(term.toLowerCase());
    const tests = columns.map(({ text }) => `${text} like ${conditions.value(pattern)}`);
    conditions.add(any(tests));
  } else if (words.length === 0) conditions.add(not === '' ? 'false' : 'true');
  else {
    const query = words.map((word) => `'${word}':*`).join(' & ');
    const tests = columns.map(({ title }) => `${titleWords(title)} @@ ${conditions.value(query)}::tsquery`);
    conditions.add(any(tests));
  }
}

/**
 * The part of a search that its indexes answer, each word by itself, for sampleDensity. `true` where no index helps.
 */
export function candidatesOf(conditions: Conditions, text: string, searched: Searched): string {
  const { include, phrases } = parseSearch(text);
  const apart = new Conditions();
  apart.values.push(...conditions.values);
  // Short words of a phrase stand in the text, where no index knows them.
  const inPhrases = phrases.flatMap((phrase) => phrase.split(/\s+/)).filter((word) => !beginningsOf(word));
  for (const word of [...include, ...inPhrases]) addTerm(apart, word, [searched]);
  conditions.values.push(...apart.values.slice(conditions.values.length));
  return apart.where;
}

export interface SearchTotal {
  readonly total: number;
  /** There are more than the total says: `X-Total-Relation: gte`. */
  readonly more: boolean;
}

/** Counts no further than the window. `from` is everything behind the select list. */
export const countWithin = (from: string): string =>
  `select count(*) as n from (select ${from} limit ${SEARCH_WINDOW + 1}) as counted`;

export const withinWindow = (found: number): SearchTotal => ({
  total: Math.min(found, SEARCH_WINDOW),
  more: found > SEARCH_WINDOW,
});

export const relationHeader = (more: boolean | undefined): Record<string, string> =>
  more ? { 'X-Total-Relation': 'gte' } : {};

/** Throws 400 for rows behind the window. */
export function checkWindow(skip: number): void {
  if (skip >= SEARCH_WINDOW)
    throw new ApiError(
      'rest_search_window',
      400,
      `A search can be paged through up to ${SEARCH_WINDOW} results. Narrow it down to see others.`,
      { data: { window: SEARCH_WINDOW } },
    );
}

// ---- of large tables: what a search will cost, from a sample ---------------------------------------------------------

/** Smaller tables are searched as they are. */
const LARGE = 50_000;
const SAMPLE = 1_000;

export interface Density {
  /** Rows of the table, as PostgreSQL last counted them. */
  readonly rows: number;
  /** Part of them that matches all conditions; never 0. */
  readonly matching: number;
  /** Part of them that the index of words will bring to be looked at; never 0. */
  readonly candidates: number;
}

/**
 * A sample of the table, by blocks; undefined when it is small. `candidates` is the part of `where` that an index answers,
 * each word by itself: a rare phrase of frequent words has many.
 */
export async function sampleDensity(
  db: Db,
  table: { readonly name: string; readonly alias: string; readonly joins?: string },
  where: string,
  candidates: string,
  values: readonly unknown[],
): Promise<Density | undefined> {
  const known = await db.first<{ rows: number }>(
    'select greatest(reltuples, 0)::bigint as rows from pg_class where oid = $1::regclass',
    [table.name],
  );
  const rows = known?.rows ?? 0;
  if (rows < LARGE) return undefined;
  const percent = Math.min(100, (SAMPLE / rows) * 100).toFixed(6);
  const sample = withUsed(
    `select count(*) as n, count(*) filter (where ${where}) as matching, count(*) filter (where ${candidates}) as candidates
       from ${table.name} ${table.alias} tablesample system (${percent}) ${table.joins ?? ''}`,
    values,
  );
  const found = await db.first<{ n: number; matching: number; candidates: number }>(
    sample.text,
    sample.values,
    { planFor: 'values' },
  );
  const part = (some: number | undefined): number => Math.max(some ?? 0, 0.5) / Math.max(found?.n ?? 0, 1);
  return { rows, matching: part(found?.matching), candidates: part(found?.candidates) };
}

/** Looking at one more candidate costs microseconds; so many are a fifth of a second. */
const MOST_CANDIDATES = 40_000;

/** Whether counting up to the window looks at so many rows that only the newest ones can be looked at. */
export function isTooWide({ rows, matching, candidates }: Density): boolean {
  const wide = rows * candidates > MOST_CANDIDATES;
  const endsSoon = rows * matching > SEARCH_WINDOW * 1.5 && candidates / matching < 4;
  return wide && !endsSoon;
}

/** Whether a sample leaves no doubt that there are more matches than the window holds: nothing has to be counted. */
export const surelyMore = ({ rows, matching }: Density): boolean => rows * matching > SEARCH_WINDOW * 3;

/** Of searches that are too wide: so many rows of the order are looked at. */
export const NEWEST = 25_000;
