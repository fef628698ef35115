/**
 * Fetches files again that were replaced on a site that lives on. The new one is stored beside the one before, which texts may
 * show until their links are rewritten, and which goes with its record. Whoever replaced it here keeps theirs.
 */
import path from 'node:path';
import type { Db } from '@sevenfold/chassis/db/sql';
import { withSpool } from '@sevenfold/chassis/files/spool';
import { type StoredMedia, Superseded, addFile, checkFile, removeFilesOrLeave } from '../media/add';
import * as register from '../media/file-register';
import { toFileName } from '../media/file-names';
import * as media from '../media/store';
import { orderShownIn } from '../posts/attached';
import { alone } from './alone';
import type { ImportCall } from './call';
import {
  type EarlierFile,
  type Replaced,
  listReplaced,
  noteBrought,
  noteEarlier,
  noteSame,
} from './file-notes';
import { type FileSource, nameIn, owner } from './files';
import { CHANGED_HERE } from './marks';

const PAGE = 200;

export async function bringReplaced(
  call: ImportCall,
  from: Extract<FileSource, { kind: 'ask' }>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let after = 0; ;) {
    const rows = await listReplaced(call.deps.db, call.site, after, PAGE);
    for (const row of rows) {
      signal?.throwIfAborted();
      await alone(call.report, { kind: 'file', title: row.url, line: 0 }, () => bring(call, from, row));
    }
    if (rows.length < PAGE) return;
    after = (rows.at(-1) as Replaced).media;
  }
}

async function bring(
  call: ImportCall,
  from: Extract<FileSource, { kind: 'ask' }>,
  row: Replaced,
): Promise<void> {
  const { deps, report } = call;
  if (row.file !== row.fileNow) {
    report.skip({ kind: 'file', title: row.url, line: 0, reason: CHANGED_HERE });
    return void (await noteSame(deps.db, row));
  }
  await withSpool(async (folder) => {
    const fetched = await from.fetch(row.url, folder, row.tagUrl === row.url ? row : undefined);
    if (fetched === 'unchanged' || fetched.md5 === row.md5) return void (await noteSame(deps.db, row));
    await removeUnfinished(call, row);
    const incoming = await checkFile(owner, fetched, toFileName(nameIn(row.url)));
    await addFile(deps, incoming, folder, (tx, stored) => replace(tx, row, stored, fetched), {
      local: row.dateLocal,
      media: row.media,
    });
    report.countDone('files brought again');
  });
}

/** What an earlier run had begun: files of the record that are of none of its versions. */
async function removeUnfinished({ deps }: ImportCall, { media: id, file, earlier }: Replaced): Promise<void> {
  const known = [file, ...earlier.map((one) => one.file)];
  for (const upload of await register.abandonUnshown(deps.db, id, known))
    await removeFilesOrLeave(deps, upload);
}

async function replace(
  tx: Db,
  row: Replaced,
  stored: StoredMedia,
  { etag, lastModified, md5 }: Pick<Replaced, 'etag' | 'lastModified' | 'md5'>,
): Promise<void> {
  const { media: id, file, details, url, said } = row;
  const changed = await tx.run(
    `update media set file = $3, mime_type = $4, filesize = $5, details = $6 where post_id = $1 and file = $2`,
    [id, file, stored.file, stored.mimeType, stored.filesize, JSON.stringify(stored.details)],
  );
  if (changed === 0) throw new Superseded();
  await noteEarlier(tx, id, earlierOf(file, details));
  await noteBrought(tx, id, { url, said, file: stored.file, etag, lastModified, md5 });
  const shown = await tx.first<{ parent: number }>('select parent from posts where id = $1', [id]);
  await orderShownIn(tx, id, [shown?.parent ?? 0]);
  await media.announce(tx, id, 'inherit');
}

/** Copies lie in the folder of their file. */
const earlierOf = (file: string, details: media.Details): EarlierFile => ({
  file,
  sizes: Object.values(details.sizes ?? {}).map((size) => ({
    file: path.posix.join(path.posix.dirname(file), size.file),
    width: size.width,
    height: size.height,
  })),
});
