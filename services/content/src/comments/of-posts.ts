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

/** The posts are deleted for good, with all that was said about them. */
export async function removeForPost(tx: Db, postIds: readonly number[]): Promise<void> {
  const removed = await tx.rows<Changed>(
    `delete from comments where post = any($1::bigint[]) returning id, post, status, status as before`,
    [postIds],
  );
  await emitAll(tx, 'content.comment.deleted', removed);
}
