/**
 * What a site that lives on says of its files, beside the marks of their records: by that it is known which were replaced there,
 * and for which the site is asked whether they were.
 */
import { createHash } from 'node:crypto';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Details, Size } from '../media/store';
import type { ExportedItem } from './exported';
import { listIn } from './php';

/** How the site tells one version of a file from the next. */
export interface Version {
  readonly etag: string;
  readonly lastModified: string;
  readonly md5: string;
}

export interface EarlierFile {
  readonly file: string;
  readonly sizes: readonly Pick<Size, 'file' | 'width' | 'height'>[];
}

export interface Replaced extends Version {
  readonly media: number;
  readonly url: string;
  readonly said: string;
  /** Where it was stored, and where the record has it now. */
  readonly file: string;
  readonly fileNow: string;
  readonly details: Details;
  readonly dateLocal: string;
  /** Of which address the version is. */
  readonly tagUrl: string;
  readonly earlier: readonly EarlierFile[];
}

/** Address, size and measures, as far as they are told, and the moment of the last change of the record. */
function saidOf({ attachmentUrl, measures, modifiedGmt = '' }: ExportedItem): string {
  const told = listIn(measures);
  const said = [attachmentUrl, ...['filesize', 'width', 'height'].map((name) => told?.get(name) ?? null)];
  return createHash('sha256')
    .update(JSON.stringify([...said, modifiedGmt]))
    .digest('base64url')
    .slice(0, 22);
}

/** Of a file that came before anything was noted the one that is here counts as the one that is there. */
export const noteSaid = (db: Db, media: number, item: ExportedItem): Promise<number> =>
  db.run(
    `insert into imported_files as i (media, url, said, brought, file)
     select post_id, $2, $3, case when file !~* '^https?://' then $3 end, file from media where post_id = $1
     on conflict (media) do update set url = excluded.url, said = excluded.said
       where (i.url, i.said) is distinct from (excluded.url, excluded.said)`,
    [media, item.attachmentUrl, saidOf(item)],
  );

/** What is here now is the version of which this was said. */
export const noteBrought = (
  tx: Db,
  media: number,
  { url, said, file, etag, lastModified, md5 }: Version & { url: string; said?: string; file: string },
): Promise<number> =>
  tx.run(
    `update imported_files set brought = coalesce($3, said), file = $4, tag_url = $2, etag = $5, last_modified = $6, md5 = $7
     where media = $1`,
    [media, url, said, file, etag, lastModified, md5],
  );

/** It is still the same, or somebody replaced it here. */
export const noteSame = (db: Db, { media, said }: Replaced): Promise<number> =>
  db.run('update imported_files set brought = $2 where media = $1', [media, said]);

export const noteEarlier = (tx: Db, media: number, one: EarlierFile): Promise<number> =>
  tx.run('update imported_files set earlier = earlier || $2::jsonb where media = $1', [
    media,
    JSON.stringify([one]),
  ]);

/** Files of which something else is said than of those that are here. */
export const listReplaced = (db: Db, site: string, after: number, most: number): Promise<Replaced[]> =>
  db.rows<Replaced>(
    `select f.media, f.url, f.said, f.file, m.file as "fileNow", m.details, p.date_local as "dateLocal", f.tag_url as "tagUrl",
       f.etag, f.last_modified as "lastModified", f.md5, f.earlier
     from imported_objects i join imported_files f on f.media = i.id join media m on m.post_id = f.media join posts p on p.id = f.media
     where i.site = $1 and i.kind = 'post' and f.brought <> f.said and f.media > $2 order by f.media limit $3`,
    [site, after, most],
  );

export async function findEarlier(db: Db, media: number): Promise<readonly EarlierFile[]> {
  const row = await db.first<{ earlier: EarlierFile[] }>(
    'select earlier from imported_files where media = $1',
    [media],
  );
  return row?.earlier ?? [];
}
