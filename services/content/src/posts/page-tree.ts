/**
 * Paths of pages and attachments follow their parents. Writes of pages take one lock, so that no two of them build a
 * loop together or lose a path to each other.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { type Linkable, addressedSql, pathBelow } from './links';
import * as store from './store';
import type { PostType } from './types';

export const lockPageTree = (tx: Db): Promise<number> =>
  tx.run(`select pg_advisory_xact_lock(hashtextextended('page-tree', 1))`);

/** The row of a write, of this type and nothing else; a page with the tree that it stands in. */
export async function lockPost(tx: Db, type: PostType, id: number): Promise<store.FullPostRow | undefined> {
  if (type.hierarchical) await lockPageTree(tx);
  const row = await store.lockById(tx, id);
  return row?.type === type.name ? row : undefined;
}

/** The parent of a page as it may be: 0 instead of itself or of something below it; undefined when it is not there, or a file. */
export async function usableParent(tx: Db, id: number, parent: number): Promise<number | undefined> {
  if (parent === 0) return 0;
  const row = await tx.first<{ loops: boolean }>(
    `with recursive above as (
       select p.id, p.parent from posts p where p.id = $1
       union
       select p.id, p.parent from posts p join above on p.id = above.parent)
     select exists (select 1 from above where id = $2) as loops from posts where id = $1 and type <> 'attachment'`,
    [parent, id],
  );
  return row && (row.loops ? 0 : parent);
}

export async function pagePath(tx: Db, parent: number, slug: string): Promise<string> {
  if (parent === 0) return slug;
  const row = await tx.first<{ path: string }>('select path from posts where id = $1', [parent]);
  return pathBelow(row?.path ?? '', slug);
}

/** What stands below those that are $1, at any depth; each row is met once, however parents go round. */
const BELOW = `with recursive below as (
    select id from posts where id = any($1::bigint[])
    union
    select c.id from posts c join below b on c.parent = b.id where c.parent <> 0 and c.type <> 'post')`;

const OTHERS = 'p.id not in (select unnest($1::bigint[]))';

/**
 * Sets the paths of everything below some posts after their own paths or statuses changed. Answers what got another path. Whatever
 * is being written there is waited for, and seen: a slug that changes, a file that comes. Files are locked last, as those who
 * write them lock what they attach them to.
 */
export async function refreshPathsBelow(tx: Db, ids: readonly number[]): Promise<Linkable[]> {
  await tx.run(
    `${BELOW} select from posts p where p.id in (select id from below) and ${OTHERS}
     order by p.type = 'attachment', p.id for update`,
    [ids],
  );
  return tx.rows<Linkable>(
    `with recursive tree as (
       select id, path, slug <> '' and ${addressedSql('p')} as has_link from posts p where id = any($1::bigint[])
       union all
       select c.id,
              case when c.type <> 'attachment' then concat_ws('/', nullif(t.path, ''), nullif(c.slug, ''))
                   when t.has_link and c.slug <> '' then t.path || '/' || c.slug
                   else '' end,
              c.slug <> '' and ${addressedSql('c')}
         from posts c join tree t on c.parent = t.id
        where c.parent <> 0 and c.type <> 'post')
       cycle id set looped using visited
     update posts p set path = tree.path from tree
      where p.id = tree.id and ${OTHERS} and not tree.looped and p.path <> tree.path
      returning p.id, p.type, p.status, p.slug, p.path`,
    [ids],
  );
}
