/**
 * The lists of terms that posts carry (`posts.categories`, `posts.tags`), as far as changes of terms touch them. Posts
 * are locked before terms, the order in which writers of posts go, so that neither waits for the other for ever.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { type TermRow, COLUMNS, adjustOwnCounts, existingInNameOrder } from './store';
import type { Taxonomy } from './taxonomies';

type Column = NonNullable<Taxonomy['postsColumn']>;

/** Keeps everybody else from changing the posts that carry the term until the transaction ends. */
export async function lockPosts(tx: Db, column: Column, termId: number): Promise<void> {
  await tx.run(
    `select id from posts where type = 'post' and ${column} @> array[$1::bigint] order by id for update`,
    [termId],
  );
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

/** After a deletion. Posts that would be left without a category get the fallback. */
export async function takeOff(
  tx: Db,
  taxonomy: Taxonomy,
  termId: number,
  fallback: number | undefined,
): Promise<void> {
  const column = taxonomy.postsColumn as Column;
  const [heir] = fallback === undefined ? [] : await existingInNameOrder(tx, taxonomy.name, [fallback]);
  if (heir !== undefined) {
    const moved = await tx.rows<{ status: string }>(
      `update posts set ${column} = array[$2::bigint] where type = 'post' and ${column} = array[$1::bigint] returning status`,
      [termId, heir],
    );
    await adjustOwnCounts(tx, new Map([[heir, moved.filter(({ status }) => status === 'publish').length]]));
  }
  await tx.run(
    `update posts set ${column} = array_remove(${column}, $1::bigint) where type = 'post' and ${column} @> array[$1::bigint]`,
    [termId],
  );
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
