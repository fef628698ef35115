/** Says, in the transaction of the write, that a user changed: caches drop the user, other services hear of it. */
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { userLink } from './presenter';

/** PostgreSQL's channel; the payload is a user id. */
export const IDENTITY_CHANNEL = 'identity';

const notify = (tx: Db, userId: number): Promise<number> =>
  tx.run('select pg_notify($1, $2)', [IDENTITY_CHANNEL, String(userId)]);

/** Also for a change of the credentials alone. */
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
