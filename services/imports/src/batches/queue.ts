/** Promises the job that applies an import's batches. Only under the lock of the import's row, and only when none is open. */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { setWork } from '../imports/store';

export const QUEUE = 'imports.batches';
export const APPLY = 'apply-batches';

// Outages do not count as tries (see apply.ts): what fails five times is a fault that waiting does not mend.
const MOST_TRIES = 5;

export async function queueWork(tx: Db, importRow: number): Promise<void> {
  await setWork(tx, importRow, 'queued');
  await enqueue(tx, QUEUE, APPLY, { import: importRow }, { maxAttempts: MOST_TRIES });
}
