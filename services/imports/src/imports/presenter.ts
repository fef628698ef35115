/** Rows of imports and batches as messages. */
import type { Batch, Import } from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import * as batches from '../batches/store';
import type { Deps } from '../deps';
import type * as store from './store';

/** Rows as messages, with what holds them up; one more query for all of them. */
export async function present(deps: Pick<Deps, 'db'>, rows: readonly store.ImportRow[]): Promise<Import[]> {
  const blocked = rows.filter((row) => row.work === 'blocked').map((row) => row.id);
  const failed = blocked.length > 0 ? await batches.failedOf(deps.db, blocked) : [];
  return rows.map((row) => {
    const failure = failed.find((one) => one.import === row.id);
    return {
      importId: row.importId,
      origin: row.origin,
      defaultStatus: row.defaultStatus,
      owner: row.owner,
      state: row.state,
      percentageComplete: row.percentage,
      dataTotal: row.dataTotal,
      dataDone: row.dataDone,
      batchesTotal: row.batchesTotal,
      batchesAccepted: row.accepted,
      batchesApplied: row.applied,
      failedBatch: failure?.number ?? 0,
      failedReason: failure?.error ?? '',
      eventsAccepted: row.eventsAccepted,
      eventsCreated: row.eventsCreated,
      eventsUpdated: row.eventsUpdated,
      eventsSkipped: row.eventsSkipped,
      imagesFetched: row.imagesFetched,
      imagesFailed: row.imagesFailed,
      message: row.message,
      messageSlug: row.messageSlug,
      interval: row.interval,
      createdAt: toIso(row.createdAt),
      heardAt: toIso(row.heardAt),
      appliedAt: toIso(row.appliedAt),
      finishedAt: toIso(row.finishedAt),
      authority: row.authority,
    };
  });
}

export const toBatch = (row: batches.BatchSummary): Batch => ({
  ...row,
  acceptedAt: toIso(row.acceptedAt),
  appliedAt: toIso(row.appliedAt),
});

/** The database's clock text (UTC) as ISO 8601. */
const toIso = (text: string | null): string => (text === null ? '' : `${text.replace(' ', 'T')}Z`);
