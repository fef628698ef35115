/** Rows of uploads, and of files that no submission has. Triggers move a file from one to the other (0002_mail.sql). */
import { deleteOld } from '@sevenfold/chassis/db/old';
import type { Db } from '@sevenfold/chassis/db/sql';

export interface NewUpload {
  readonly field: string;
  /** As the visitor's machine called it, cleaned. */
  readonly name: string;
  /** Media type, by content. */
  readonly type: string;
  readonly bytes: number;
  readonly objectKey: string;
}

export interface UploadRow extends NewUpload {
  readonly id: number;
  readonly submissionId: number;
}

/** Submissions that go at once: the files of each go with it. */
export const PIECE_WITH_FILES = 500;

const COLUMNS = 'id, submission_id as "submissionId", field, name, type, bytes, object_key as "objectKey"';

export const ofSubmissions = (db: Db, ids: readonly number[]): Promise<UploadRow[]> =>
  db.rows<UploadRow>(`select ${COLUMNS} from uploads where submission_id = any($1) order by id`, [ids]);

/** In the transaction that makes the submission. Fails where a file was not kept, or too long ago. */
export async function insertAll(tx: Db, submissionId: number, uploads: readonly NewUpload[]): Promise<void> {
  if (uploads.length === 0) return;
  await tx.run(
    `insert into uploads (submission_id, field, name, type, bytes, object_key)
     select $1, field, name, type, bytes, "objectKey"
     from jsonb_to_recordset($2::jsonb) as one(field text, name text, type text, bytes bigint, "objectKey" text)`,
    [submissionId, JSON.stringify(uploads)],
  );
}

export const addLoose = (db: Db, key: string, seconds: number): Promise<number> =>
  db.run(
    'insert into loose_files (object_key, remove_after) values ($1, now() + make_interval(secs => $2))',
    [key, seconds],
  );

/** The oldest behind as many as are passed over. */
export const dueLoose = async (db: Db, most: number, passed: number): Promise<string[]> =>
  (
    await db.rows<{ key: string }>(
      `select object_key as key from loose_files where remove_after < now()
       order by remove_after, object_key limit $1 offset $2`,
      [most, passed],
    )
  ).map(({ key }) => key);

/** Claims a file for removal: from now on no submission can take it. False: one has. */
export const claimLoose = async (tx: Db, key: string): Promise<boolean> =>
  (await tx.run('delete from loose_files where object_key = $1 and remove_after < now()', [key])) > 0;

/** Files of submissions that are older; the submissions stay. */
export const removeOlderThan = (db: Db, days: number): Promise<number> =>
  deleteOld(
    db,
    {
      table: 'uploads',
      old: `exists (
         select from submissions s
         where s.id = uploads.submission_id and s.created_at < now() - make_interval(days => $1)
           and s.mail <> 'queued' and s.mail_2 <> 'queued')`,
      by: 'id',
    },
    [days],
  );
