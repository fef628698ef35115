/** Follows imports whose batches are all acknowledged until everything in them is applied, or can go no further. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readImport } from '@sevenfold/imports/commands';
import { progressBar } from './output';
import { withImports } from './sites';

const LOOK_EVERY_MS = 250;
/** Workers that do nothing for so long are down; the batches are kept and will be applied when they are back. */
const PATIENCE_MS = 10 * 60_000;

type Import = Awaited<ReturnType<typeof readImport>>;

interface Outcome extends Record<string, unknown> {
  readonly import_id: string;
  readonly state: string;
}

/** Throws where nothing moves any more. */
export const waitForWork = (importIds: readonly string[], patienceMs = PATIENCE_MS): Promise<Outcome[]> =>
  withImports(async (deps) => {
    const bar = progressBar('applying {bar} {value}/{total} batches {eta_formatted}', 1);
    try {
      for (let last = '', until = 0; ; await sleep(LOOK_EVERY_MS)) {
        const rows = await Promise.all(importIds.map((id) => readImport(deps, id)));
        bar.total(sumOf(rows, 'batchesAccepted'));
        bar.update(sumOf(rows, 'batchesApplied'));
        if (rows.every(isOver)) return rows.map(outcomeOf);
        const now = JSON.stringify(rows);
        if (now !== last) until = Date.now() + patienceMs;
        last = now;
        if (Date.now() > until)
          throw new Error('nothing is applied any more: is the worker of the imports running?');
      }
    } finally {
      bar.stop();
    }
  });

const sumOf = (rows: readonly Import[], name: 'batchesAccepted' | 'batchesApplied'): number =>
  rows.reduce((sum, row) => sum + row[name], 0);

/** What the sender has not sent is not waited for: its next batches may come from elsewhere, or never. */
const isOver = ({ failedBatch, batchesAccepted, batchesApplied }: Import): boolean =>
  failedBatch !== 0 || batchesApplied >= batchesAccepted;

const outcomeOf = (row: Import): Outcome => ({
  import_id: row.importId,
  state: row.failedBatch === 0 ? row.state : 'failed',
  batches: `${row.batchesApplied}/${row.batchesAccepted}`,
  created: row.eventsCreated,
  updated: row.eventsUpdated,
  skipped: row.eventsSkipped,
  reason: row.failedReason,
});
