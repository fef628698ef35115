/*
 * Reads what a person typed into a search box, and makes the patterns for SQL `LIKE` from it.
 * Matching, ranking and the choice of columns belong to the stores.
 */

import { normalized } from './normalized';
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

// A sign by itself, as between the words of `Salt & Pepper`.
const isSign = (term: string): boolean => !/[\p{Alphabetic}\p{N}]/u.test(term);

/**
 * Empty lists mean no filter. Commas and plus signs between words are spaces, stop words are dropped unless nothing else
 * is left, and signs that stand by themselves unless not even these are left: quoted ones are asked for on purpose. Terms
 * beyond the tenth are dropped, repeated ones count once.
 */
export function parseSearch(text: string): Search {
  const search: Search = { include: [], phrases: [], exclude: [] };
  const seen = new Set<string>();
  const clean = stripControl(text.slice(0, LONGEST_SEARCH));
  const stopped: string[] = [];
  let sign: string | undefined;
  for (const [whole, minus, quoted] of clean.matchAll(TERM)) {
    if (seen.size === MOST_TERMS) break;
    const excluded = quoted === undefined ? whole.startsWith('-') : minus === '-';
    const term = (quoted ?? whole.replace(/^-+/, '')).trim();
    const list = excluded ? search.exclude : quoted === undefined ? search.include : search.phrases;
    const key = `${excluded} ${quoted === undefined} ${term.toLowerCase()}`;
    if (!term || seen.has(key)) continue;
    if (quoted === undefined && isSign(term)) {
      if (!excluded) sign ??= term;
      continue;
    }
    if (list === search.include && STOP_WORDS.has(term.toLowerCase())) {
      if (stopped.length < MOST_TERMS) stopped.push(term);
      continue;
    }
    seen.add(key);
    list.push(term);
  }
  if (seen.size > 0) return search;
  // One sign is enough to match nothing.
  search.include.push(...(stopped.length > 0 || sign === undefined ? new Set(stopped) : [sign]));
  return search;
}

// Vowel signs are letters, as Unicode and the index of substrings (pg_trgm) have it. Accents, tones, joiners and signs that tie
// consonants to each other are none: they belong to a word and stand between what the index takes for words.
const IN_A_ROW = /[\p{Alphabetic}\p{N}]{3}/u;
const IN_A_WORD = /(?:[\p{Alphabetic}\p{N}][\p{M}\u200c\u200d]*){3}/u;
const WORD = /[\p{Alphabetic}\p{N}][\p{Alphabetic}\p{M}\p{N}\u200c\u200d]*/gu;
/** PostgreSQL 15 ends words with them, later ones do not. */
const JOINER = /[\u200c\u200d]/;

/** Whether an index of substrings knows where the term may stand: by three letters in a row. Of others it knows next to nothing. */
export const isIndexed = (term: string): boolean => IN_A_ROW.test(term);

/**
 * What a term without a word of three letters or digits is looked for by instead: the beginnings of words, as they were
 * typed; none when it has no letter at all. Undefined for longer terms.
 */
export function beginningsOf(term: string): string[] | undefined {
  if (IN_A_WORD.test(term)) return undefined;
  const words = term.match(WORD) ?? [];
  return [...new Set(words.map((word) => word.split(JOINER, 1).join()))].slice(0, MOST_TERMS);
}

const LAST_SIGMA = /(?<=[\p{L}\p{M}])σ(?![\p{L}\p{M}\p{N}])/gu;

/**
 * The term as a text in small letters may have it. Of what was written in capitals that has σ at the ends of words, of
 * anything else ς: as it was typed, as if all of it had been capitals, and as if nothing had been. Texts are kept as they are sent,
 * with letters and their accents in one character or in two, and nobody sees which: each of these in both forms.
 */
export function spellingsOf(term: string): string[] {
  const typed = term.replaceAll('Σ', 'σ');
  const capitals = typed.replaceAll('ς', 'σ');
  const spellings = [typed, capitals, capitals.replace(LAST_SIGMA, 'ς')];
  const forms = (['NFC', 'NFD'] as const).flatMap((form) => spellings.map((one) => normalized(one, form)));
  return [...new Set([...spellings, ...forms])];
}

/** The `LIKE`/`ILIKE` pattern for text that contains the term; the escape character is the backslash. */
export function likePattern(term: string): string {
  return `%${term.replace(/[\\%_]/g, '\\$&')}%`;
}
