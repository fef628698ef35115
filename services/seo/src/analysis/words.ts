/**
 * Words and sentences of texts. A word is a run of letters, marks and digits; apostrophes and hyphens inside join it
 * (so counted Flesch, 1948). Where words are written without spaces, two characters count as one: that is what Japanese
 * and Chinese texts have on average in the IReST texts (see readingMinutes).
 */
import type { Block } from './page';

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’‑-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

export const wordsIn = (text: string): string[] => text.match(WORD) ?? [];

export function countWords(blocks: readonly Block[]): number {
  let count = 0;
  for (const { text } of blocks) {
    const unspaced = text.match(UNSPACED)?.length ?? 0;
    const spaced = unspaced === 0 ? text : text.replace(UNSPACED, ' ');
    count += Math.ceil(unspaced / 2) + wordsIn(spaced).length;
  }
  return count;
}

/**
 * Words a minute of adults with normal sight: Trauzettel-Klosinski, Dietz and the IReST Study Group, «Standardized
 * assessment of reading performance», Invest. Ophthalmol. Vis. Sci. 53 (2012) 5452. They read aloud: who reads silently
 * is somewhat faster, who looks at pictures and code as well is not.
 */
const WORDS_PER_MINUTE: ReadonlyMap<string, number> = new Map(
  Object.entries({
    de: 179,
    en: 228,
    es: 218,
    fr: 195,
    nl: 202,
  }),
);
/** The mean of all 17 languages of the study. */
const USUAL = 184;

export const readingMinutes = (words: number, language: string): number =>
  Math.ceil(words / (WORDS_PER_MINUTE.get(primaryTag(language)) ?? USUAL));

/** `de` of `de-AT`. */
export const primaryTag = (language: string): string => language.split(/[-_]/, 1)[0]!.toLowerCase();

export interface Sentences {
  readonly words: readonly string[];
  /** Those that have words. */
  readonly count: number;
}

/**
 * A sentence ends with `.`, `!`, `?` or `…` before a space, and with its block. A full stop behind an abbreviation or a
 * single letter (`z. B.`, `J. Smith`) and one before a small letter ends none.
 */
export function sentencesIn(texts: readonly string[], abbreviations: ReadonlySet<string>): Sentences {
  const words: string[] = [];
  let count = 0;
  for (const text of texts) {
    const tokens = text.split(' ');
    let isOpen = false;
    tokens.forEach((token, index) => {
      const found = wordsIn(token);
      for (const word of found) words.push(word);
      isOpen ||= found.length > 0;
      if (!isOpen || !endsSentence(token, tokens[index + 1], abbreviations)) return;
      count += 1;
      isOpen = false;
    });
    if (isOpen) count += 1;
  }
  return { words, count };
}

const CLOSERS = new Set('"\'”’»«›“)]}');
const SMALL = /^\p{Ll}/u;

function endsSentence(token: string, next: string | undefined, abbreviations: ReadonlySet<string>): boolean {
  let end = token.length;
  while (end > 0 && CLOSERS.has(token[end - 1]!)) end -= 1;
  const last = token[end - 1];
  if (last === '!' || last === '?') return true;
  if (last !== '.' && last !== '…') return false;
  if (next !== undefined && SMALL.test(next)) return false;
  const word = token
    .slice(0, end)
    .replace(/^[^\p{L}\p{N}]{1,5}/u, '')
    .slice(0, -1)
    .toLowerCase();
  return last === '…' || !(/^\p{L}$/u.test(word) || abbreviations.has(word));
}
