/** What becomes of a user's posts when the user goes. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { emitAll } from '@sevenfold/chassis/db/outbox';
import { changed } from './aftermath';
import type { Linkable } from './links';
import { lockPageTree } from './page-tree';
import { trash } from './remove';
import * as store from './store';

/** Gives posts, pages, attachments and revisions to another user. */
export async function reassignAuthor(tx: Db, from: number, to: number): Promise<void> {
  const rows = await tx.rows<Linkable>(
    `update posts p set author = $2
      where p.id in (select id from posts where author = $1 order by id for update)
      returning p.id, p.type, p.status, p.slug, p.path`,
    [from, to],
  );
  await tx.run('update revisions set author = $2 where author = $1', [from, to]);
  await emitAll(
    tx,
    'content.post.changed',
    rows.map((row) => changed(row, row.status)),
  );
}

/** Puts the user's posts and pages into the trash, where an editor still finds them. Attachments stay. */
export async function trashByAuthor(tx: Db, userId: number, editor: number, timezone: string): Promise<void> {
  await lockPageTree(tx);
  const rows = await tx.rows<{ id: number }>(
    `select id from posts where author = $1 and type in ('post', 'page') and status <> 'trash' order by id`,
    [userId],
  );
  for (const { id } of rows) {
    const row = await store.lockById(tx, id);
    if (row && row.author === userId && row.status !== 'trash') await trash(tx, row, editor, timezone);
  }
}
