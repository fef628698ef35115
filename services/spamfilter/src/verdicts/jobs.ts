/**
 * The job that counts, and what sees to it that nothing is left. One run takes many events, in the transaction that marks it
 * done: a worker that dies at any moment has counted all of them or none.
 */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { type Job, job } from '@sevenfold/chassis/queue/jobs';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { dropMonths, makeMonths } from './partitions';
import { COUNT, QUEUE } from './queue';
import * as store from './store';

// A tenth of a second of work: what is lost with a worker is made up for as quickly.
const MOST_AT_ONCE = 5_000;

export const countVerdicts: Job<Deps> = job<Deps, object>({
  queue: QUEUE,
  name: COUNT,
  handle: async ({ tx }) => {
    if ((await store.count(tx, MOST_AT_ONCE)) === MOST_AT_ONCE) await promise(tx);
  },
});

const promise = (tx: Db): Promise<number> => enqueue(tx, QUEUE, COUNT, {});

export const verdictSweeps: readonly Sweep<Deps>[] = [
  {
    // What was written while the only open job had already looked, or after a job failed for good.
    name: 'uncounted-events',
    everySeconds: 15,
    run: ({ db }) =>
      db.transaction(async (tx) => {
        if (await store.isForgotten(tx)) await promise(tx);
      }),
  },
  {
    name: 'months-of-events',
    everySeconds: 3_600,
    run: async ({ db, config, log }) => {
      const made = await makeMonths(db);
      const dropped = await dropMonths(db, config.SPAM_EVENTS_DAYS);
      if (made.length > 0 || dropped.length > 0) log.info({ made, dropped }, 'months of verdicts');
    },
  },
];
