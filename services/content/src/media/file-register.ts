/**
 * Which files are stored, by upload: a name is taken before anything is stored under it, and belongs to an attachment once its
 * row is written. What belongs to none is removed, and its name stays taken.
 */
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import { isPostgresError } from '@sevenfold/chassis/errors';

/**
 * Reserves all paths or none: undefined when one of them belongs to another upload. They are nobody's until giveFiles, unless
 * the attachment is there already.
 */
export async function reserveFiles(
  db: Db,
  paths: readonly string[],
  media?: number,
): Promise<number | undefined> {
  try {
    const row = await db.first<{ upload: number }>(
      `with free as (select nextval('media_uploads') as upload where not exists (select from media_files where path = any($1::text[]))),
         taken as (insert into media_files (path, upload, media) select path, upload, $2::bigint from unnest($1::text[]) as path, free returning upload)
       select upload from taken limit 1`,
      [paths, media],
    );
    return row?.upload;
  } catch (error) {
    // Somebody reserved one of them at the same moment.
    if (isPostgresError(error) && error.constraint === 'media_files_pkey') return undefined;
    throw error;
  }
}

/** Answers how many files the attachment has now. */
export const giveFiles = (tx: Db, upload: number, media: number): Promise<number> =>
  tx.run('update media_files set media = $2 where upload = $1 and removed_at is null', [upload, media]);

export async function uploadOf(tx: Db, media: number): Promise<number | undefined> {
  return (
    await tx.first<{ upload: number }>('select upload from media_files where media = $1 limit 1', [media])
  )?.upload;
}

/** Paths of files of an upload that no attachment has. */
export async function looseFiles(db: Db, upload: number): Promise<string[]> {
  const rows = await db.rows<{ path: string }>(
    'select path from media_files where upload = $1 and media is null and removed_at is null',
    [upload],
  );
  return rows.map((row) => row.path);
}

/** Whether an upload still has its attachment, which keeps it until the transaction ends: whoever takes it away waits. */
export const holdUpload = async (tx: Db, upload: number, media: number): Promise<boolean> =>
  (await tx.run('select from media_files where upload = $1 and media = $2 for update', [upload, media])) > 0;

/**
 * Takes files away from an attachment that were stored for it and that it does not show, nor has shown (`earlier`); answers their
 * uploads. What is about to be shown is waited for, and looked at afterwards: another run may have brought it.
 */
export const abandonUnshown = (
  db: Pick<Database, 'transaction'>,
  media: number,
  earlier: readonly string[] = [],
): Promise<number[]> =>
  db.transaction(async (tx) => {
    await tx.run('select from media_files where media = $1 for update', [media]);
    const rows = await tx.rows<{ upload: number }>(
      `update media_files set media = null where media = $1 and upload <> all(array(
         select upload from media_files
         where media = $1 and (path = any($2::text[]) or path = (select file from media where post_id = $1))))
       returning upload`,
      [media, earlier],
    );
    return [...new Set(rows.map(({ upload }) => upload))];
  });

/**
 * Takes the files of an upload that did not end away from its attachment, unless that shows them: the answer to a commit may be lost
 * when the commit is not. A transaction that may still end is waited for, and what became of it looked at afterwards.
 */
export async function abandonUpload(db: Pick<Database, 'transaction'>, upload: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run('select from media_files where upload = $1 for update', [upload]);
    await tx.run(
      `update media_files set media = null where upload = $1
         and not exists (select from media where file in (select path from media_files where upload = $1))`,
      [upload],
    );
  });
}

/** Notes that the files of an upload that no attachment has are gone. Their names stay taken. */
export const noteRemoved = (db: Db, upload: number): Promise<number> =>
  db.run(
    'update media_files set removed_at = now() where upload = $1 and media is null and removed_at is null',
    [upload],
  );

/** Gives the names of an upload free, under which nothing was ever stored. */
export const releaseFiles = (db: Db, upload: number): Promise<number> =>
  db.run('delete from media_files where upload = $1', [upload]);

/** Gives names free whose files went so long ago that nobody may keep an answer with one any more (serve-files.ts). */
export const forgetRemoved = (db: Db): Promise<number> =>
  db.run(
    `delete from media_files where path in (
       select path from media_files where removed_at < now() - interval '1 year' limit 10000)`,
  );

/** Uploads that never came to their end, or whose attachment went without a job for its files. */
export async function looseUploads(db: Db): Promise<number[]> {
  const rows = await db.rows<{ upload: number }>(
    `select distinct upload from media_files where media is null and removed_at is null
       and reserved_at < now() - interval '1 hour' limit 1000`,
  );
  return rows.map((row) => row.upload);
}
