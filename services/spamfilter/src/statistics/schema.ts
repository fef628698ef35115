/** Arguments of the statistics routes. */
import type { ArgTable } from '@sevenfold/chassis/http/args';
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
