/**
 * What to do about a Redis that forgets domain events after it took them. The outbox remembers for a day what was
 * sent, and Redis forgets in two ways only: everything, or the latest (a restart from an older file, a replica that
 * takes over). Either is noticed before anything new is sent to it, and what is missing becomes unsent again, in one
 * statement that survives our own end. Consumers know each event by its number, so a second sending has no effect.
 *
 * What is being sent meanwhile, by whichever process, is not marked yet and would be missed. So every finding has a
 * number (`recalls`), raised before anything is looked for, and a mark holds only under the number of before its sending.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from '../db/sql';
import { answered } from './answered';
import type { RedisClient } from './redis';

/** Events are marked in another order than they were sent, a little. */
const MARGIN = '1 minute';
/** Of a stream, that are seen to be there: each worker that starts looks, and mostly nothing was lost. */
const LATEST = 1_000;
/** Consumers remember for a week what they took in: what is older would have a second effect. */
const OLDEST = '6 days';

export const streamKey = (prefix: string, topic: string): string => `${prefix}:events:${topic}`;

/** Looks for events that Redis has forgotten, and puts them back into the outbox. Answers how many. */
export async function recall(db: Database, redis: RedisClient, prefix: string): Promise<number> {
  const memory = await memoryKey(db, prefix);
  if ((await answered(redis.get(memory))) !== null) {
    await raise(db);
    return recallLatest(db, redis, prefix);
  }
  const attempt = `${memory}:${randomUUID()}`;
  await answered(redis.set(attempt, '1', { EX: ATTEMPT_SECONDS }));
  await raise(db);
  const all = await putBack(db, 'true', []);
  // Only now: who dies before has forgotten nothing. And only where it still knows of this attempt: if not, it has
  // forgotten once more, perhaps with what was sent under the new number.
  if ((await answered(redis.eval(FINISH, { keys: [attempt, memory] }))) !== 1)
    throw new Error('Redis has forgotten everything once more');
  return all;
}

const ATTEMPT_SECONDS = 600;
const FINISH = `if redis.call('del', KEYS[1]) == 0 then return 0 end redis.call('set', KEYS[2], '1') return 1`;

/** Waits for the marks that are being made: whatever looks at the outbox next sees them, and no more come. */
const raise = (db: Database): Promise<number> => db.run('update recalls set number = number + 1');

/** Whether Redis has lost everything since the last `recall`; one small question. */
export async function hasForgottenAll(db: Database, redis: RedisClient, prefix: string): Promise<boolean> {
  const memory = await memoryKey(db, prefix);
  return (await answered(redis.get(memory))) === null;
}

/** SQL of the number that is to be read before events are sent, and given to `markDone` after. */
export const RECALLS = '(select number from recalls)';

/** What was sent is done, unless something was found forgotten since: then this answers false, and it is to be sent again. */
export async function markDone(db: Database, ids: readonly number[], recalls: number): Promise<boolean> {
  const done = await db.run(
    `with found as materialized (select number from recalls for share)
     update outbox set done_at = now() from found where id = any($1) and found.number = $2`,
    [ids, recalls],
  );
  return done > 0;
}

async function recallLatest(db: Database, redis: RedisClient, prefix: string): Promise<number> {
  const topics = await db.rows<{ channel: string }>(
    `select distinct channel from outbox where kind = 'event' and done_at is not null`,
  );
  let count = 0;
  for (const { channel } of topics) {
    const latest = await answered(redis.xRevRange(streamKey(prefix, channel), '+', '-', { COUNT: LATEST }));
    const there = (latest ?? []).map(({ message }) => Number(message.id));
    // A stream whose last event has left the outbox is older than all that is left there.
    count += await putBack(
      db,
      `channel = $1 and id <> all($3::bigint[]) and done_at >= coalesce(
         (select coalesce(done_at, sent_at) - interval '${MARGIN}' from outbox where id = $2), '-infinity')`,
      [channel, there[0] ?? 0, there],
    );
  }
  return count;
}

const putBack = (db: Database, condition: string, values: readonly unknown[]): Promise<number> =>
  db.run(
    `update outbox set done_at = null, sent_at = null
     where kind = 'event' and done_at > now() - interval '${OLDEST}'
       and created_at > now() - interval '${OLDEST}' and ${condition}`,
    values,
  );

/** One mark for each database: several services share a Redis. */
async function memoryKey(db: Database, prefix: string): Promise<string> {
  const row = await db.first<{ name: string }>('select current_database() as name');
  return `${prefix}:sent-by:${row?.name}`;
}
