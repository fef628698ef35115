/** What is put back into the outbox, row by row, for each way in which Redis can forget. */
import { randomBytes } from 'node:crypto';
import { openDatabase } from '../db/pool';
import type { Database } from '../db/sql';
import { createLog } from '../log';
import { createTestDatabase } from '../testing/database';
import { sampleService } from '../testing/sample';
import { type TestStores, openTestStores } from '../testing/stores';
import { untilLocked } from '../testing/lock-waits';
import { hasForgottenAll, recall, streamKey } from './forgotten';
import type { RedisClient } from './redis';

const TOPIC = 'sample.user.deleted';
const OTHER = 'sample.user.changed';
const log = createLog('recall', 'test', 'silent');
let stores: TestStores;
let db: Database;
let redis: RedisClient;
let prefix: string;

beforeEach(async () => {
  stores = await openTestStores(3);
  ({ db, redis } = stores);
  prefix = `test-recall-${randomBytes(6).toString('hex')}`;
});
afterEach(() => stores.stop());

/** A row of the outbox, made and brought to its end so long ago; answers its id. */
async function past(
  row: Partial<{ kind: 'event' | 'job'; channel: string; done: string | null; created: string }>,
): Promise<number> {
  const { kind = 'event', channel = TOPIC, done = '1 hour', created = done ?? '1 hour' } = row;
  const made = await db.first<{ id: number }>(
    `insert into outbox (kind, channel, name, payload, created_at, sent_at, done_at)
     values ($1, $2, 'x', '{}', now() - $3::interval, now() - $4::interval, now() - $4::interval) returning id`,
    [kind, channel, created, done],
  );
  return (made as { id: number }).id;
}
const unsent = async (): Promise<number[]> =>
  (
    await db.rows<{ id: number }>(
      'select id from outbox where sent_at is null and done_at is null order by id',
    )
  ).map(({ id }) => id);
/** Redis has this event last in the stream of its topic. */
const hasUpTo = async (channel: string, id: number): Promise<unknown> => {
  await redis.xAdd(streamKey(prefix, channel), '*', { id: String(id - 1), payload: '{}' });
  return redis.xAdd(streamKey(prefix, channel), '*', { id: String(id), payload: '{}' });
};
const ask = (): Promise<number> => recall(db, redis, prefix);

test('a Redis that knows nothing is told every event of six days again, and no job', async () => {
  const first = await past({});
  const waiting = await past({ done: null });
  await past({ kind: 'job' });
  const other = await past({ channel: OTHER, done: '5 days' });
  await past({ done: '7 days' });
  // Taken in more than a week ago, perhaps: consumers no longer know it.
  await past({ done: '1 hour', created: '7 days' });
  expect(await hasForgottenAll(db, redis, prefix)).toBe(true);
  expect(await ask()).toBe(2);
  expect(await unsent()).toEqual([first, waiting, other]);
  expect(await hasForgottenAll(db, redis, prefix)).toBe(false);
});

test('a Redis that forgets everything once more while it is told is not taken for one that knows', async () => {
  const event = await past({});
  const outcome = await db.transaction(async (tx) => {
    await tx.run('select 1 from outbox for update');
    const asked = ask().catch((error: Error) => error.message);
    await untilLocked(db, 'update outbox%');
    await redis.del(await redis.keys(`${prefix}*`));
    return { asked };
  });
  expect(await outcome.asked).toMatch('once more');
  expect(await hasForgottenAll(db, redis, prefix)).toBe(true);
  expect(await unsent()).toEqual([event]);
});

test('a Redis that knows everything is told nothing', async () => {
  await ask();
  // Before the latest event, and after the one before that.
  await past({ done: '2 hours 30 minutes' });
  await past({ done: '3 hours' });
  const last = await past({ done: '2 hours' });
  await past({ kind: 'job' });
  await hasUpTo(TOPIC, last);
  expect(await ask()).toBe(0);
  expect(await unsent()).toEqual([]);
});

test('what came within the same minute as the latest event, and is there, is not told again', async () => {
  await ask();
  const lost = await past({ done: '20 seconds' });
  const ids = [
    await past({ done: '15 seconds' }),
    await past({ done: '10 seconds' }),
    await past({ done: '5 seconds' }),
  ];
  for (const id of ids) await redis.xAdd(streamKey(prefix, TOPIC), '*', { id: String(id), payload: '{}' });
  expect(await ask()).toBe(1);
  expect(await unsent()).toEqual([lost]);
});

test('a Redis that has lost the latest events is told them, those of each topic by its own stream', async () => {
  await ask();
  await past({ done: '3 hours' });
  const last = await past({ done: '2 hours' });
  const beside = await past({ done: '2 hours 30 seconds' });
  const later = [await past({ done: '1 hour' }), await past({ done: '59 minutes' })];
  await past({ kind: 'job', done: '1 hour' });
  await past({ channel: OTHER, done: '50 minutes' });
  const otherLast = await past({ channel: OTHER, done: '40 minutes' });
  const otherLater = await past({ channel: OTHER, done: '30 minutes' });
  await hasUpTo(TOPIC, last);
  await hasUpTo(OTHER, otherLast);
  expect(await ask()).toBe(4);
  expect(await unsent()).toEqual([beside, ...later, otherLater]);
});

test('a topic whose stream is gone, or ends before all that the outbox remembers, is told again whole', async () => {
  await ask();
  // The first number of all is the latest.
  const gone = [await past({}), await past({ done: '3 hours' })];
  const old = [await past({ channel: OTHER }), await past({ channel: OTHER })];
  await hasUpTo(OTHER, 1_000_000);
  expect(await ask()).toBe(4);
  expect(await unsent()).toEqual([...gone, ...old]);
});

test('services that share a Redis remember for themselves', async () => {
  await ask();
  const other = await createTestDatabase(sampleService.migrations as string);
  const theirs = openDatabase({ url: other.url, size: 1, application: 'test', log });
  try {
    expect(await hasForgottenAll(theirs, redis, prefix)).toBe(true);
    expect(await hasForgottenAll(db, redis, prefix)).toBe(false);
  } finally {
    await theirs.close();
    await other.drop();
  }
});
