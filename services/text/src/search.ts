/*
 * Reads what a person typed into a search box, and makes the patterns for SQL `LIKE` from it.
 * Matching, ranking and the choice of columns belong to the stores.
 */

import { stripControl } from './text';

export interface Search {
  /** Words that must all occur. */
  include: string[];
  /** Quoted phrases that must all occur, literally. */
  phrases: string[];
  /** Words and phrases that must not occur. */
  exclude: string[];
}

// Each term is one more pass over unindexed text, so their number and length are bounded.
export const MOST_TERMS = 10;
export const LONGEST_SEARCH = 1600;

const TERM = /(-?)"([^"]*)(?:"|$)|[^\s",+]+/g;

// So frequent that nobody means them; a search for nothing else takes them at their word.
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about an and are as at be by com for from how i in is it of on or that the this to was what when where who will
   with www`.split(/\s+/),
);

/**
 * Empty lists mean no filter. Commas and plus signs between words are spaces, stop words are dropped unless nothing
 * else is left. Terms beyond the tenth are dropped, repeated ones count once.
 */
export function parseSearch(text: string): Search {
  const search: Search = { include: [], phrases: [], exclude: [] };
  const seen = new Set<string>();
  const clean = stripControl(text.slice(0, LONGEST_SEARCH));
  const stopped: string[] = [];
  for (const [whole, minus, quoted] of clean.matchAll(TERM)) {
    if (seen.size === MOST_TERMS) break;
    const excluded = quoted === undefined ? whole.startsWith('-') : minus === '-';
    const term = (quoted ?? whole.replace(/^-+/, '')).trim();
    const list = excluded ? search.exclude : quoted === undefined ? search.include : search.phrases;
    const key = `${excluded} ${quoted === undefined} ${term.toLowerCase()}`;
    if (!term || seen.has(key)) continue;
    if (list === search.include && STOP_WORDS.has(term.toLowerCase())) {
      if (stopped.length < MOST_TERMS) stopped.push(term);
      continue;
    }
    seen.add(key);
    list.push(term);
  }
  if (seen.size === 0) search.include.push(...new Set(stopped));
  return search;
}

const INDEXED = /[\p{L}\p{N}]{3}/u;

/**
 * What a term too short for an index of substrings (no three letters or digits in a row) is looked for by instead: the
 * beginnings of words, in lower case; none when it has no letter at all. Undefined for longer terms.
 */
export function beginningsOf(term: string): string[] | undefined {
  if (INDEXED.test(term)) return undefined;
  return [...new Set(term.toLowerCase().match(/[\p{L}\p{N}]+/gu))].slice(0, MOST_TERMS);
}

/** The `LIKE`/`ILIKE` pattern for text that contains the term; the escape character is the backslash. */
export function likePattern(term: string): string {
  return `%${term.replace(/[\\%_]/g, '\\$&')}%`;
}
