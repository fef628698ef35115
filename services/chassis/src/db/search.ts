/**
 * Searches as conditions for SQL, and what keeps them bounded: no search counts or orders more than the newest
 * SEARCH_WINDOW matches, and none looks for what no index finds. Which columns are searched is for the stores to say.
 */
import {
  LONGEST_SEARCH,
  MOST_TERMS,
  beginningsOf,
  isIndexed,
  likePattern,
  parseSearch,
  spellingsOf,
} from '@sevenfold/text/search';
import { shorten } from '@sevenfold/text/text';
import { argumentError } from '../errors';
import type { OrderKey, Selection, SkippedBy } from './selection';
import { Conditions } from './sql';

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
  addTerms(conditions, [...include, ...phrases], searched);
  for (const term of exclude) addTerm(conditions, term, [searched], 'not ');
  return include.length + phrases.length + exclude.length > 0;
}

/** Short words stand in one condition: PostgreSQL takes each title apart for every one of them. */
function addTerms(conditions: Conditions, terms: readonly string[], searched: Searched): void {
  const isShort = (term: string): boolean => (beginningsOf(term)?.length ?? 0) > 0;
  const short = terms.filter(isShort);
  if (short.length > 0) addTerm(conditions, short.join(' '), [searched]);
  for (const term of terms) if (!isShort(term)) addTerm(conditions, term, [searched]);
}

/** The text as it is, anywhere in one of the columns; of a long one so much as of a search by words. */
export function addTerm(
  conditions: Conditions,
  text: string,
  columns: readonly Searched[],
  not: '' | 'not ' = '',
): void {
  const term = shorten(text, LONGEST_SEARCH);
  const words = beginningsOf(term);
  const any = (sql: readonly string[]): string => `${not}(${sql.join(' or ')})`;
  if (words === undefined)
    conditions.add(any(columns.map(({ text: column }) => containing(conditions, column, term))));
  else if (words.length === 0) conditions.add(not === '' ? 'false' : 'true');
  else {
    const beginning = (word: string): string =>
      `(${spellingsOf(word)
        .map((spelling) => `'${spelling}':*`)
        .join(' | ')})`;
    const query = words.map(beginning).join(' & ');
    const tests = columns.map(
      ({ title }) => `${titleWords(title)} @@ lower(${conditions.value(query)})::tsquery`,
    );
    conditions.add(any(tests));
  }
}

/**
 * The condition that text in lower case has the term somewhere. PostgreSQL lowers both: it has one letter for each
 * (`İ` is `i`), JavaScript now and then two.
 */
export function containing(conditions: Conditions, column: string, term: string): string {
  const tests = spellingsOf(term).map(
    (spelling) => `${column} like lower(${conditions.value(likePattern(spelling))})`,
  );
  return tests.length === 1 ? tests.join() : `(${tests.join(' or ')})`;
}

/**
 * The part of a search that its indexes answer, each word by itself (run-search.ts), as a condition. `true` where no index
 * helps.
 */
export function candidatesOf(conditions: Conditions, text: string, searched: Searched): string {
  const { include, phrases } = parseSearch(text);
  const found = include.filter((term) => beginningsOf(term) !== undefined || isIndexed(term));
  return apart(conditions, (words) => addTerms(words, [...found, ...phrases.flatMap(longWords)], searched));
}

/** The same of a text that is looked for as it is. */
export const candidatesOfTerm = (
  conditions: Conditions,
  text: string,
  columns: readonly Searched[],
): string =>
  apart(conditions, (words) => {
    const term = shorten(text, LONGEST_SEARCH);
    for (const word of beginningsOf(term) ? [term] : longWords(term)) addTerm(words, word, columns);
  });

/** Other words of a phrase stand in the text, where no index knows them; a few of these find few enough rows. */
const longWords = (phrase: string): string[] =>
  [...new Set(phrase.split(/\s+/))].filter(isIndexed).slice(0, MOST_TERMS);

/** Conditions of their own that share the values. */
function apart(conditions: Conditions, add: (to: Conditions) => void): string {
  const others = new Conditions(...conditions.values);
  add(others);
  conditions.values.push(...others.values.slice(conditions.values.length));
  return others.where;
}

export interface SearchTotal {
  readonly total: number;
  /** There are more than the total says: `X-Total-Relation: gte`. */
  readonly more: boolean;
}

/** A search, prepared. Everything is SQL over the table, with the placeholders of `values`. */
export interface SearchSpec extends Omit<Selection, 'columns' | 'joins'> {
  /** A part of `where` over the table alone: the condition of the index that gives the order, or `true`. */
  readonly base: string;
  /** The part of `where` that the index of words answers (candidatesOf): each word by itself. */
  readonly words: string;
  /** The part of `where` that other indexes answer. */
  readonly filters: string;
  /** What else the indexes of orders know of the rows of `base`, as they are asked for it. `ofRow`: what a row tells of that. */
  readonly known?: { readonly sql: string; readonly ofRow: string };
  /** Whether an index knows the rows of `base` by the keys of the order, which all have one direction then. */
  readonly indexed: boolean;
  /** An order that has such an index, all keys in one direction: which rows are looked at where the order has none. */
  readonly first: readonly OrderKey[];
  /** The column that holds most of the text: its length tells what looking at a row costs. */
  readonly text: string;
}

/** The order that rows are cut off along. */
export const cutOrder = ({ indexed, order, first }: SearchSpec): readonly OrderKey[] =>
  indexed ? order : first;

/**
 * How rows are looked at: `along` the index of the order, each that it does not know to be another; those that the index of `words` finds;
 * `ranged`: those of these that come before the cut; or as PostgreSQL likes it (`open`), by the indexes of filters as well.
 */
export type Way = 'along' | 'words' | 'ranged' | 'open';

/** Where searching along an order may stop. */
export interface Cut {
  /** The keys of the last row; undefined: there is none. */
  readonly end?: readonly string[];
  readonly way: Way;
}

/** What is known of a search after its first page. */
export interface SearchPlan extends SearchTotal {
  /** `all`: every match is found; `head`: those up to the cut; `many`: each page as far along the order as it reaches, without a cut. */
  readonly strategy: 'all' | 'head' | 'many';
  readonly cut?: Cut;
}

export const withinWindow = (found: number): SearchTotal => ({
  total: Math.min(found, SEARCH_WINDOW),
  more: found > SEARCH_WINDOW,
});

export const relationHeader = (more: boolean | undefined): Record<string, string> =>
  more ? { 'X-Total-Relation': 'gte' } : {};

/** Throws 400 for rows behind the window. */
export function checkWindow(skip: number, by: SkippedBy = 'page'): void {
  if (skip >= SEARCH_WINDOW)
    throw argumentError(
      by,
      'rest_search_window',
      400,
      `A search can be paged through up to ${SEARCH_WINDOW} results. Narrow it down to see others.`,
      { data: { window: SEARCH_WINDOW } },
    );
}
