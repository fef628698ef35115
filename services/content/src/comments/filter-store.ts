/** The SQL of comments and the spam filter: what waits for it, what it was told, and the spam folder. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Judged } from './filter';
import { type CommentStatus, type CommentSubject, findById } from './store';

/** The id of a comment that is to be stored: the filter knows it by this before it is there. */
export async function takeId(db: Db): Promise<number> {
  const row = await db.first<{ id: number }>(
    `select nextval(pg_get_serial_sequence('comments', 'id')) as id`,
  );
  return (row as { id: number }).id;
}

export interface Unchecked extends CommentSubject, Judged {
  /** Its status without the filter. */
  readonly wanted: CommentStatus;
}

/** Undefined when it does not wait for the filter, or no more. */
export async function findUnchecked(db: Db, id: number): Promise<Unchecked | undefined> {
  const row = await db.first<{ wanted: CommentStatus; referrer: string }>(
    `select unchecked as wanted, referrer from comments where id = $1 and unchecked <> ''`,
    [id],
  );
  const comment = row && (await findById(db, id));
  return comment && { ...comment, ...row };
}

/** Somebody decided, or the filter did: it waits no more. */
export async function settle(tx: Db, id: number): Promise<void> {
  await tx.run(`update comments set unchecked = '' where id = $1 and unchecked <> ''`, [id]);
}

/** Counts a decision that the filter is told of. */
export async function nextRevision(
  tx: Db,
  id: number,
): Promise<{ readonly revision: number; readonly referrer: string }> {
  const row = await tx.first<{ revision: number; referrer: string }>(
    `update comments set spam_revision = spam_revision + 1 where id = $1
     returning spam_revision as revision, referrer`,
    [id],
  );
  return row as { revision: number; referrer: string };
}

// ---- the spam folder -----------------------------------------------------------------------------------------------

/** Touches the row only when the number is another one: comments that come in together do not wait for each other. */
export async function noteKeepDays(tx: Db, days: number): Promise<void> {
  await tx.run('update spam_folder set keep_days = $1 where keep_days <> $1 and $1 > 0', [days]);
}

export interface Stale {
  readonly id: number;
  readonly post: number;
}

/** Spam that has been kept for its days, the oldest first; with `id`, that one if it is. */
export async function staleSpam(db: Db, most: number, id?: number): Promise<Stale[]> {
  return db.rows<Stale>(
    `select id, post from comments
     where status = 'spam' and spam_at < now() - make_interval(days => (select nullif(keep_days, 0) from spam_folder))
       and ($2::bigint is null or id = $2)
     order by spam_at limit $1`,
    [most, id ?? null],
  );
}
