/** Says, in the transaction of the write, that a user changed: caches drop the user, other services hear of it. */
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { userLink } from './presenter';

/** PostgreSQL's channel; the payload is a user id and the number of the change, such as `7:1204`. */
export const IDENTITY_CHANNEL = 'identity';

export interface IdentityChange {
  readonly userId: number;
  /** Of all changes, in the order of commits. */
  readonly number: number;
}

export function readChange(payload: string): IdentityChange {
  const [userId, number] = payload.split(':').map(Number) as [number, number];
  return { userId, number };
}

/** The last one. */
export async function lastChange(db: Db): Promise<number> {
  const row = await db.first<{ number: number }>('select number from identity_changes');
  return row?.number ?? 0;
}

const notify = (tx: Db, userId: number): Promise<number> =>
  tx.run(
    `with change as (update identity_changes set number = number + 1 returning number)
     select pg_notify($1, $2 || ':' || number) from change`,
    [IDENTITY_CHANNEL, String(userId)],
  );

/** Credentials that others than the user's caches need not hear of. */
export const announceCredentials = (tx: Db, userId: number): Promise<unknown> => notify(tx, userId);

/** Also for a change of application passwords. */
export async function announceChange(tx: Db, userId: number): Promise<void> {
  await notify(tx, userId);
  const user = await tx.first<{ slug: string }>('select slug from users where id = $1', [userId]);
  await emit(tx, 'content.user.changed', { id: userId, ...(user && { link: userLink('', user) }) });
}

/** `reassign` is who got the posts; 0 means that nobody did. */
export async function announceRemoval(tx: Db, userId: number, reassign: number): Promise<void> {
  await notify(tx, userId);
  await emit(tx, 'content.user.deleted', { id: userId, reassign });
}
