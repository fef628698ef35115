/**
 * Rows of posts, pages and attachments. Reads name their columns by what the answer shows: raw texts are as large as
 * the rendered ones, and a view never needs them.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { PostTypeName } from './types';

/** Clock times are `YYYY-MM-DD HH:MM:SS[.ffffff]`: `Local` as the site's clock showed them, `Gmt` in UTC. */
export interface PostRow {
  readonly id: number;
  readonly type: PostTypeName;
  readonly status: string;
  readonly slug: string;
  readonly author: number;
  readonly dateLocal: string;
  readonly dateGmt: string;
  readonly modifiedLocal: string;
  readonly modifiedGmt: string;
  readonly guid: string;
  readonly titleHtml: string;
  readonly contentHtml: string;
  readonly excerptHtml: string;
  readonly password: string;
  readonly parent: number;
  readonly menuOrder: number;
  readonly commentStatus: string;
  readonly pingStatus: string;
  readonly sticky: boolean;
  readonly format: string;
  readonly template: string;
  readonly featuredMedia: number;
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  readonly path: string;
  readonly statusBeforeTrash: string;
  readonly revisionCount: number;
  readonly lastRevision: number;
}

/** With what only an editor sees. */
export interface FullPostRow extends PostRow {
  readonly titleRaw: string;
  readonly contentRaw: string;
  readonly excerptRaw: string;
  readonly dateChosen: boolean;
}

const columnOf: Readonly<Record<keyof FullPostRow, string>> = {
  id: 'id',
  type: 'type',
  status: 'status',
  slug: 'slug',
  author: 'author',
  dateLocal: 'date_local',
  dateGmt: 'date_gmt',
  modifiedLocal: 'modified_local',
  modifiedGmt: 'modified_gmt',
  guid: 'guid',
  titleHtml: 'title_html',
  contentHtml: 'content_html',
  excerptHtml: 'excerpt_html',
  password: 'password',
  parent: 'parent',
  menuOrder: 'menu_order',
  commentStatus: 'comment_status',
  pingStatus: 'ping_status',
  sticky: 'sticky',
  format: 'format',
  template: 'template',
  featuredMedia: 'featured_media',
  categories: 'categories',
  tags: 'tags',
  path: 'path',
  statusBeforeTrash: 'status_before_trash',
  revisionCount: 'revision_count',
  lastRevision: 'last_revision',
  titleRaw: 'title_raw',
  contentRaw: 'content_raw',
  excerptRaw: 'excerpt_raw',
  dateChosen: 'date_chosen',
};

const editOnly: readonly string[] = ['titleRaw', 'contentRaw', 'excerptRaw', 'dateChosen'];
const aliased = (names: readonly string[]): string =>
  names.map((name) => `p.${columnOf[name as keyof FullPostRow]} as "${name}"`).join(', ');

/** For `select … from posts p`. */
export const VIEW_COLUMNS = aliased(Object.keys(columnOf).filter((name) => !editOnly.includes(name)));
export const FULL_COLUMNS = aliased(Object.keys(columnOf));

export const findById = (db: Db, id: number): Promise<PostRow | undefined> =>
  db.first<PostRow>(`select ${VIEW_COLUMNS} from posts p where p.id = $1`, [id]);

export const findFullById = (db: Db, id: number): Promise<FullPostRow | undefined> =>
  db.first<FullPostRow>(`select ${FULL_COLUMNS} from posts p where p.id = $1`, [id]);

/** The row of a write: nobody else changes it until the transaction ends. */
export const lockById = (tx: Db, id: number): Promise<FullPostRow | undefined> =>
  tx.first<FullPostRow>(`select ${FULL_COLUMNS} from posts p where p.id = $1 for update`, [id]);

/** With `version` among the columns. */
export const findVersions = (
  db: Db,
  columns: string,
  ids: readonly number[],
): Promise<(PostRow & { readonly version: string })[]> =>
  db.rows(`select ${columns} from posts p where p.id = any($1::bigint[])`, [ids]);

export const findMany = (db: Db, ids: readonly number[]): Promise<PostRow[]> =>
  db.rows<PostRow>(`select ${VIEW_COLUMNS} from posts p where p.id = any($1::bigint[])`, [ids]);

/** Ids come from one sequence for posts, pages, attachments and revisions: an id names one thing. */
export async function nextId(tx: Db): Promise<number> {
  const row = await tx.first<{ id: number }>(`select nextval('object_ids') as id`);
  return (row as { id: number }).id;
}

export type PostChanges = Partial<Omit<FullPostRow, 'id' | 'type' | 'revisionCount' | 'lastRevision'>>;

export async function insert(tx: Db, row: PostChanges & Pick<FullPostRow, 'id' | 'type'>): Promise<void> {
  const names = Object.keys(row) as (keyof FullPostRow)[];
  await tx.run(
    `insert into posts (${names.map((name) => columnOf[name]).join(', ')})
     values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    names.map((name) => (row as Record<string, unknown>)[name]),
  );
}

export async function update(tx: Db, id: number, changes: PostChanges): Promise<void> {
  const names = Object.keys(changes) as (keyof PostChanges)[];
  if (names.length === 0) return;
  await tx.run(
    `update posts set ${names.map((name, index) => `${columnOf[name]} = $${index + 2}`).join(', ')} where id = $1`,
    [id, ...names.map((name) => changes[name])],
    // As many texts as there are sets of changes: none is worth keeping prepared.
    { planFor: 'values' },
  );
}

export const remove = (tx: Db, id: number): Promise<number> =>
  tx.run('delete from posts where id = $1', [id]);

/** Pages and attachments directly below. */
export const childrenOf = (tx: Db, id: number): Promise<{ id: number; type: PostTypeName; slug: string }[]> =>
  tx.rows(
    `select id, type, slug from posts where parent = $1 and parent <> 0 and type <> 'post' order by id for update`,
    [id],
  );

export const userExists = async (tx: Db, id: number): Promise<boolean> =>
  (await tx.first('select 1 from users where id = $1', [id])) !== undefined;
