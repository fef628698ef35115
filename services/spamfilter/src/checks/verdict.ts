/* From reasons to a verdict. Pure. */
import { type Line, probabilityOf } from '../classifier/calibration';
import type { Weighed } from '../classifier/weigh';
import type { Evidence } from '../evidence/evidence';

export type VerdictName = 'ham' | 'spam' | 'blatant';

export interface Judged {
  readonly verdict: VerdictName;
  /** Probability of spam, 0 to 1. */
  readonly score: number;
  /** Heaviest first; the weights add up to the log-odds of the score. */
  readonly evidence: readonly Evidence[];
}

/** A good message in the spam folder is worse than a bad one outside: better than two to one, or it is ham. */
const SPAM_FROM = Math.log(0.7 / 0.3);
const BLATANT_FROM = 6;
/** What was learned is never sure alone: to be blatant takes something seen besides. */
const MOST_LEARNED = 5;

export function judge(weighed: Weighed, line: Line, seen: readonly Evidence[]): Judged {
  const all = [...learned(weighed, line), ...seen].filter(({ weight }) => weight !== 0);
  const evidence = all.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  const logOdds = evidence.reduce((sum, { weight }) => sum + weight, 0);
  const verdict = logOdds >= BLATANT_FROM ? 'blatant' : logOdds >= SPAM_FROM ? 'spam' : 'ham';
  return { verdict, score: probabilityOf(logOdds), evidence };
}

/** The pieces of the classifier on the calibrated scale, shrunk together where they would be surer than allowed. */
function learned({ raw, pieces }: Weighed, { slope, offset }: Line): Evidence[] {
  const logOdds = slope * raw + offset;
  const shrink = Math.min(1, MOST_LEARNED / Math.max(Math.abs(logOdds), Number.MIN_VALUE));
  return [
    { name: 'prior', weight: offset * shrink, detail: 'What is to be expected before anything is read.' },
    ...pieces.map(({ group, weight, labels }) => ({
      name: group,
      weight: weight * slope * shrink,
      detail: labels.join(', '),
    })),
  ];
}
