/**
 * The lists of terms that posts carry (`posts.categories`, `posts.tags`), as far as changes of terms touch them. Posts
 * are locked before terms, the order in which writers of posts go, so that neither waits for the other for ever.
 */
import { emitAll } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { MOST_AT_ONCE, type Work, doAll, isMuch } from '@sevenfold/chassis/queue/pieces';
import { changed } from '../posts/aftermath';
import type { Linkable } from '../posts/links';
import { type TermRow, EMBEDDED_COLUMNS, adjustOwnCounts, existingInNameOrder } from './store';
import type { Taxonomy, TaxonomyName } from './taxonomies';

type Column = NonNullable<Taxonomy['postsColumn']>;

/** Keeps everybody else from changing the posts that carry the term until the transaction ends. */
export async function lockPosts(tx: Db, column: Column, termId: number): Promise<void> {
  await tx.run(
    `select id from posts where type = 'post' and ${column} @> array[$1::bigint] order by id for update`,
    [termId],
  );
}

const carriers = async (
  tx: Db,
  column: Column,
  termId: number,
  end: string,
  after = 0,
): Promise<number[]> => {
  const rows = await tx.rows<{ id: number }>(
    `select id from posts where type = 'post' and ${column} @> array[$1::bigint] and id > $2 ${end}`,
    [termId, after],
  );
  return rows.map(({ id }) => id);
};

/** Something that is done to the posts that carry the term. */
const onCarriers = (
  tx: Db,
  column: Column,
  termId: number,
  change: (ids: readonly number[]) => Promise<void>,
): Work<Column> => ({
  parts: [column],
  find: (_, end) => carriers(tx, column, termId, end),
  change: (_, ids) => change(ids),
});

/** Whether more posts carry the term than change with it at once. */
export const areMany = (tx: Db, column: Column, termId: number): Promise<boolean> =>
  isMuch({ parts: [column], find: (_, end) => carriers(tx, column, termId, end) });

/** After a new name: the lists that hold the term are in the order of names again. */
export const reorderAll = (tx: Db, column: Column, termId: number): Promise<void> =>
  doAll(onCarriers(tx, column, termId, (ids) => reorder(tx, column, ids)));

/** The same for a piece, behind that post. Answers the last of the piece, undefined where there was none. */
export async function reorderPiece(
  tx: Db,
  column: Column,
  termId: number,
  after: number,
): Promise<number | undefined> {
  const ids = await carriers(tx, column, termId, `order by id limit ${MOST_AT_ONCE} for update`, after);
  await reorder(tx, column, ids);
  return ids.at(-1);
}

async function reorder(tx: Db, column: Column, posts: readonly number[]): Promise<void> {
  const changedPosts = await tx.rows<Linkable>(
    `update posts p set ${column} = sorted.ids
     from (
       select c.post, array_agg(t.id order by lower(t.name), t.id) as ids
       from (select id as post, unnest(${column}) as term from posts
             where id = any($1::bigint[]) and cardinality(${column}) > 1) c
       join terms t on t.id = c.term
       group by c.post) sorted
     where p.id = sorted.post and p.${column} <> sorted.ids
     returning p.id, p.type, p.status, p.slug, p.path`,
    [posts],
  );
  await tell(tx, changedPosts);
}

const tell = (tx: Db, posts: readonly Linkable[]): Promise<void> =>
  emitAll(
    tx,
    'content.post.changed',
    posts.map((post) => changed(post, post.status)),
  );

/** A term that is gone. Posts that would be left without a category get the fallback. */
export interface Gone {
  readonly id: number;
  readonly taxonomy: TaxonomyName;
  readonly column: Column;
  readonly fallback: number | undefined;
}

/** Off the posts that carry it. */
export const takingOff = (tx: Db, gone: Gone): Work<Column> =>
  onCarriers(tx, gone.column, gone.id, (ids) => takeOff(tx, gone, ids));

async function takeOff(
  tx: Db,
  { id, taxonomy, column, fallback }: Gone,
  posts: readonly number[],
): Promise<void> {
  const [heir] = fallback === undefined ? [] : await existingInNameOrder(tx, taxonomy, [fallback]);
  const write = (set: string, where: string, values: readonly unknown[]): Promise<Linkable[]> =>
    tx.rows<Linkable>(
      `update posts p set ${column} = ${set} where p.id = any($1::bigint[]) and p.${column} ${where}
        returning p.id, p.type, p.status, p.slug, p.path`,
      [posts, id, ...values],
    );
  const moved = heir === undefined ? [] : await write('array[$3::bigint]', '= array[$2::bigint]', [heir]);
  if (heir !== undefined)
    await adjustOwnCounts(tx, new Map([[heir, moved.filter(({ status }) => status === 'publish').length]]));
  const bare = await write(`array_remove(p.${column}, $2::bigint)`, '@> array[$2::bigint]', []);
  await tell(tx, [...moved, ...bare]);
}

/** The terms of posts, for `_embed`: `key` names which taxonomy of which post. */
export interface PostTerms {
  readonly key: string;
  readonly column: Column;
  readonly post: number;
}

export const listOfPosts = (db: Db, wanted: readonly PostTerms[]): Promise<(TermRow & { key: string })[]> =>
  db.rows<TermRow & { key: string }>(
    `select k.key, ${EMBEDDED_COLUMNS}
     from unnest($1::text[], $2::text[], $3::bigint[]) as k (key, list, post)
     join posts p on p.id = k.post
     cross join lateral unnest(case k.list when 'tags' then p.tags else p.categories end) with ordinality as c (id, position)
     join terms t on t.id = c.id
     order by k.key, c.position`,
    [wanted.map(({ key }) => key), wanted.map(({ column }) => column), wanted.map(({ post }) => post)],
  );
