/**
 * How much of one sender is kept within an hour, which its first submission begins. What is refused for its number (the gateway's limits) may still be more
 * than a disk has: each submission brings files, and what is taken for good is kept for good.
 */
import { createHmac } from 'node:crypto';
import { deleteOld } from '@sevenfold/chassis/db/old';
import type { Db } from '@sevenfold/chassis/db/sql';
import { subscriberOf } from '@sevenfold/chassis/networks';
import type { Deps } from '../deps';
import { errors } from '../errors';

const MEGABYTE = 1024 * 1024;

/** Counts what is about to be kept; throws where that would be too much. The first of an hour is kept however large it is. */
export async function charge(
  { db, config, signingKeys }: Pick<Deps, 'config' | 'db' | 'signingKeys'>,
  address: string,
  bytes: number,
): Promise<void> {
  const { FORM_MEGABYTES_PER_HOUR: most } = config;
  if (most === 0) return;
  // Of IPv6 whoever has one address has 2^64 of them.
  const sender = createHmac('sha256', signingKeys[0] as Buffer)
    .update(subscriberOf(address) ?? address)
    .digest();
  const charged = await db.run(
    `insert into allowances as a (sender, bytes) values ($1, $2)
     on conflict (sender) do update set
       since = case when ${OVER} then now() else a.since end,
       bytes = case when ${OVER} then excluded.bytes else a.bytes + excluded.bytes end
       where ${OVER} or a.bytes + excluded.bytes <= $3`,
    [sender, bytes, most * MEGABYTE],
  );
  if (charged === 0) throw errors.tooMuch(await secondsLeft(db, sender));
}

const OVER = `a.since < now() - interval '1 hour'`;

async function secondsLeft(db: Db, sender: Buffer): Promise<number> {
  const row = await db.first<{ seconds: number }>(
    `select ceil(extract(epoch from since + interval '1 hour' - now()))::int as seconds from allowances where sender = $1`,
    [sender],
  );
  return Math.max(1, row?.seconds ?? 1);
}

export const removePast = (db: Db): Promise<number> =>
  deleteOld(db, { table: 'allowances', old: `since < now() - interval '1 hour'`, by: 'since' });
