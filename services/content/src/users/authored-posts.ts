/** What a deleted user wrote. NOTE: gives way to posts/actions.ts as soon as that is there. */
import type { Db } from '@sevenfold/chassis/db/sql';

export const reassignAuthor = (tx: Db, from: number, to: number): Promise<number> =>
  tx.run('update posts set author = $2 where author = $1', [from, to]);

export const trashByAuthor = (tx: Db, userId: number): Promise<number> =>
  tx.run(
    `update posts set status_before_trash = status, status = 'trash'
     where author = $1 and type in ('post', 'page') and status <> 'trash'`,
    [userId],
  );
