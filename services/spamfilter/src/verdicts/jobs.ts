/**
 * The job that counts. One run takes many events, in the transaction that marks it done: a worker that dies at any
 * moment has counted all of them or none.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { enqueue } from '@sevenfold/chassis/db/outbox';
import { type Job, job } from '@sevenfold/chassis/queue/jobs';
import type { Deps } from '../deps';
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
