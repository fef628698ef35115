/** The names under which processes read the streams: they come and go, and what is pending under one is never lost. */
import { randomBytes } from 'node:crypto';
import { openDatabase } from '../db/pool';
import type { Database } from '../db/sql';
import { createLog } from '../log';
import { type TestDatabase, createTestDatabase } from '../testing/database';
import { sampleService } from '../testing/sample';
import { testServers } from '../testing/servers';
import { until } from '../testing/until';
import { type Consumers, startConsumers } from './events';
import { type RedisClient, closeRedis, openRedis } from './redis';
import { streamKey } from './forgotten';

const TOPIC = 'sample.note.changed';
const GROUP = 'reader';
const log = createLog('events', 'test', 'silent');
let database: TestDatabase;
let db: Database;
let redis: RedisClient;
let prefix: string;
let stream: string;
let taken: number[];
beforeAll(async () => {
  database = await createTestDatabase(sampleService.migrations as string);
  db = openDatabase({ url: database.url, size: 4, application: 'test', log });
  redis = openRedis(testServers().redisUrl, log);
  await until(() => redis.isReady);
});
afterAll(async () => {
  await closeRedis(redis);
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  prefix = `test-events-${randomBytes(6).toString('hex')}`;
  stream = streamKey(prefix, TOPIC);
  taken = [];
  await db.run('delete from inbox');
  await redis.xGroupCreate(stream, GROUP, '0', { MKSTREAM: true });
});

const start = (
  more: { forgetAfterMs?: number; fails?: boolean; wants?: () => Promise<boolean> } = {},
): Consumers =>
  startConsumers({
    group: GROUP,
    subscriptions: [
      {
        topic: TOPIC,
        wants: more.wants,
        handle: ({ payload }) => {
          if (more.fails) return Promise.reject(new Error('failed on purpose'));
          return Promise.resolve(void taken.push(Number(payload.id)));
        },
      },
    ],
    deps: {},
    db,
    redisUrl: testServers().redisUrl,
    prefix,
    log,
    forgetAfterMs: more.forgetAfterMs,
  });

const add = (id: number): Promise<string> =>
  redis.xAdd(stream, '*', { id: String(id), payload: JSON.stringify({ id }) });
const names = async (): Promise<string[]> =>
  (await redis.xInfoConsumers(stream, GROUP)).map(({ name }) => String(name)).sort();
const pending = async (): Promise<number> => (await redis.xPending(stream, GROUP)).pending;

/** A process that read this event and died, so many milliseconds ago. */
async function dieWith(name: string, id: number, ago: number): Promise<void> {
  const entry = await add(id);
  await redis.xReadGroup(GROUP, name, { key: stream, id: '>' });
  await redis.xClaim(stream, GROUP, name, 0, entry, { IDLE: ago });
}

test('a process that stops takes its name with it', async () => {
  const consumers = start();
  await add(1);
  await until(async () => taken.length === 1 && (await pending()) === 0);
  expect(await names()).toHaveLength(1);
  await consumers.stop();
  expect(await names()).toEqual([]);
});

test('what nobody wants passes, without a note that it was here; what somebody wants from then on is taken', async () => {
  let isWanted = false;
  const asked: boolean[] = [];
  const consumers = start({
    wants: () => {
      asked.push(isWanted);
      return Promise.resolve(isWanted);
    },
  });
  try {
    await add(1);
    await until(async () => asked.length > 0 && (await pending()) === 0);
    expect(taken).toEqual([]);
    expect(await db.first('select event_id from inbox')).toBeUndefined();
    isWanted = true;
    await add(2);
    await until(async () => taken.length > 0 && (await pending()) === 0);
    expect(taken).toEqual([2]);
    expect(await db.rows('select event_id from inbox')).toEqual([{ event_id: `${TOPIC}/2` }]);
  } finally {
    await consumers.stop();
  }
});

test('a name with something pending stays, also at a stop', async () => {
  const consumers = start({ fails: true });
  await add(1);
  await until(async () => (await pending()) === 1);
  const [name] = await names();
  await consumers.stop();
  expect(await names()).toEqual([name]);
  expect(await pending()).toBe(1);
});

test('events of dead processes are taken over, and then their names are forgotten', async () => {
  await dieWith('dead', 1, 60_000);
  // Not long enough ago to be claimed: its event must not be lost with its name.
  await dieWith('dying', 2, 0);
  await redis.xGroupCreateConsumer(stream, GROUP, 'empty');
  const consumers = start({ forgetAfterMs: 0 });
  await until(async () => taken.length === 1 && !(await names()).includes('empty'));
  expect(taken).toEqual([1]);
  const left = await names();
  expect(left).toContain('dying');
  expect(left).not.toContain('dead');
  expect(await pending()).toBe(1);
  await consumers.stop();
  expect(await names()).toEqual(['dying']);
});

test('names are kept for a day', async () => {
  await dieWith('dead', 1, 60_000);
  const consumers = start();
  await add(2);
  // The second event is read after the first pass over the dead.
  await until(async () => taken.length === 2 && (await pending()) === 0);
  expect(await names()).toContain('dead');
  await consumers.stop();
  expect(await names()).toEqual(['dead']);
});
