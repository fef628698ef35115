/**
 * Rows of imports. Whoever changes one locks it first: the callbacks and the worker meet here, and the order of its
 * batches depends on that.
 */
import type { Db } from '@sevenfold/chassis/db/sql';

export type ImportState = 'pending' | 'success' | 'failed' | 'stalled';

/** What an import may do to what people changed. */
export const AUTHORITIES = ['overwrite', 'leave', 'fill'] as const;
export type Authority = (typeof AUTHORITIES)[number];

export interface ImportRow {
  readonly id: number;
  readonly importId: string;
  readonly origin: string;
  readonly defaultStatus: string;
  readonly authority: Authority;
  readonly owner: number;
  readonly state: ImportState;
  readonly expectedHash: string | null;
  /** The last one that the sender was given, also when it is expected no more; empty where that is not known. */
  readonly givenHash: string;
  readonly work: 'idle' | 'queued' | 'blocked';
  readonly interval: number;
  readonly percentage: number;
  readonly dataTotal: number;
  readonly dataDone: number;
  readonly batchesTotal: number;
  readonly accepted: number;
  readonly applied: number;
  readonly lastNumber: number | null;
  /** Of the batches that were accepted and are not applied. */
  readonly waitingBytes: number;
  readonly eventsAccepted: number;
  readonly eventsCreated: number;
  readonly eventsUpdated: number;
  readonly eventsSkipped: number;
  /** Of those skipped: what could not be taken. */
  readonly eventsFailed: number;
  readonly imagesFetched: number;
  readonly imagesFailed: number;
  readonly attachments: number;
  /** Of those: what was there before. */
  readonly attachmentsFound: number;
  readonly message: string;
  readonly messageSlug: string;
  readonly createdAt: string;
  readonly heardAt: string;
  readonly appliedAt: string | null;
  readonly finishedAt: string | null;
  /** Its single batches and faults are not kept any more. */
  readonly isCleared: boolean;
}

const COLUMNS = `id, import_id as "importId", origin, default_status as "defaultStatus", authority, owner, state,
  expected_hash as "expectedHash", given_hash as "givenHash", work, interval_seconds as "interval", percentage, data_total as "dataTotal",
  data_done as "dataDone", batches_total as "batchesTotal", accepted, applied, last_number as "lastNumber", waiting_bytes as "waitingBytes",
  events_accepted as "eventsAccepted", events_created as "eventsCreated", events_updated as "eventsUpdated",
  events_skipped as "eventsSkipped", events_failed as "eventsFailed", images_fetched as "imagesFetched", images_failed as "imagesFailed",
  cardinality(attachments) + pictures as attachments, pictures_found as "attachmentsFound", message, message_slug as "messageSlug", created_at as "createdAt",
  heard_at as "heardAt", applied_at as "appliedAt", finished_at as "finishedAt",
  coalesce(cleared_at >= heard_at, false) as "isCleared"`;

/** Channel of PostgreSQL's notifications: the payload is the id of the import that changed. */
export const PROGRESS_CHANNEL = 'imports';

export const find = (db: Db, importId: string): Promise<ImportRow | undefined> =>
  db.first<ImportRow>(`select ${COLUMNS} from imports where import_id = $1`, [importId]);

export const findById = (db: Db, id: number): Promise<ImportRow | undefined> =>
  db.first<ImportRow>(`select ${COLUMNS} from imports where id = $1`, [id]);

export const lock = (tx: Db, importId: string): Promise<ImportRow | undefined> =>
  tx.first<ImportRow>(`select ${COLUMNS} from imports where import_id = $1 for update`, [importId]);

export const lockById = (tx: Db, id: number): Promise<ImportRow | undefined> =>
  tx.first<ImportRow>(`select ${COLUMNS} from imports where id = $1 for update`, [id]);

export interface ListQuery {
  readonly state?: string;
  readonly page: number;
  readonly perPage: number;
}

export const list = (db: Db, { state = '', page, perPage }: ListQuery): Promise<ImportRow[]> =>
  db.rows<ImportRow>(
    `select ${COLUMNS} from imports where $1 = '' or state = $1 order by id desc limit $2 offset $3`,
    [state, perPage, (page - 1) * perPage],
  );

export async function count(db: Db, state = ''): Promise<number> {
  const row = await db.first<{ n: number }>(`select count(*) as n from imports where $1 = '' or state = $1`, [
    state,
  ]);
  return row?.n ?? 0;
}

export interface NewImport {
  readonly authority: Authority;
  readonly importId: string;
  readonly origin: string;
  readonly defaultStatus: string;
  readonly owner: number;
  readonly interval: number;
  readonly expectedHash: string;
}

/** False when an import of this name exists. */
export async function insert(db: Db, row: NewImport): Promise<boolean> {
  const rows = await db.run(
    `insert into imports (import_id, origin, default_status, owner, interval_seconds, expected_hash, given_hash, authority)
     values ($1, $2, $3, $4, $5, $6, $6, $7) on conflict on constraint imports_import_id do nothing`,
    [row.importId, row.origin, row.defaultStatus, row.owner, row.interval, row.expectedHash, row.authority],
  );
  return rows > 0;
}

export interface StateReport {
  readonly state: ImportState;
  readonly percentage: number;
  readonly message: string;
  readonly messageSlug: string;
  /** The last batch is known: nothing more is taken. */
  readonly closed: boolean;
}

/** A report of success finishes the import only when its last batch is in the calendar. */
export async function report(tx: Db, id: number, said: StateReport): Promise<void> {
  await tx.run(
    `update imports set
       state = case when $2 = 'success' and applied < accepted then 'pending' else $2 end,
       percentage = $3, message = $4, message_slug = $5,
       expected_hash = case when $6 then null else expected_hash end,
       last_number = case when $6 then accepted else last_number end,
       finished_at = case when $2 = 'failed' or ($2 = 'success' and applied = accepted) then now() end,
       heard_at = now()
     where id = $1`,
    [id, said.state, said.percentage, said.message, said.messageSlug, said.closed],
  );
}

export async function setWork(tx: Db, id: number, work: ImportRow['work']): Promise<void> {
  await tx.run('update imports set work = $2 where id = $1', [id, work]);
}

/** Open for batches again, under this hash. */
export async function reopen(tx: Db, id: number, hash: string): Promise<void> {
  await tx.run(
    `update imports set state = 'pending', expected_hash = $2, given_hash = $2, last_number = null, finished_at = null,
       heard_at = now() where id = $1`,
    [id, hash],
  );
}

/** The next batch must carry this hash instead of the one that was given before. */
export async function expect(tx: Db, id: number, hash: string): Promise<void> {
  await tx.run('update imports set expected_hash = $2, given_hash = $2 where id = $1', [id, hash]);
}

/** Marks those that nobody has heard of for so long; batches that still wait for the calendar are no silence. */
export const markStalled = (db: Db, seconds: number): Promise<{ id: number; importId: string }[]> =>
  db.rows(
    `with stalled as (
       update imports set state = 'stalled'
       where id in (select id from imports
                    where state = 'pending' and last_number is null and accepted = applied
                      and heard_at < now() - make_interval(secs => $1)
                    for update skip locked)
       returning id, import_id)
     select id, import_id as "importId", pg_notify('${PROGRESS_CHANNEL}', id::text) from stalled`,
    [seconds],
  );

/** How many there are in each state, the empty ones included; `blocked` are those that a failed batch holds up, beside their state. */
export const countStates = (db: Db): Promise<{ state: string; count: number }[]> =>
  db.rows(
    `select s.state, count(i.state) as count
     from unnest('{pending,success,failed,stalled}'::text[]) as s (state) left join imports i using (state)
     group by s.state
     union all
     select 'blocked', count(*) from imports where work = 'blocked'`,
  );

/** Wakes those who watch, at commit. */
export async function notify(tx: Db, id: number): Promise<void> {
  await tx.run(`select pg_notify('${PROGRESS_CHANNEL}', $1)`, [String(id)]);
}

/** A picture of an event of this import came, or did not. The same one for several events is one. */
export async function noteImage(
  tx: Db,
  importId: string,
  image: { attachment: number; found?: boolean; reason: string; uid: string; title: string },
): Promise<void> {
  const row = await lock(tx, importId);
  if (!row) return;
  await tx.run(
    `with added as (
       insert into pictures (import, place, attachment, found)
         select id, pictures + 1, $3, $7 from imports where id = $1 and $2 and not $3::bigint = any(attachments)
       on conflict (import, attachment) do nothing returning found),
     changed as (
       update imports set
         images_fetched = images_fetched + case when $2 then 1 else 0 end,
         images_failed = images_failed + case when $2 then 0 else 1 end,
         pictures = pictures + (select count(*) from added),
         pictures_found = pictures_found + (select count(*) from added where found)
       where id = $1 returning id),
     faulty as (
       insert into faults (import, uid, title, reason) select id, $4, $5, $6 from changed where not $2)
     select pg_notify('${PROGRESS_CHANNEL}', id::text) from changed`,
    [
      row.id,
      image.reason === '',
      image.attachment,
      image.uid,
      image.title,
      image.reason,
      image.found ?? false,
    ],
  );
}
