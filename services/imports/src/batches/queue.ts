/** Promises the job that applies an import's batches. Only under the lock of the import's row, and only when none is open. */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { closeFailed } from '@sevenfold/chassis/queue/failed-jobs';
import { setWork } from '../imports/store';

export const QUEUE = 'imports.batches';
export const APPLY = 'apply-batches';

// Outages do not count as tries (see apply.ts): what fails five times is a fault that waiting does not mend.
const MOST_TRIES = 5;

/** What its job is given. */
export interface Work {
  readonly import: number;
  /** How many batches to take at once, where as many as usual took the calendar too long. */
  readonly batches?: number;
}

export async function queueWork(tx: Db, importRow: number, batches?: number): Promise<void> {
  await setWork(tx, importRow, 'queued');
  const work: Work = { import: importRow, batches };
  await enqueue(tx, QUEUE, APPLY, work, { maxAttempts: MOST_TRIES });
}

/** In the place of those that failed, which nobody has to look at any more. */
export async function queueAgain(tx: Db, importRow: number): Promise<void> {
  await closeFailed(tx, QUEUE, APPLY, { import: importRow } satisfies Work);
  await queueWork(tx, importRow);
}
