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
const MAX_TERMS = 10;
const MAX_LENGTH = 1600;

const TERM = /(-?)"([^"]*)(?:"|$)|[^\s"]+/g;

/** Empty lists mean no filter. Terms beyond the tenth are dropped, repeated ones count once. */
export function parseSearch(text: string): Search {
  const search: Search = { include: [], phrases: [], exclude: [] };
  const seen = new Set<string>();
  const clean = stripControl(text.slice(0, MAX_LENGTH));
  for (const [whole, minus, quoted] of clean.matchAll(TERM)) {
    if (seen.size === MAX_TERMS) break;
    const excluded = quoted === undefined ? whole.startsWith('-') : minus === '-';
    const term = (quoted ?? whole.replace(/^[-,]+/, '').replace(/(?<!,),+$/, '')).trim();
    const list = excluded ? search.exclude : quoted === undefined ? search.include : search.phrases;
    const key = `${excluded} ${quoted === undefined} ${term.toLowerCase()}`;
    if (!term || seen.has(key)) continue;
    seen.add(key);
    list.push(term);
  }
  return search;
}

/** The `LIKE`/`ILIKE` pattern for text that contains the term; the escape character is the backslash. */
export function likePattern(term: string): string {
  return `%${term.replace(/[\\%_]/g, '\\$&')}%`;
}
