/** Arguments of the statistics routes. */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import * as shape from '@sevenfold/chassis/http/shapes';
import { intervalOfLetter } from './intervals';

export const allArgs = {
  interval: {
    type: 'string',
    default: 'all',
    description: 'Period of the statistics: 60-days, 6-months or all.',
  },
} as const satisfies ArgTable;

export const oneArgs = {
  interval: {
    type: 'string',
    description: 'Period of the statistics: d for 60-days, m for 6-months, a for all.',
    check: (letter: string) =>
      intervalOfLetter(letter) ? undefined : 'interval is none of d (60-days), m (6-months) and a (all).',
  },
} as const satisfies ArgTable;

const counters = {
  spam: shape.described('What was spam.', shape.integer),
  ham: shape.described('What was none.', shape.integer),
  missed_spam: shape.described('Spam that was let through.', shape.integer),
  false_positives: shape.described('What was taken for spam and was none.', shape.integer),
};

/** By the name of the period. */
export const statisticsAnswer = shape.mapOf(
  shape.object({
    ...counters,
    accuracy: shape.described('Per cent of what was judged right.', shape.number),
    time_saved: shape.described('Seconds that nobody spent on spam.', shape.integer),
    breakdown: shape.described(
      'The same by day or month, in UTC.',
      shape.mapOf(shape.object({ ...counters, da: shape.described('First day.', shape.text) })),
    ),
  }),
);
