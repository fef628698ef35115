/**
 * Rows of posts, pages and attachments. Reads name their columns by what the answer shows: raw texts are as large as
 * the rendered ones, and a view never needs them.
 */
import {
  type ColumnTable,
  type RowOf,
  insertList,
  selectList,
  snake,
  updateList,
} from '@sevenfold/chassis/db/columns';
import type { Db } from '@sevenfold/chassis/db/sql';
import { copySql } from '../revisions/store';
import type { PostTypeName } from './types';

const id = { sql: 'bigint' } as const;
const ids = { sql: 'bigint[]' } as const;
const text = { sql: 'text' } as const;
const flag = { sql: 'boolean' } as const;
const clock = { sql: 'timestamp' } as const;
const moment = { sql: 'timestamptz' } as const;

/** Clock times are `YYYY-MM-DD HH:MM:SS[.ffffff]`: `Local` as the site's clock showed them, `Gmt` in UTC. */
const viewColumns = {
  id,
  type: text,
  status: text,
  slug: text,
  author: id,
  dateLocal: clock,
  dateGmt: moment,
  modifiedLocal: clock,
  modifiedGmt: moment,
  guid: text,
  titleHtml: text,
  contentHtml: text,
  excerptHtml: text,
  password: text,
  parent: id,
  menuOrder: { sql: 'integer' },
  commentStatus: text,
  pingStatus: text,
  sticky: flag,
  format: text,
  template: text,
  featuredMedia: id,
  categories: ids,
  tags: ids,
  path: text,
  statusBeforeTrash: text,
  revisionCount: { sql: 'integer' },
  lastRevision: id,
} as const satisfies ColumnTable;

/** What only an editor sees. */
const editColumns = {
  titleRaw: text,
  contentRaw: text,
  excerptRaw: text,
  dateChosen: flag,
} as const satisfies ColumnTable;

export type PostRow = Omit<RowOf<typeof viewColumns>, 'type'> & {
  readonly type: PostTypeName;
  /** Of a page that hangs on something: a post can be that, too. Otherwise null. */
  readonly parentType: PostTypeName | null;
};
export type FullPostRow = PostRow & RowOf<typeof editColumns>;

/** For `select … from posts p`. */
const PARENT_TYPE = `(select o.type from posts o where p.type = 'page' and p.parent <> 0 and o.id = p.parent) as "parentType"`;
export const VIEW_COLUMNS = `${selectList(viewColumns, 'p')}, ${PARENT_TYPE}`;
const { contentHtml: _content, excerptHtml: _excerpt, ...embeddedColumns } = viewColumns;

// No excerpt that is made of a text now is as long as that in bytes, nor was any before of a text that sets words apart.
const LONGEST_EXCERPT = 20_000;
const LETTERS_OF_LONGER = 600;
/**
 * One that was made of the text, before those were bounded, may be all of it until it is written anew. It has no tags but its
 * paragraph, and is not cut within a reference.
 */
const EMBEDDED_EXCERPT = `case when octet_length(p.excerpt_html) > ${LONGEST_EXCERPT} and p.excerpt_raw !~ '\\S' and p.type <> 'attachment'
  then regexp_replace(left(p.excerpt_html, ${LETTERS_OF_LONGER}), '&[#a-zA-Z0-9]*$', '') || E' [&hellip;]</p>\\n'
  else p.excerpt_html end as "excerptHtml"`;
/** Without the text, which nothing that it stands in shows: a hundred of them may be a megabyte each. */
export const EMBEDDED_COLUMNS = `${selectList(embeddedColumns, 'p')}, '' as "contentHtml", ${EMBEDDED_EXCERPT}, ${PARENT_TYPE}`;
/** The same with so many characters of its texts; SQL. */
export function cutColumns(most: Readonly<Record<'title' | 'content' | 'excerpt', number | string>>): string {
  const { titleHtml: _, contentHtml: __, excerptHtml: ___, ...others } = viewColumns;
  return `${selectList(others, 'p')}, ${PARENT_TYPE}, left(p.title_html, ${most.title}) as "titleHtml",
    left(p.content_html, ${most.content}) as "contentHtml", left(p.excerpt_html, ${most.excerpt}) as "excerptHtml"`;
}

export const FULL_COLUMNS = `${selectList({ ...viewColumns, ...editColumns }, 'p')}, ${PARENT_TYPE}`;

// A slug follows from the beginning of its title.
const TITLE = 'left(p.title_raw, 4000)';
/** Beside the id: what the slug that a title would give follows from. */
export const TITLED_COLUMNS = `p.type, p.parent, p.slug, ${TITLE} as "titleRaw"`;

const VIEW_TEXTS = ['titleHtml', 'contentHtml', 'excerptHtml'] as const;
const FULL_TEXTS = [...VIEW_TEXTS, 'titleRaw', 'contentRaw', 'excerptRaw'] as const;

/** SQL of the bytes of all texts that may be long. */
const sizeOf = (texts: readonly string[]): string =>
  texts.map((name) => `octet_length(p.${snake(name)})`).join(' + ');
export const VIEW_SIZE = sizeOf(VIEW_TEXTS);
export const FULL_SIZE = sizeOf(FULL_TEXTS);

/** As they are, with the texts of rows of so many bytes at most; of others, enough of the title to know their slug. */
export function columnsWithin(most: number, isFull: boolean): string {
  const texts: readonly string[] = isFull ? FULL_TEXTS : VIEW_TEXTS;
  const size = isFull ? FULL_SIZE : VIEW_SIZE;
  const table: ColumnTable = isFull ? { ...viewColumns, ...editColumns } : viewColumns;
  const others = Object.fromEntries(Object.entries(table).filter(([name]) => !texts.includes(name)));
  const bounded = texts.map(
    (name) =>
      `case when ${size} <= ${most} then p.${snake(name)} ${name === 'titleRaw' ? `else ${TITLE} ` : ''}end as "${name}"`,
  );
  return `${selectList(others, 'p')}, ${bounded.join(', ')}, ${PARENT_TYPE}`;
}

export const findById = (db: Db, id: number): Promise<PostRow | undefined> =>
  db.first<PostRow>(`select ${VIEW_COLUMNS} from posts p where p.id = $1`, [id]);

export const findFullById = (db: Db, id: number): Promise<FullPostRow | undefined> =>
  db.first<FullPostRow>(`select ${FULL_COLUMNS} from posts p where p.id = $1`, [id]);

/** The row of a write: nobody else changes it until the transaction ends. */
export const lockById = (tx: Db, id: number): Promise<FullPostRow | undefined> =>
  tx.first<FullPostRow>(`select ${FULL_COLUMNS} from posts p where p.id = $1 for update`, [id]);

/** With `version` among the columns. */
export const findVersions = <R extends PostRow>(
  db: Db,
  columns: string,
  ids: readonly number[],
): Promise<(R & { readonly version: string })[]> =>
  db.rows(`select ${columns} from posts p where p.id = any($1::bigint[])`, [ids]);

export const findEmbedded = (db: Db, ids: readonly number[]): Promise<PostRow[]> =>
  db.rows<PostRow>(`select ${EMBEDDED_COLUMNS} from posts p where p.id = any($1::bigint[])`, [ids]);

/** Ids come from one sequence for posts, pages, attachments and revisions: an id names one thing. */
export async function nextId(tx: Db): Promise<number> {
  const row = await tx.first<{ id: number }>(`select nextval('object_ids') as id`);
  return (row as { id: number }).id;
}

export type PostChanges = Partial<
  Omit<FullPostRow, 'id' | 'type' | 'parentType' | 'revisionCount' | 'lastRevision'>
>;

export async function insert(tx: Db, row: PostChanges & Pick<FullPostRow, 'id' | 'type'>): Promise<void> {
  const { text: columns, values } = insertList(row);
  await tx.run(`insert into posts ${columns}`, values);
}

export async function update(tx: Db, id: number, changes: PostChanges): Promise<void> {
  const { text: columns, values } = updateList(changes);
  // As many texts as there are sets of changes: none is worth keeping prepared.
  if (values.length > 0)
    await tx.run(`update posts set ${columns} where id = $1`, [id, ...values], { planFor: 'values' });
}

/** The same, with a revision by this user where the texts are others than those of the last one. */
export async function revise(tx: Db, id: number, changes: PostChanges, editor: number): Promise<void> {
  const { text: columns, values } = updateList(changes);
  const names = Object.keys(changes);
  const placeOf = (name: string): string | undefined =>
    names.includes(name) ? `$${names.indexOf(name) + 2}` : undefined;
  const { copy, set } = copySql(placeOf, `$${values.length + 2}`);
  await tx.run(
    `${copy} update posts set ${[...(columns === '' ? [] : [columns]), set].join(', ')} where id = $1`,
    [id, ...values, editor],
    { planFor: 'values' },
  );
}

export const remove = (tx: Db, id: number): Promise<number> =>
  tx.run('delete from posts where id = $1', [id]);

/** What stands directly below something. */
export type Child = Pick<PostRow, 'id' | 'type' | 'slug' | 'status'>;

export const hasChildren = async (tx: Db, id: number): Promise<boolean> =>
  (await tx.first('select from posts where parent = $1 and parent <> 0 limit 1', [id])) !== undefined;

/** Pages and attachments directly below. */
export const childrenOf = (tx: Db, id: number): Promise<Child[]> =>
  tx.rows(
    `select id, type, slug, status from posts where parent = $1 and parent <> 0 and type <> 'post' order by id for update`,
    [id],
  );

/** With these slugs and statuses below another parent, where their paths stay until they are refreshed; at the top they are the slugs. */
export async function moveBelow(tx: Db, parent: number, children: readonly Child[]): Promise<void> {
  if (children.length === 0) return;
  await tx.run(
    `update posts p set parent = $1::bigint, slug = c.slug, status = c.status, path = case when $1::bigint = 0 then c.slug else p.path end
       from unnest($2::bigint[], $3::text[], $4::text[]) as c (id, slug, status) where p.id = c.id`,
    [
      parent,
      children.map(({ id }) => id),
      children.map(({ slug }) => slug),
      children.map(({ status }) => status),
    ],
  );
}

/**
 * Whether the user is there, and stays until the transaction ends: a deletion waits, and finds what is written here. Asked
 * before trees of pages and posts are locked, as the deletion locks them afterwards.
 */
export const holdAuthor = async (tx: Db, id: number): Promise<boolean> =>
  (await tx.first('select from users where id = $1 for key share', [id])) !== undefined;
