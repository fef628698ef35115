/** What is told of imports on `/metrics`. */
import type { ServiceGauge } from '@sevenfold/chassis/metrics';
import { Histogram } from 'prom-client';
import type { Deps } from '../deps';
import * as store from './store';

const effectSeconds = new Histogram({
  name: 'import_effect_seconds',
  help: 'Time from the acceptance of a batch to its effect in the calendar',
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200],
});

export const noteEffects = (ages: readonly number[]): void =>
  ages.forEach((seconds) => effectSeconds.observe(seconds));

export const importGauges: readonly ServiceGauge<Deps>[] = [
  {
    name: 'imports',
    help: 'Imports by state: pending, success, failed, stalled (went silent), and those of any state that a failed batch blocks',
    labels: ['state'],
    read: async ({ db }) =>
      (await store.countStates(db)).map(({ state, count }) => ({ labels: { state }, value: count })),
  },
];
