/**
 * Two relays, and a Redis that forgets between taking an event of the one and its being marked as sent, just when the other
 * one finds it forgotten. The relays hear no news and poll never, so each step is taken when it is called for.
 */
import { randomBytes } from 'node:crypto';
import { openListener } from '../db/listen';
import { emit } from '../db/outbox';
import { openDatabase } from '../db/pool';
import type { Database } from '../db/sql';
import { createLog } from '../log';
import { type TestDatabase, createTestDatabase } from '../testing/database';
import { type Road, openRoad } from '../testing/road';
import { sampleService } from '../testing/sample';
import { testServers } from '../testing/servers';
import { untilLocked } from '../testing/lock-waits';
import { until } from '../testing/until';
import { startConsumers } from './events';
import { streamKey } from './forgotten';
import { type RedisClient, closeRedis, openRedis } from './redis';
import { type Relay, startRelay } from './relay';

const TOPIC = 'sample.user.deleted';
const NEVER_MS = 3_600_000;
const log = createLog('recalls', 'test', 'silent');
let database: TestDatabase;
let db: Database;
let redis: RedisClient;
let prefix: string;
const open: { relay: Relay; redis: RedisClient; road: Road }[] = [];

beforeEach(async () => {
  // Relays ask Redis what it knows every ten seconds: here when the test says so.
  jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  database = await createTestDatabase(sampleService.migrations as string);
  db = openDatabase({ url: database.url, size: 6, application: 'test', log });
  prefix = `test-recalls-${randomBytes(6).toString('hex')}`;
  redis = openRedis(testServers().redisUrl, log);
  await until(() => redis.isReady);
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const { relay, redis: own, road } of open.splice(0)) {
    road.release();
    await relay.stop();
    await closeRedis(own);
    await road.close();
  }
  await closeRedis(redis);
  await db.close();
  await database.drop();
});

const isThere = async (query: string): Promise<boolean> => (await db.first(query)) !== undefined;
const isSettled = async (): Promise<boolean> =>
  !(await isThere('select 1 from outbox where done_at is null'));
const settled = (): Promise<boolean> => until(isSettled);

/** A relay that has done what it does at its start, and sent event `n` with it. */
async function relayThatSent(n: number): Promise<(typeof open)[number]> {
  await emit(db, TOPIC, { n });
  const road = await openRoad(testServers().redisUrl);
  const own = openRedis(road.url, log);
  await until(() => own.isReady);
  const deaf = openListener({ url: database.url, application: 'test', log });
  await deaf.stop();
  const relay = startRelay({
    db,
    listener: deaf,
    redis: own,
    prefix,
    log,
    pollMs: NEVER_MS,
    resendSeconds: NEVER_MS / 1_000,
  });
  open.push({ relay, redis: own, road });
  await settled();
  return { relay, redis: own, road };
}

const loseAll = (): Promise<unknown> =>
  redis.eval(`for _, key in ipairs(redis.call('keys', ARGV[1])) do redis.call('del', key) end`, {
    arguments: [`${prefix}*`],
  });

async function takeIn(count: number): Promise<number[]> {
  const taken: number[] = [];
  const consumers = startConsumers({
    group: 'reader',
    subscriptions: [
      { topic: TOPIC, handle: ({ payload }) => Promise.resolve(void taken.push(Number(payload.n))) },
    ],
    deps: {},
    db,
    redisUrl: testServers().redisUrl,
    prefix,
    log,
  });
  await until(() => taken.length >= count);
  await consumers.stop();
  return taken;
}

test('an event that Redis took and forgot before it was marked is sent again, though another relay saw to the rest', async () => {
  const stream = streamKey(prefix, TOPIC);
  const first = await relayThatSent(1);
  const second = await relayThatSent(2);
  // The first relay does not hear that Redis took its next event.
  const before = await redis.xLen(stream);
  await emit(db, TOPIC, { n: 3 });
  first.road.hold();
  const sending = first.relay.flush().catch(() => undefined);
  await until(async () => (await redis.xLen(stream)) === before + 1);
  await loseAll();

  let noticing: Promise<unknown> = Promise.resolve();
  jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  await db.transaction(async (tx) => {
    await tx.run(`select 1 from outbox where payload @> '{"n": 1}' for update`);
    noticing = second.relay.flush().catch(() => undefined);
    // It has chosen what to put back, and waits for one of these.
    await untilLocked(db, 'update outbox%');
    second.road.hold();
  });
  await until(() => isThere(`select 1 from outbox where payload @> '{"n": 1}' and done_at is null`));
  first.road.release();
  await sending;
  second.road.release();
  await noticing;

  // Relays wait for an answer of Redis for seconds only: where the machine took longer, they have given up, and try again.
  await until(async () => {
    for (const { relay } of [first, second]) await relay.flush().catch(() => undefined);
    return isSettled();
  });
  const kept = (await redis.xRange(stream, '-', '+')) ?? [];
  const numbers = kept.map(({ message }) => (JSON.parse(message.payload!) as { n: number }).n);
  expect([...new Set(numbers)].sort()).toEqual([1, 2, 3]);
  expect((await takeIn(3)).sort()).toEqual([1, 2, 3]);
});
