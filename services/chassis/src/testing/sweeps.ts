/** Sweeps in tests: one of a list is run now, as its time would, or finds a job that was lost. */
import type { Database } from '../db/sql';
import type { Sweep } from '../queue/sweeps';
import { until } from './until';

export async function runSweep<D>(sweeps: readonly Sweep<D>[], name: string, deps: D): Promise<void> {
  const sweep = sweeps.find((one) => one.name === name);
  if (!sweep) throw new Error(`There is no sweep ${name}.`);
  await sweep.run(deps);
}

/** Takes a job of the queue away that waits for others, as if it had failed for good; waits for one. */
export const loseWaitingJob = (db: Database, queue: string): Promise<true> =>
  until(async () => {
    const waiting = 'delete from outbox where channel = $1 and done_at is null and waits > 0 returning id';
    return (await db.rows(waiting, [queue])).length > 0;
  });
