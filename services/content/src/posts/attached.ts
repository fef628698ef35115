/** Galleries and players that name nothing show what is attached to their post: its text is made anew when that changes. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { RENDER_JOB, orderNaming, orderOnce } from './aftermath';
import { showsAttached } from './sources';

export const ATTACHED_JOB = 'find-attached';

/** What files came to, changed at, or went from. */
export interface Attached {
  readonly posts: readonly number[];
}

/** 0 is no post. A job looks at the texts when everybody sees the change, as one does at those that name a file (aftermath.ts). */
export async function orderAttached(tx: Db, postIds: readonly number[]): Promise<void> {
  for (const id of new Set(postIds))
    if (id > 0) await orderOnce(tx, ATTACHED_JOB, { posts: [id] } satisfies Attached);
}

/** A file is not what it was: texts that name it, and those of the posts that it is or was attached to. */
export async function orderShownIn(tx: Db, file: number, posts: readonly number[]): Promise<void> {
  await orderAttached(tx, posts);
  await orderNaming(tx, [file]);
}

export async function orderShowing(tx: Db, { posts }: Attached): Promise<void> {
  const rows = await tx.rows<{ id: number; contentRaw: string }>(
    `select id, content_raw as "contentRaw" from posts where id = any($1::bigint[]) and content_raw like '%[%'`,
    [posts],
  );
  for (const { id, contentRaw } of rows)
    if (await showsAttached(contentRaw)) await orderOnce(tx, RENDER_JOB, { id });
}
