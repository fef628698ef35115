/**
 * `npm run bench:spam`: how well the spam filter tells, on messages that it never learned from: a sixth of the mails and
 * half of our own comments and form messages, before learning and after 50, 500 and 5,000 decisions. The classifier is
 * the service's own code over counts in memory; of the rules those that need no other messages. A plain Bayes that learned
 * the same decisions is measured beside it.
 */
import { type Learner, ourLearner, plainBayes } from './learners';
import { type Figures, figuresOf } from './figures';
import { type Labelled, mails, ownSet } from './sets';

const SPAM_FROM = 0.7;
const STEPS = [0, 50, 500, 5_000];

interface Trial {
  readonly name: string;
  readonly taught: readonly Labelled[];
  readonly held: readonly Labelled[];
}

function main(): void {
  const all = mails();
  const own = ownSet();
  const half = own.length / 2;
  const lessons = all.slice(0, 5_000);
  const trials: Trial[] = [
    { name: 'mails', taught: lessons, held: all.slice(5_000) },
    // Our own half first: the rest of 500 and 5,000 decisions is about something else, and must not spoil it.
    {
      name: 'comments and form messages',
      taught: [...own.slice(half), ...lessons].slice(0, 5_000),
      held: own.slice(0, half),
    },
  ];
  for (const { name, taught, held } of trials) {
    const spam = held.filter(({ isSpam }) => isSpam).length;
    console.log(`\n${name}: ${held.length} held back, ${spam} of them spam`);
    console.log(line(['after', 'learner', 'precision', 'recall', 'Brier', 'off by']));
    const learners: [string, Learner][] = [
      ['ours', ourLearner()],
      ['plain Bayes', plainBayes()],
    ];
    let last: Figures | undefined;
    for (const [index, step] of STEPS.entries())
      for (const [label, learner] of learners) {
        for (const one of taught.slice(STEPS[index - 1] ?? 0, step)) learner.teach(one);
        const figures = figuresOf(
          held.map((one) => ({ isSpam: one.isSpam, score: learner.score(one) })),
          SPAM_FROM,
        );
        const { precision, recall, brier, calibrationError } = figures;
        console.log(
          line([step, label, ...[precision, recall, brier, calibrationError].map((one) => one.toFixed(3))]),
        );
        if (label === 'ours') last = figures;
      }
    console.log('ours at the end, by tenths of the score (messages, mean score, share of spam):');
    for (const bin of last?.bins ?? [])
      if (bin.of > 0) console.log(line(['', bin.of, bin.score.toFixed(2), bin.spam.toFixed(2)]));
  }
}

const line = (cells: readonly (string | number)[]): string =>
  cells.map((cell, index) => (index === 1 ? String(cell).padEnd(12) : String(cell).padStart(9))).join(' ');

main();
