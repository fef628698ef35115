/** Rows of batches: kept when accepted, emptied when applied. */
import type { AppliedBatch } from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';
import type { Db } from '@sevenfold/chassis/db/sql';
import { PROGRESS_CHANNEL } from '../imports/store';
import type { BatchActivity, Ids } from './kinds';

export interface AcceptedBatch {
  readonly number: number;
  readonly hash: string;
  readonly digest: Buffer;
  readonly shownApplied: number;
  readonly shownAttachments: number;
  readonly nextHash: string | null;
}

const ACCEPTED = `number, hash, digest, shown_applied as "shownApplied", shown_attachments as "shownAttachments",
  next_hash as "nextHash"`;

export const find = (db: Db, importRow: number, number: number): Promise<AcceptedBatch | undefined> =>
  db.first<AcceptedBatch>(`select ${ACCEPTED} from batches where import = $1 and number = $2`, [
    importRow,
    number,
  ]);

export interface NewBatch extends AcceptedBatch {
  readonly payload: string;
  readonly events: number;
  readonly percentage: number;
  readonly dataTotal: number;
  readonly dataDone: number;
  readonly batchesTotal: number;
}

/**
 * Keeps a batch, moves its import on to the next hash, and wakes those who watch. One statement: the sender waits for every
 * round trip. False where it is not the next batch of an import that is worked on, and nothing was done; who has the lock of the
 * import's row and has promised the work knows better.
 */
export async function accept(db: Db, importRow: number, batch: NewBatch): Promise<boolean> {
  const kept = await db.run(
    `with moved as (
       update imports set accepted = $2, expected_hash = $9, given_hash = coalesce($9, given_hash), state = 'pending', percentage = $10,
         data_total = $11, data_done = $12, batches_total = $13, events_accepted = events_accepted + $6,
         last_number = case when $9::text is null then $2 end, 
         waiting_bytes = case when accepted = applied then 0 else waiting_bytes end + octet_length($5), heard_at = now()
       where id = $1 and accepted = $2 - 1 and expected_hash = $3 and work <> 'idle' returning id),
     kept as (
       insert into batches (import, number, hash, digest, payload, events, shown_applied, shown_attachments, next_hash)
       select id, $2, $3, $4, $5, $6, $7, $8, $9 from moved)
     select pg_notify('${PROGRESS_CHANNEL}', id::text) from moved`,
    [
      importRow,
      batch.number,
      batch.hash,
      batch.digest,
      batch.payload,
      batch.events,
      batch.shownApplied,
      batch.shownAttachments,
      batch.nextHash,
      batch.percentage,
      batch.dataTotal,
      batch.dataDone,
      batch.batchesTotal,
    ],
  );
  return kept > 0;
}

export interface WaitingBatch {
  readonly number: number;
  readonly payload: string;
}

/** What a group of batches may hold together. */
export interface GroupLimits {
  readonly batches: number;
  readonly events: number;
  readonly bytes: number;
}

/**
 * Those that come next and fit together, in order; the first one even if it fits nowhere. A failed one holds up all
 * behind it. A payload may have megabytes, so the group is chosen here, by sizes that PostgreSQL knows without reading
 * the payloads.
 */
export const nextInLine = (db: Db, importRow: number, most: GroupLimits): Promise<WaitingBatch[]> =>
  db.rows<WaitingBatch>(
    `with line as (
       select b.number, b.events, octet_length(b.payload) as bytes
       from batches b join imports i on i.id = b.import
       where b.import = $1 and b.number > i.applied and i.work <> 'blocked'
       order by b.number limit $2),
     sums as (
       select number, row_number() over so_far as place, sum(events) over so_far as events,
         sum(bytes) over so_far as bytes
       from line window so_far as (order by number))
     select b.number, b.payload
     from sums s join batches b on b.import = $1 and b.number = s.number
     where s.place = 1 or (s.events <= $3 and s.bytes <= $4)
     order by b.number`,
    [importRow, most.batches, most.events, most.bytes],
  );

/**
 * Notes what the calendar did with consecutive batches, and empties them. The import's row is locked by the caller. Answers
 * how many seconds each had waited since it was accepted. Version 0.1.0 counts no bytes that wait: beside it their number is
 * known where none is left.
 */
export async function markApplied(
  tx: Db,
  importRow: number,
  applied: readonly { number: number; bytes: number; result: AppliedBatch; activity: BatchActivity }[],
): Promise<number[]> {
  const rows = applied.map(({ number, bytes, result, activity }) => ({
    number,
    activity,
    bytes,
    created: result.events?.created.length ?? 0,
    updated: result.events?.updated.length ?? 0,
    skipped: result.skipped.length,
    failed: result.skipped.filter(({ leftAlone }) => !leftAlone).length,
  }));
  const waited = await tx.rows<{ seconds: number }>(
    `with done as (
       select * from jsonb_to_recordset($2::jsonb)
         as d (number int, activity jsonb, created int, updated int, skipped int, failed int, bytes bigint)),
     marked as (
       update batches b set state = 'applied', payload = null, applied_at = now(), error = '', activity = d.activity,
         created = d.created, updated = d.updated, skipped = d.skipped, failed = d.failed
       from done d where b.import = $1 and b.number = d.number
       returning extract(epoch from clock_timestamp() - b.accepted_at)::float8 as seconds),
     sums as (
       select max(number) as number, sum(created) as created, sum(updated) as updated, sum(skipped) as skipped,
         sum(failed) as failed, sum(bytes) as bytes from done),
     moved as (
       update imports i set applied = s.number, applied_at = now(), slow_tries = 0,
       waiting_bytes = case when s.number = i.accepted then 0 else greatest(i.waiting_bytes - s.bytes, 0) end,
       events_created = events_created + s.created,
       events_updated = events_updated + s.updated, events_skipped = events_skipped + s.skipped, events_failed = events_failed + s.failed,
       state = case when i.state = 'pending' and s.number = i.last_number then 'success' else i.state end,
       finished_at = case when i.state = 'pending' and s.number = i.last_number then now() else i.finished_at end
     from sums s where i.id = $1)
     select seconds from marked`,
    [importRow, JSON.stringify(rows)],
  );
  return waited.map(({ seconds }) => seconds);
}

/**
 * The batch that was next in line failed for good; those behind it wait. Where none was in line only the work on them failed:
 * the next one that is accepted is worked on again.
 */
export async function markFailed(tx: Db, importRow: number, reason: string): Promise<void> {
  await tx.run(
    `with ended as (
       update imports set work = case when accepted > applied then 'blocked' else 'idle' end, slow_tries = 0 where id = $1
       returning id, applied, work)
     update batches b set state = 'failed', error = $2 from ended i
      where i.work = 'blocked' and b.import = i.id and b.number = i.applied + 1`,
    [importRow, reason.slice(0, 2000)],
  );
}

/** The batch that is next in line took the calendar too long once more; answers how often it has. */
export async function noteSlow(db: Db, importRow: number): Promise<number> {
  const row = await db.first<{ tries: number }>(
    'update imports set slow_tries = slow_tries + 1 where id = $1 returning slow_tries as tries',
    [importRow],
  );
  return row?.tries ?? 0;
}

/** False when the batch has not failed. */
export async function unfail(tx: Db, importRow: number, number: number): Promise<boolean> {
  const rows = await tx.run(
    `update batches set state = 'accepted', error = '' where import = $1 and number = $2 and state = 'failed'`,
    [importRow, number],
  );
  return rows > 0;
}

export const activityBetween = (
  db: Db,
  importRow: number,
  after: number,
  upTo: number,
): Promise<{ number: number; activity: BatchActivity }[]> =>
  db.rows(
    `select number, activity from batches
     where import = $1 and number > $2 and number <= $3 and activity is not null order by number`,
    [importRow, after, upTo],
  );

/** Those that the import made are created, those that were there before updated, as with venues. */
export async function firstAttachments(db: Db, importRow: number, count: number): Promise<Ids> {
  const none: Ids = { created: [], updated: [], skipped: [] };
  if (count === 0) return none;
  const pictures = `select attachment from pictures
        where import = $1 and place <= $2::int - cardinality(i.attachments)`;
  const row = await db.first<Pick<Ids, 'created' | 'updated'>>(
    `select i.attachments[1:$2::int] || array(${pictures} and not found order by place) as created,
       array(${pictures} and found order by place) as updated
     from imports i where i.id = $1`,
    [importRow, count],
  );
  return { ...none, ...row };
}

export interface BatchSummary {
  readonly number: number;
  readonly state: 'accepted' | 'applied' | 'failed';
  readonly events: number;
  readonly created: number;
  readonly updated: number;
  /** Left alone and could not be taken, together. */
  readonly skipped: number;
  readonly failed: number;
  readonly error: string;
  readonly acceptedAt: string;
  readonly appliedAt: string | null;
}

const SUMMARY = `number, state, events, created, updated, skipped, failed, error, accepted_at as "acceptedAt",
  applied_at as "appliedAt"`;

export const newest = (db: Db, importRow: number, most: number): Promise<BatchSummary[]> =>
  db.rows<BatchSummary>(`select ${SUMMARY} from batches where import = $1 order by number desc limit $2`, [
    importRow,
    most,
  ]);

export interface Page {
  readonly page: number;
  readonly perPage: number;
}

/** In the order in which they came; their numbers have no gaps. */
export const pageOf = (db: Db, importRow: number, { page, perPage }: Page): Promise<BatchSummary[]> =>
  db.rows<BatchSummary>(
    `select ${SUMMARY} from batches where import = $1 and number > $2 and number <= $2 + $3 order by number`,
    [importRow, (page - 1) * perPage, perPage],
  );

/** Of these imports, the batch that holds each of them up. */
export const failedOf = (
  db: Db,
  importRows: readonly number[],
): Promise<{ import: number; number: number; error: string }[]> =>
  db.rows(
    `select b.import, b.number, b.error from batches b join imports i on i.id = b.import
     where i.id = any($1::bigint[]) and i.work = 'blocked' and b.number = i.applied + 1 and b.state = 'failed'`,
    [importRows],
  );
