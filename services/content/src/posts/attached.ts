/** Galleries and players that name nothing show what is attached to their post: its text is made anew when that changes. */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { QUEUE, RENDER_JOB } from './aftermath';
import { showsAttached } from './sources';

/** `postIds`: what files came to, changed at, or went from; 0 is nothing. */
export async function orderAttached(tx: Db, postIds: readonly number[]): Promise<void> {
  const ids = [...new Set(postIds)].filter((id) => id > 0);
  if (ids.length === 0) return;
  const rows = await tx.rows<{ id: number; contentRaw: string }>(
    `select id, content_raw as "contentRaw" from posts where id = any($1::bigint[]) and content_raw like '%[%'`,
    [ids],
  );
  for (const { id, contentRaw } of rows)
    if (await showsAttached(contentRaw)) await enqueue(tx, QUEUE, RENDER_JOB, { id });
}
