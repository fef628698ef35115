/**
 * How well a text is made for the keyword that somebody chose for it: marks of this house, out of a hundred, for where
 * search engines and their readers look first. Words are compared by their stems, so that `gardens` stands for `garden`;
 * a keyword of several words is found where they follow each other.
 */
import { slugify } from '@sevenfold/text/slug';
import { shorten } from '@sevenfold/text/text';
import type { LanguageRules } from './languages';
import type { Page } from './page';
import { wordsIn } from './words';

export interface Focused {
  readonly focusKeyword: string;
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  readonly page: Page;
  readonly wordCount: number;
  readonly isCornerstone: boolean;
}

interface Found extends Focused {
  /** How often the keyword is in a text. */
  readonly times: (text: string) => number;
  readonly keyword: string;
  readonly texts: readonly string[];
  readonly headings: readonly string[];
}

/** Each mark says how much of its weight is earned, 0 to 1. */
export const MARKS: Readonly<Record<string, { weight: number; earned: (found: Found) => number }>> = {
  title: { weight: 20, earned: ({ title, times }) => some([title], times) },
  description: { weight: 10, earned: ({ description, times }) => some([description], times) },
  slug: {
    weight: 10,
    earned: ({ slug, keyword, times }) =>
      Number(times(slug.replaceAll('-', ' ')) > 0 || slugHas(slug, keyword)),
  },
  beginning: { weight: 15, earned: ({ texts, times }) => some(texts.slice(0, 1), times) },
  headings: { weight: 10, earned: ({ headings, times }) => some(headings, times) },
  density: { weight: 15, earned: density },
  pictures: {
    weight: 5,
    earned: ({ page, times }) =>
      some(
        page.pictures.map(({ alt }) => alt),
        times,
      ),
  },
  // What others of the site are to lead to has more to say.
  length: {
    weight: 15,
    earned: ({ wordCount, isCornerstone }) => Math.min(1, wordCount / (isCornerstone ? 900 : 300)),
  },
};

export const LONGEST_KEYWORD = 200;
const MOST_WORDS = 10;
const LONGEST_WORD = 50;

/** Undefined without a keyword. */
export function focusScore(focused: Focused, rules: LanguageRules): number | undefined {
  const keyword = shorten(focused.focusKeyword, LONGEST_KEYWORD);
  const wanted = stemsOf(keyword, rules.stem).slice(0, MOST_WORDS);
  if (wanted.length === 0) return undefined;
  const remembered = remember(rules.stem);
  const blocks = (isHeading: boolean): string[] =>
    focused.page.blocks.filter((block) => block.isHeading === isHeading).map(({ text }) => text);
  const found: Found = {
    ...focused,
    keyword,
    times: (text) => timesIn(stemsOf(text, remembered), wanted),
    texts: blocks(false),
    headings: blocks(true),
  };
  const marks = Object.values(MARKS);
  return Math.round(marks.reduce((sum, { weight, earned }) => sum + weight * earned(found), 0));
}

const some = (texts: readonly string[], times: Found['times']): number =>
  Number(texts.some((text) => times(text) > 0));

/** The whole mark for 0.5 to 3 occurrences in a hundred words, half of it for fewer or up to 4. */
function density({ page, times, wordCount }: Found): number {
  const count = page.blocks.reduce((sum, { text }) => sum + times(text), 0);
  if (count === 0) return 0;
  const percent = (100 * count) / wordCount;
  if (percent > 4) return 0;
  return percent >= 0.5 && percent <= 3 ? 1 : 0.5;
}

/** Slugs have lost their accents, so that stems may differ. */
const slugHas = (slug: string, keyword: string): boolean =>
  `-${slug}-`.includes(`-${slugify(keyword) || ' '}-`);

const stemsOf = (text: string, stem: (word: string) => string): string[] =>
  wordsIn(text).map((word) => stem(shorten(word.toLowerCase(), LONGEST_WORD)));

function timesIn(stems: readonly string[], wanted: readonly string[]): number {
  let count = 0;
  for (let at = 0; at + wanted.length <= stems.length; at += 1) {
    if (!wanted.every((stem, index) => stems[at + index] === stem)) continue;
    count += 1;
    at += wanted.length - 1;
  }
  return count;
}

/** Texts repeat their words. */
function remember(stem: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    let found = known.get(word);
    if (found === undefined) known.set(word, (found = stem(word)));
    return found;
  };
}
