/**
 * Brings the files of the media library: from where they are, or from a folder that holds those of the old site. What was
 * brought is stored here, and its record says so; so whatever ends it, doing it again goes on with the rest.
 */
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemActor } from '@sevenfold/chassis/actor';
import type { Db } from '@sevenfold/chassis/db/sql';
import { type SpooledFile, spool, withSpool } from '@sevenfold/chassis/files/spool';
import { type StoredMedia, Superseded, addFile, checkFile, removeFilesOrLeave } from '../media/add';
import { fetchPublic } from '../media/fetch-public';
import * as register from '../media/file-register';
import { toFileName } from '../media/file-names';
import * as media from '../media/store';
import { alone } from './alone';
import type { ImportCall } from './call';
import { type Version, noteBrought } from './file-notes';
import { decoded } from './places';

/** Where files come from: their addresses (over the way that a site is read by, too), or a folder that is like the one they were in. */
export type FileSource =
  | { readonly kind: 'fetch' }
  | { readonly kind: 'folder'; readonly folder: string }
  | {
      readonly kind: 'ask';
      /** `unchanged`: it is still the version that is known. */
      readonly fetch: (
        url: string,
        folder: string,
        known?: Pick<Version, 'etag' | 'lastModified'>,
      ) => Promise<FetchedFile | 'unchanged'>;
    };

export type FetchedFile = SpooledFile & Version;

interface Remote {
  readonly id: number;
  readonly file: string;
  readonly dateLocal: string;
}

const PAGE = 200;
const AT_A_TIME = 4;
const FETCH_MS = 120_000;

/** An export is the work of those who ran the site: they might upload here what they uploaded there. */
export const owner = systemActor(['upload_files', 'unfiltered_html']);

export async function bringFiles(
  call: ImportCall,
  from: FileSource,
  progress: (done: number, total: number) => void,
): Promise<void> {
  const total = await countRemote(call);
  let done = 0;
  for (let after = 0; ;) {
    const rows = await nextRemote(call, after);
    for (let at = 0; at < rows.length; at += AT_A_TIME) {
      await Promise.all(rows.slice(at, at + AT_A_TIME).map((row) => bring(call, from, row)));
      done = Math.min(done + AT_A_TIME, total);
      progress(done, total);
    }
    if (rows.length < PAGE) return;
    after = (rows.at(-1) as Remote).id;
  }
}

const FROM = `from imported_objects i join media m on m.post_id = i.id join posts p on p.id = i.id
  where i.site = $1 and i.kind = 'post' and m.file ~* '^https?://'`;

const countRemote = async ({ deps, site }: ImportCall): Promise<number> =>
  (await deps.db.first<{ n: number }>(`select count(*) as n ${FROM}`, [site]))?.n ?? 0;

const nextRemote = ({ deps, site }: ImportCall, after: number): Promise<Remote[]> =>
  deps.db.rows<Remote>(
    `select i.id, m.file, p.date_local as "dateLocal" ${FROM} and i.id > $2 order by i.id limit ${PAGE}`,
    [site, after],
  );

async function bring(call: ImportCall, from: FileSource, row: Remote): Promise<void> {
  // Two records of one file have its address, and one of them a mark behind it.
  const url = row.file.replace(/#\d+$/, '');
  const isHere = await alone(call.report, { kind: 'file', title: url, line: 0 }, () =>
    withSpool(async (folder) => {
      // What an earlier run had begun: the record says that it did not end.
      for (const upload of await register.abandonUnshown(call.deps.db, row.id))
        await removeFilesOrLeave(call.deps, upload);
      const spooled = await spoolFrom(call, from, url, folder);
      if (!spooled)
        return call.report.skip({ kind: 'file', title: url, line: 0, reason: 'it is not in the folder' });
      const incoming = await checkFile(owner, spooled, toFileName(nameIn(url)));
      await addFile(call.deps, incoming, folder, (tx, stored) => replaceFile(tx, row, url, stored, spooled), {
        local: row.dateLocal,
        media: row.id,
      });
      return true;
    }),
  );
  if (isHere) call.report.countDone('files brought');
}

export const nameIn = (url: string): string => decoded(new URL(url).pathname.split('/').at(-1) ?? '');

async function spoolFrom(
  { deps: { config }, signal }: ImportCall,
  from: FileSource,
  url: string,
  folder: string,
): Promise<(SpooledFile & Partial<Version>) | undefined> {
  const limitBytes = config.UPLOAD_LIMIT_BYTES;
  if (from.kind === 'ask') {
    const fetched = await from.fetch(url, folder);
    return fetched === 'unchanged' ? undefined : fetched;
  }
  if (from.kind === 'fetch')
    return fetchPublic(url, folder, {
      allowPrivate: config.OUTBOUND_ALLOW_PRIVATE,
      limitBytes,
      timeoutMs: FETCH_MS,
      accept: '*/*',
      signal,
    }).catch((error: unknown) => {
      // The source is not at fault where the import is to end.
      signal?.throwIfAborted();
      throw error;
    });
  const file = await findIn(from.folder, url);
  return file === undefined ? undefined : spool(createReadStream(file), folder, limitBytes);
}

/**
 * The folder may be the one of all uploads (`2015/03/picture.jpg`), one above it, or one that holds nothing but files.
 * Whatever the export says, and wherever a link leads, nothing outside of it is read.
 */
async function findIn(folder: string, url: string): Promise<string | undefined> {
  const root = await realpath(folder);
  const parts = new URL(url).pathname.split('/').map(decoded).filter(Boolean);
  const below = parts.lastIndexOf('uploads') + 1;
  const places = [parts.slice(below), parts, parts.slice(-3), parts.slice(-1)];
  for (const place of places) {
    const file = await realpath(path.join(root, ...place)).catch(() => undefined);
    if (!file?.startsWith(root + path.sep)) continue;
    if ((await stat(file)).isFile()) return file;
  }
  return undefined;
}

/** Its address stays known: links in texts are resolved by it. */
async function replaceFile(
  tx: Db,
  { id, file }: Remote,
  url: string,
  stored: StoredMedia,
  { etag = '', lastModified = '', md5 }: SpooledFile & Partial<Version>,
): Promise<void> {
  const changed = await tx.run(
    `update media m set file = $3, mime_type = $4, filesize = $5, details = $6,
       source_url = case when exists (select from media o where o.post_id <> m.post_id and md5(o.source_url) = md5($7) and o.source_url = $7)
                         then '' else $7 end
     where post_id = $1 and file = $2`,
    [id, file, stored.file, stored.mimeType, stored.filesize, JSON.stringify(stored.details), url],
  );
  if (changed === 0) throw new Superseded();
  await noteBrought(tx, id, { url, file: stored.file, etag, lastModified, md5 });
  await media.announce(tx, id, 'inherit');
}
