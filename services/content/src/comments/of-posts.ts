/** What happens to comments when their post is trashed, comes back, or is deleted for good. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { emitAll } from '@sevenfold/chassis/db/outbox';

interface Changed {
  readonly id: number;
  readonly post: number;
  readonly status: string;
  readonly before: string;
}

/** The post goes to the trash, and everything that was said about it, whatever it was taken for, leaves with it. */
export async function trashForPost(tx: Db, postId: number): Promise<void> {
  const changed = await tx.rows<Changed>(
    `update comments set status = 'post-trashed', status_before = trim(status || ' ' || status_before)
     where post = $1 and status <> 'post-trashed'
     returning id, post, status, split_part(status_before, ' ', 1) as before`,
    [postId],
  );
  await emitAll(tx, 'content.comment.changed', changed);
}

/** The post comes back, and what was said about it is what it was. */
export async function untrashForPost(tx: Db, postId: number): Promise<void> {
  const changed = await tx.rows<Changed>(
    `update comments
        set status = coalesce(nullif(split_part(status_before, ' ', 1), ''), 'hold'),
            status_before = trim(substr(status_before, length(split_part(status_before, ' ', 1)) + 1))
     where post = $1 and status = 'post-trashed'
     returning id, post, status, 'post-trashed' as before`,
    [postId],
  );
  await emitAll(tx, 'content.comment.changed', changed);
}

/**
 * The posts are deleted for good, with all that was said about them. Answers to it that stand below other posts by now stay: as with
 * a comment that is deleted alone, they move up to the nearest one that is left.
 */
export async function removeForPost(tx: Db, postIds: readonly number[]): Promise<void> {
  await moveAnswersUp(tx, postIds);
  // Where it waited for somebody who deleted such an answer at the same time, what answered that has come here by now.
  await moveAnswersUp(tx, postIds);
  const removed = await tx.rows<Changed>(
    `delete from comments where post = any($1::bigint[]) returning id, post, status, status as before`,
    [postIds],
  );
  await emitAll(tx, 'content.comment.deleted', removed);
}

const moveAnswersUp = (tx: Db, postIds: readonly number[]): Promise<number> =>
  tx.run(
    `with recursive up (id, parent) as (
       select a.id, c.parent from comments c join comments a on a.parent = c.id
        where c.post = any($1::bigint[]) and a.post <> all($1::bigint[])
       union
       select up.id, c.parent from up join comments c on c.id = up.parent where c.post = any($1::bigint[]))
     update comments set parent = up.parent from up
      where comments.id = up.id and not exists (
        select from comments c where c.id = up.parent and c.post = any($1::bigint[]))`,
    [postIds],
  );
