/** What scores mean, in the words of statistics and lists. */
import type { SeoRank } from './shape';

/** Rank by the focus keyword: what search engines leave out has none, and neither has what was not scored. */
export function rankOf(score: number | undefined, isNoindex: boolean): SeoRank {
  if (isNoindex) return 'noindex';
  if (score === undefined) return 'na';
  return bandOf(score, GOOD_FOCUS, OK_FOCUS);
}

/** Flesch (1948) calls 60 and more standard or easier, and less than 30 very difficult. */
export const readabilityRank = (score: number | undefined): SeoRank =>
  score === undefined ? 'na' : bandOf(score, 60, 30);

const bandOf = (score: number, good: number, ok: number): 'good' | 'ok' | 'bad' => {
  if (score >= good) return 'good';
  return score >= ok ? 'ok' : 'bad';
};

/** From there on; statistics in SQL count by the same numbers. */
export const GOOD_FOCUS = 71;
export const OK_FOCUS = 41;
