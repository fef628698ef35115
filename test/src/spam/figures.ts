/** How good scores are. */

export interface Scored {
  readonly isSpam: boolean;
  readonly score: number;
}

export interface Figures {
  readonly of: number;
  /** Share of what was called spam that is spam; 1 where nothing was. */
  readonly precision: number;
  /** Share of the spam that was called so. */
  readonly recall: number;
  /** Mean squared distance of score and truth: 0 is perfect, 0.25 is what «0.5» always gets. */
  readonly brier: number;
  /** By tenths of the score: how many, the mean score, the share of spam. */
  readonly bins: readonly { readonly of: number; readonly score: number; readonly spam: number }[];
  /** Mean distance of score and share over the bins, weighed by how many are in them. */
  readonly calibrationError: number;
}

export function figuresOf(scored: readonly Scored[], spamFrom: number): Figures {
  const called = scored.filter(({ score }) => score >= spamFrom);
  const caught = called.filter(({ isSpam }) => isSpam).length;
  const spam = scored.filter(({ isSpam }) => isSpam).length;
  const bins = Array.from({ length: 10 }, (_, bin) => {
    const own = scored.filter(({ score }) => Math.min(9, Math.floor(score * 10)) === bin);
    return { of: own.length, score: mean(own.map(({ score }) => score)), spam: mean(own.map(truth)) };
  });
  return {
    of: scored.length,
    precision: called.length === 0 ? 1 : caught / called.length,
    recall: spam === 0 ? 1 : caught / spam,
    brier: mean(scored.map((one) => (one.score - truth(one)) ** 2)),
    bins,
    calibrationError:
      bins.reduce((sum, bin) => sum + bin.of * Math.abs(bin.score - bin.spam), 0) /
      Math.max(1, scored.length),
  };
}

const truth = ({ isSpam }: { readonly isSpam: boolean }): number => (isSpam ? 1 : 0);

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
