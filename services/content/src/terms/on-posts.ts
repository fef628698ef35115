/**
 * The lists of terms that posts carry (`posts.categories`, `posts.tags`), as far as changes of terms touch them. Posts
 * are locked before terms, the order in which writers of posts go, so that neither waits for the other for ever.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { type TermRow, COLUMNS, adjustOwnCounts, existingInNameOrder } from './store';
import type { Taxonomy } from './taxonomies';

type Column = NonNullable<Taxonomy['postsColumn']>;

/** From more posts than that a term is taken off piece by piece (departures.ts). */
const MOST_AT_ONCE = 100;

const carry = (column: Column): string => `type = 'post' and ${column} @> array[$1::bigint]`;

export async function isOnMany(tx: Db, column: Column, termId: number): Promise<boolean> {
  const some = await tx.rows(`select from posts where ${carry(column)} limit ${MOST_AT_ONCE + 1}`, [termId]);
  return some.length > MOST_AT_ONCE;
}

/** Keeps everybody else from changing the posts that carry the term until the transaction ends. */
export async function lockPosts(tx: Db, column: Column, termId: number): Promise<void> {
  await tx.run(`select id from posts where ${carry(column)} order by id for update`, [termId]);
}

/** After a new name: the lists that hold the term are in the order of names again. */
export async function reorderLists(tx: Db, column: Column, termId: number): Promise<void> {
  await tx.run(
    `update posts p set ${column} = sorted.ids
     from (
       select c.post, array_agg(t.id order by lower(t.name), t.id) as ids
       from (select id as post, unnest(${column}) as term from posts
             where type = 'post' and ${column} @> array[$1::bigint] and cardinality(${column}) > 1) c
       join terms t on t.id = c.term
       group by c.post) sorted
     where p.id = sorted.post and p.${column} <> sorted.ids`,
    [termId],
  );
}

/** After a deletion. Posts that would be left without a category get the fallback. `ids`: of these alone, which are locked. */
export async function takeOff(
  tx: Db,
  taxonomy: Taxonomy,
  termId: number,
  fallback: number | undefined,
  ids?: readonly number[],
): Promise<void> {
  const only = ids ? `id = any('{${ids.join()}}'::bigint[]) and` : '';
  const column = taxonomy.postsColumn as Column;
  const [heir] = fallback === undefined ? [] : await existingInNameOrder(tx, taxonomy.name, [fallback]);
  if (heir !== undefined) {
    const moved = await tx.rows<{ status: string }>(
      `update posts set ${column} = array[$2::bigint] where ${only} type = 'post' and ${column} = array[$1::bigint] returning status`,
      [termId, heir],
    );
    await adjustOwnCounts(tx, new Map([[heir, moved.filter(({ status }) => status === 'publish').length]]));
  }
  await tx.run(
    `update posts set ${column} = array_remove(${column}, $1::bigint) where ${only} ${carry(column)}`,
    [termId],
  );
}

/** The same of some that nobody else holds. Answers what is left after it. */
export async function takeOffPiece(
  tx: Db,
  taxonomy: Taxonomy,
  termId: number,
  fallback: number | undefined,
): Promise<'more' | 'held by others' | 'nothing'> {
  const some = `select id from posts where ${carry(taxonomy.postsColumn as Column)} limit`;
  const found = await tx.rows<{ id: number }>(`${some} ${MOST_AT_ONCE} for update skip locked`, [termId]);
  if (found.length === 0) return (await tx.first(`${some} 1`, [termId])) ? 'held by others' : 'nothing';
  await takeOff(
    tx,
    taxonomy,
    termId,
    fallback,
    found.map(({ id }) => id),
  );
  return 'more';
}

/** The terms of posts, for `_embed`: `key` names which taxonomy of which post. */
export interface PostTerms {
  readonly key: string;
  readonly column: Column;
  readonly post: number;
}

export const listOfPosts = (db: Db, wanted: readonly PostTerms[]): Promise<(TermRow & { key: string })[]> =>
  db.rows<TermRow & { key: string }>(
    `select k.key, ${COLUMNS}
     from unnest($1::text[], $2::text[], $3::bigint[]) as k (key, list, post)
     join posts p on p.id = k.post
     cross join lateral unnest(case k.list when 'tags' then p.tags else p.categories end) with ordinality as c (id, position)
     join terms t on t.id = c.id
     order by k.key, c.position`,
    [wanted.map(({ key }) => key), wanted.map(({ column }) => column), wanted.map(({ post }) => post)],
  );
