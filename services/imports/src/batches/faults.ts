/** What of batches could not be taken, or was left alone on purpose: a row for each event. */
import type { AppliedBatch } from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Page } from './store';

/** What the calendar says of batches that it has applied. */
export async function keep(
  tx: Db,
  importRow: number,
  applied: readonly { readonly number: number; readonly result: AppliedBatch }[],
): Promise<void> {
  const faults = applied.flatMap(({ number, result }) =>
    result.skipped.map((skip) => ({
      batch: number,
      position: skip.index,
      uid: skip.uid,
      title: skip.title,
      reason: skip.reason,
      left_alone: skip.leftAlone,
    })),
  );
  if (faults.length === 0) return;
  await tx.run(
    `insert into faults (import, batch, position, uid, title, reason, left_alone)
     select $1, batch, position, uid, title, reason, left_alone
     from jsonb_to_recordset($2::jsonb) as f (batch int, position int, uid text, title text, reason text, left_alone boolean)`,
    [importRow, JSON.stringify(faults)],
  );
}

export interface FaultRow {
  readonly batch: number;
  readonly position: number;
  readonly uid: string;
  readonly title: string;
  readonly reason: string;
  /** It is there and was left as it is, on purpose. */
  readonly leftAlone: boolean;
}

const FAULT = 'batch, position, uid, title, reason, left_alone as "leftAlone"';

/** In the order in which they were noted, of one batch or of all (0). */
export const pageOf = (
  db: Db,
  importRow: number,
  batch: number,
  { page, perPage }: Page,
): Promise<FaultRow[]> =>
  db.rows<FaultRow>(
    batch === 0
      ? `select ${FAULT} from faults where import = $1 order by id limit $2 offset $3`
      : `select ${FAULT} from faults where import = $1 and batch = $4 order by id limit $2 offset $3`,
    [importRow, perPage, (page - 1) * perPage, ...(batch === 0 ? [] : [batch])],
  );

/** What was skipped of this batch. */
export async function count(db: Db, importRow: number, batch: number): Promise<number> {
  const row = await db.first<{ skipped: number }>(
    'select skipped from batches where import = $1 and number = $2',
    [importRow, batch],
  );
  return row?.skipped ?? 0;
}

export const newest = (db: Db, importRow: number, most: number): Promise<FaultRow[]> =>
  db.rows<FaultRow>(`select ${FAULT} from faults where import = $1 order by id desc limit $2`, [
    importRow,
    most,
  ]);
