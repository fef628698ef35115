/** An import as the console and webhooks show it. */
import type { Import } from '../gen/sevenfold/imports/v1/imports';

const orNull = (text: string): string | null => (text === '' ? null : text);

export function shownImport(row: Import): Record<string, unknown> {
  return {
    import_id: row.importId,
    origin: row.origin,
    default_status: row.defaultStatus,
    authority: row.authority,
    owner: row.owner,
    state: row.state,
    percentage_complete: row.percentageComplete,
    data: { total: row.dataTotal, done: row.dataDone },
    batches_accepted: row.batchesAccepted,
    batches_applied: row.batchesApplied,
    batches_total: row.batchesTotal,
    failed_batch: row.failedBatch === 0 ? null : { number: row.failedBatch, reason: row.failedReason },
    events: {
      accepted: row.eventsAccepted,
      created: row.eventsCreated,
      updated: row.eventsUpdated,
      skipped: row.eventsSkipped,
    },
    images: { fetched: row.imagesFetched, failed: row.imagesFailed },
    message: row.message,
    message_slug: row.messageSlug,
    interval: row.interval,
    created_at: row.createdAt,
    heard_at: orNull(row.heardAt),
    applied_at: orNull(row.appliedAt),
    finished_at: orNull(row.finishedAt),
  };
}
