/** What is measured: our classifier, with its model in memory instead of in PostgreSQL, and a plain Bayes beside it. */
import {
  type Calibration,
  LATEST,
  binOf,
  fit,
  noCalibration,
} from '@sevenfold/spamfilter/classifier/calibration';
import { hashesOf, readCorpus } from '@sevenfold/spamfilter/classifier/corpus';
import { type Features, featuresOf } from '@sevenfold/spamfilter/classifier/features';
import { type Counts, type Weighed, weigh } from '@sevenfold/spamfilter/classifier/weigh';
import { judge } from '@sevenfold/spamfilter/checks/verdict';
import { conductOf } from '@sevenfold/spamfilter/evidence/conduct';
import type { Labelled } from './sets';

export interface Learner {
  /** Probability of spam. */
  score(one: Labelled): number;
  teach(one: Labelled): void;
}

type Mutable = { -readonly [K in keyof Counts]: number };
const none = (): Mutable => ({ spam: 0, ham: 0, baseSpam: 0, baseHam: 0 });

const remembered = new WeakMap<Labelled, Features>();
function featuresOfOne(one: Labelled): Features {
  const known = remembered.get(one) ?? featuresOf(one.message);
  remembered.set(one, known);
  return known;
}

export function ourLearner(withCorpus = true): Learner {
  const counts = new Map<number, Mutable>();
  const totals = none();
  const decided: { side: 'spam' | 'ham'; bin: number }[] = [];
  const calibration = (): Calibration => {
    const latest = noCalibration();
    for (const { side, bin } of decided.slice(-LATEST)) latest[side][bin] = (latest[side][bin] ?? 0) + 1;
    return latest;
  };
  const add = (hashes: readonly number[], side: keyof Counts): void => {
    totals[side]++;
    for (const hash of hashes) {
      const known = counts.get(hash) ?? none();
      counts.set(hash, known);
      known[side]++;
    }
  };
  if (withCorpus)
    for (const sample of readCorpus().samples)
      add(hashesOf(sample), sample.label === 'spam' ? 'baseSpam' : 'baseHam');
  const weighed = (one: Labelled): Weighed => weigh(featuresOfOne(one).all, counts, totals);
  return {
    score: (one) =>
      judge(weighed(one), fit(calibration()), conductOf(one.message, featuresOfOne(one).written)).score,
    teach: (one) => {
      const side = one.isSpam ? 'spam' : 'ham';
      decided.push({ side, bin: binOf(weighed(one).raw) });
      add(
        featuresOfOne(one).all.map(({ hash }) => hash),
        side,
      );
    },
  };
}

/** Multinomial Bayes over lower-case words with Laplace's correction, as every textbook has it. */
export function plainBayes(): Learner {
  const words = new Map<string, [spam: number, ham: number]>();
  const total: [number, number] = [0, 0];
  const messages: [number, number] = [0, 0];
  const split = ({ message }: Labelled): string[] =>
    message.content.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return {
    score: (one) => {
      let odds = Math.log((messages[0] + 1) / (messages[1] + 1));
      for (const word of split(one)) {
        const [spam, ham] = words.get(word) ?? [0, 0];
        odds +=
          Math.log((spam + 1) / (total[0] + words.size + 1)) -
          Math.log((ham + 1) / (total[1] + words.size + 1));
      }
      return 1 / (1 + Math.exp(-odds));
    },
    teach: (one) => {
      const side = one.isSpam ? 0 : 1;
      messages[side]++;
      for (const word of split(one)) {
        const known = words.get(word) ?? [0, 0];
        words.set(word, known);
        known[side]++;
        total[side]++;
      }
    },
  };
}
