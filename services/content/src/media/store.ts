/**
 * SQL of attachments: rows of `posts` with their rows of `media`. What posts and attachments have in common (dates, slugs, texts)
 * is written through posts/store.ts; which files are stored is file-register.ts.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Version } from '@sevenfold/chassis/http/route';
import { type Linkable, postLink } from '../posts/links';
import type { PostSubject } from '../posts/policy';
import * as posts from '../posts/store';
import { FULL_COLUMNS, type FullPostRow } from '../posts/store';
import type { PostTypeName } from '../posts/types';
import type { ImageMeta } from './image-meta';

export interface Size {
  /** File name without folder. */
  readonly file: string;
  readonly width: number;
  readonly height: number;
  /** Absent where it is not known: copies that stayed on another site. */
  readonly filesize?: number;
  readonly mime_type: string;
}

/** Of pictures; other files have none of it. */
export interface Details {
  readonly width?: number;
  readonly height?: number;
  readonly sizes?: Readonly<Record<string, Size>>;
  readonly image_meta?: ImageMeta;
  readonly original_image?: string;
}

export interface Parent extends PostSubject {
  readonly id: number;
  readonly slug: string;
  readonly path: string;
}

export interface MediaRow extends Omit<FullPostRow, 'parentType'> {
  readonly file: string;
  readonly mimeType: string;
  /** 0: not known, since the file stayed on another site. */
  readonly filesize: number;
  readonly altText: string;
  readonly details: Details;
  readonly sourceUrl: string;
  /** What it is attached to; undefined when that is nothing, or gone. */
  readonly parentPost?: Parent;
}

/** Of a title and an alternative text, in characters: a thousand files are told of in one message. */
export const LONGEST_TOLD = 1_000;

export type ToldRow = Pick<
  MediaRow,
  | 'id'
  | 'type'
  | 'status'
  | 'author'
  | 'password'
  | 'parent'
  | 'statusBeforeTrash'
  | 'titleRaw'
  | 'altText'
  | 'file'
  | 'mimeType'
  | 'filesize'
  | 'details'
  | 'sourceUrl'
  | 'parentPost'
>;

/** What it is attached to, as columns of its own. */
export interface FlatParent {
  readonly parentType: PostTypeName | null;
  readonly parentStatus: string;
  readonly parentAuthor: number;
  readonly parentPassword: string;
  readonly parentStatusBeforeTrash: string;
  readonly parentSlug: string;
  readonly parentPath: string;
}
export type FlatRow = Omit<MediaRow, 'parentPost'> & FlatParent;

export const FILE_COLUMNS = `m.file, m.mime_type as "mimeType", m.details, pp.type as "parentType", pp.status as "parentStatus",
  pp.author as "parentAuthor", pp.password as "parentPassword", pp.status_before_trash as "parentStatusBeforeTrash",
  pp.slug as "parentSlug", pp.path as "parentPath"`;
const MORE_COLUMNS = `m.filesize, m.source_url as "sourceUrl", ${FILE_COLUMNS}`;
export const COLUMNS = `${FULL_COLUMNS}, m.alt_text as "altText", ${MORE_COLUMNS}`;
const EMBEDDED_COLUMNS = `${posts.EMBEDDED_COLUMNS}, '' as "titleRaw", '' as "contentRaw", '' as "excerptRaw",
  p.date_chosen as "dateChosen", m.alt_text as "altText", ${MORE_COLUMNS}`;
/** SQL of the bytes of what may be long. */
export const SIZE = `${posts.FULL_SIZE} + octet_length(m.alt_text)`;

/** As they are, without the texts of rows of more bytes. */
export const columnsWithin = (most: number): string =>
  `${posts.columnsWithin(most, true)}, case when ${SIZE} <= ${most} then m.alt_text end as "altText", ${MORE_COLUMNS}`;

/** Beside the attachment `p`: `m` its media row, `pp` what it is attached to. */
export const JOINS =
  'join media m on m.post_id = p.id left join posts pp on pp.id = p.parent and p.parent <> 0';
const SELECT = `select ${COLUMNS} from posts p ${JOINS}`;

type WithParent<F extends FlatParent> = Omit<F, keyof FlatParent> & { readonly parentPost?: Parent };

export function withParent<F extends FlatParent & { readonly parent: number }>(flat: F): WithParent<F> {
  const {
    parentType,
    parentStatus,
    parentAuthor,
    parentPassword,
    parentStatusBeforeTrash,
    parentSlug,
    parentPath,
    ...row
  } = flat;
  if (parentType === null) return row;
  return {
    ...row,
    parentPost: {
      id: flat.parent,
      type: parentType,
      status: parentStatus,
      author: parentAuthor,
      password: parentPassword,
      statusBeforeTrash: parentStatusBeforeTrash,
      slug: parentSlug,
      path: parentPath,
    },
  };
}

export const toRow = (flat: FlatRow): MediaRow => withParent(flat);

export async function findById(db: Db, id: number): Promise<MediaRow | undefined> {
  const flat = await db.first<FlatRow>(`${SELECT} where p.id = $1 and p.type = 'attachment'`, [id]);
  return flat && toRow(flat);
}

/** What is there stays until the transaction ends: a deletion waits, and takes it from what shows it by then. */
export const hold = (tx: Db, id: number): Promise<number> =>
  tx.run(`select from posts where id = $1 and type = 'attachment' for key share`, [id]);

/**
 * The row of a write: nobody else changes it until the transaction ends. Read after it was waited for: what it is attached to
 * may be what held it, and is another by then.
 */
export async function lockById(tx: Db, id: number): Promise<MediaRow | undefined> {
  await tx.run(`select from posts where id = $1 and type = 'attachment' for update`, [id]);
  return findById(tx, id);
}

/** Without their descriptions, which nothing that they stand in shows. */
export async function findEmbedded(db: Db, ids: readonly number[]): Promise<MediaRow[]> {
  return (
    await db.rows<FlatRow>(
      `select ${EMBEDDED_COLUMNS} from posts p ${JOINS} where p.id = any($1::bigint[]) and p.type = 'attachment'`,
      [ids],
    )
  ).map(toRow);
}

/** What others are told of a file, or show of it beside something else: nothing of its description. */
const TOLD_COLUMNS = `p.id, p.type, p.status, p.author, p.password, p.parent, p.status_before_trash as "statusBeforeTrash",
  left(p.title_raw, ${LONGEST_TOLD}) as "titleRaw", left(m.alt_text, ${LONGEST_TOLD}) as "altText", ${MORE_COLUMNS}`;
type FlatTold = Omit<ToldRow, 'parentPost'> & FlatParent;

async function tell(db: Db, where: string, values: readonly unknown[]): Promise<ToldRow[]> {
  const rows = await db.rows<FlatTold>(
    `select ${TOLD_COLUMNS} from posts p ${JOINS} where p.type = 'attachment' and ${where}`,
    values,
  );
  return rows.map(withParent);
}

export const findTold = (db: Db, ids: readonly number[]): Promise<ToldRow[]> =>
  tell(db, 'p.id = any($1::bigint[])', [ids]);

/** By the path of its file or of one of the copies. */
export const findToldByPath = async (db: Db, path: string): Promise<ToldRow | undefined> =>
  (await tell(db, 'p.id = (select media from media_files where path = $1)', [path]))[0];

/** With `version` among the columns. */
export async function findVersions(
  db: Db,
  columns: string,
  ids: readonly number[],
): Promise<(MediaRow & Version)[]> {
  const rows = await db.rows<FlatRow & Version>(
    `select ${columns} from posts p ${JOINS} where p.id = any($1::bigint[]) and p.type = 'attachment'`,
    [ids],
  );
  return rows.map(withParent);
}

export async function findBySourceUrl(db: Db, url: string): Promise<MediaRow | undefined> {
  const flat = await db.first<FlatRow>(`${SELECT} where md5(m.source_url) = md5($1) and m.source_url = $1`, [
    url,
  ]);
  return flat && toRow(flat);
}

/** Whether this import has made it. */
export const isOfImport = async (db: Db, id: number, importId: string): Promise<boolean> =>
  importId !== '' &&
  (await db.first('select from media where post_id = $1 and import_id = $2', [id, importId])) !== undefined;

/** Whoever asks for the address from now on does not find this one. */
export const giveUpSourceUrl = (tx: Db, id: number, url: string): Promise<number> =>
  tx.run(`update media set source_url = '' where post_id = $1 and source_url = $2`, [id, url]);

export interface NewMedia {
  readonly postId: number;
  readonly file: string;
  readonly mimeType: string;
  readonly filesize: number;
  readonly altText: string;
  readonly details: Details;
  readonly sourceUrl: string;
  /** Of events, that fetched it. */
  readonly importId?: string;
}

export async function insert(tx: Db, row: NewMedia): Promise<void> {
  await tx.run(
    `insert into media (post_id, file, mime_type, filesize, alt_text, details, source_url, import_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      row.postId,
      row.file,
      row.mimeType,
      row.filesize,
      row.altText,
      JSON.stringify(row.details),
      row.sourceUrl,
      row.importId ?? '',
    ],
  );
}

export async function setAltText(tx: Db, id: number, altText: string): Promise<void> {
  await tx.run('update media set alt_text = $2 where post_id = $1', [id, altText]);
}

/** Posts that showed the picture show none. */
export const clearFeatured = (tx: Db, id: number): Promise<number> =>
  tx.run('update posts set featured_media = 0 where featured_media = $1', [id]);

/** Tells other services, in the transaction of the write; `before` is its status until then, empty for a new one. */
export async function announce(tx: Db, id: number, before: string): Promise<void> {
  const row = await tx.first<Linkable>('select id, type, status, slug, path from posts where id = $1', [id]);
  await emit(tx, 'content.media.changed', {
    id,
    status: row?.status ?? '',
    before_status: before,
    ...(row && { link: postLink('', row) }),
  });
}
