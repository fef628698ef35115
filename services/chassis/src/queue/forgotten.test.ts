/** Redis and the database come back: what was sent before is not relied on, though no resend and no poll is near. */
import { randomBytes } from 'node:crypto';
import { type Listener, openListener } from '../db/listen';
import { emit, emitAll, enqueue } from '../db/outbox';
import { openDatabase } from '../db/pool';
import type { Database } from '../db/sql';
import { createLog } from '../log';
import { type TestDatabase, createTestDatabase } from '../testing/database';
import { freePort } from '../ports';
import { startFreezable } from '../testing/freezable';
import { type Road, openRoad } from '../testing/road';
import { sampleService } from '../testing/sample';
import { testServers } from '../testing/servers';
import { until } from '../testing/until';
import { type Consumers, startConsumers } from './events';
import { streamKey } from './forgotten';
import { job } from './jobs';
import { type Workers, startWorkers } from './workers';
import { type RedisClient, closeRedis, openRedis } from './redis';
import { type Relay, startRelay } from './relay';

const TOPIC = 'sample.user.deleted';
const NEVER = 3_600;
let complaints: number;
const log = createLog('forgotten', 'test', 'warn', {
  write: (line: string) => void (line.includes('the relay cannot work') && (complaints += 1)),
});
let database: TestDatabase;
let db: Database;
/** The connections of the relay go by here, so that they can be cut. */
let road: Road;
let redis: RedisClient;
let prefix: string;
let listener: Listener;
let relay: Relay;
let consumers: Consumers | undefined;
let workers: Workers | undefined;
let taken: number[];

beforeEach(async () => {
  database = await createTestDatabase(sampleService.migrations as string);
  db = openDatabase({ url: database.url, size: 6, application: 'test', log });
  road = await openRoad(testServers().redisUrl);
  redis = openRedis(road.url, log);
  prefix = `test-forgotten-${randomBytes(6).toString('hex')}`;
  taken = [];
  complaints = 0;
  await until(() => redis.isReady);
  listener = openListener({ url: database.url, application: 'test', log });
  relay = startRelay({
    db,
    listener,
    redis,
    prefix,
    log,
    pollMs: NEVER * 1000,
    resendSeconds: NEVER,
  });
});
afterEach(async () => {
  await consumers?.stop();
  await workers?.stop();
  consumers = workers = undefined;
  await relay.stop();
  await listener.stop();
  await closeRedis(redis);
  await road.close();
  await db.close();
  await database.drop();
});

const isEmpty = async (query: string): Promise<boolean> => (await db.first(query)) === undefined;
const sent = (): Promise<true> => until(() => isEmpty('select 1 from outbox where sent_at is null'));
const settled = (): Promise<true> => until(() => isEmpty('select 1 from outbox where done_at is null'));

const consume = (redisUrl = testServers().redisUrl): void => {
  consumers = startConsumers({
    group: 'reader',
    subscriptions: [TOPIC, 'sample.never.sent'].map((topic) => ({
      topic,
      handle: ({ payload }) => Promise.resolve(void taken.push((payload as { n: number }).n)),
    })),
    deps: {},
    db,
    redisUrl,
    prefix,
    log,
  });
};
const numbers = (from: number, to: number): { n: number }[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ n: from + index }));

/** Redis as it is after a restart: connections gone, and with them what `lose` removes. */
async function restartRedis(lose: () => Promise<unknown>): Promise<void> {
  await lose();
  road.cut();
}
const loseAll = (): Promise<unknown> =>
  redis.eval(`for _, key in ipairs(redis.call('keys', ARGV[1])) do redis.call('del', key) end`, {
    arguments: [`${prefix}*`],
  });

test('events that Redis forgets altogether are sent again, and taken in once', async () => {
  await emitAll(db, TOPIC, numbers(1, 5));
  await settled();
  await restartRedis(loseAll);
  consume();
  await emit(db, TOPIC, { n: 6 });
  await until(() => taken.length >= 6);
  // Forgotten once more, after they were taken in.
  await restartRedis(loseAll);
  await emit(db, TOPIC, { n: 7 });
  await until(() => taken.includes(7));
  await settled();
  expect(taken.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('the latest events, lost with the end of a file, are sent again, and taken in once', async () => {
  await emitAll(db, TOPIC, numbers(1, 3));
  await settled();
  const stream = streamKey(prefix, TOPIC);
  const known = await redis.xLen(stream);
  await emitAll(db, TOPIC, numbers(4, 6));
  await settled();
  await restartRedis(async () => {
    const latest = ((await redis.xRange(stream, '-', '+')) ?? []).slice(known);
    await redis.xDel(
      stream,
      latest.map(({ id }) => id),
    );
  });
  consume();
  await until(() => taken.length >= 6);
  await emit(db, TOPIC, { n: 7 });
  await until(() => taken.includes(7));
  expect(taken.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('a Redis that is emptied behind an open connection is noticed, too', async () => {
  await emit(db, TOPIC, { n: 1 });
  await settled();
  await loseAll();
  jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  try {
    await emit(db, TOPIC, { n: 2 });
    await until(async () => (await redis.xLen(streamKey(prefix, TOPIC))) >= 2);
  } finally {
    jest.restoreAllMocks();
  }
  consume();
  await until(() => taken.length >= 2);
  expect(taken.sort()).toEqual([1, 2]);
});

test('also where the outbox is looked at every second', async () => {
  // A line to the database that stands only now is a reason to ask by itself.
  await until(() => listener.caughtUp());
  await emit(db, TOPIC, { n: 1 });
  await settled();
  await loseAll();
  const begun = performance.now();
  const clock = jest.spyOn(performance, 'now');
  try {
    for (let second = 1; second <= 11; second += 1) {
      clock.mockReturnValue(begun + second * 1_000);
      await relay.flush();
    }
  } finally {
    jest.restoreAllMocks();
  }
  await until(async () => (await redis.xLen(streamKey(prefix, TOPIC))) > 0);
});

const work = (handle: () => Promise<void>): void => {
  workers = startWorkers({
    jobs: [job({ queue: 'sample.notes', name: 'apply-note', handle })],
    deps: {},
    db,
    redis,
    prefix,
    log,
  });
};

test('jobs that Redis forgets are sent again as soon as it is back', async () => {
  for (let n = 0; n < 5; n++) await enqueue(db, 'sample.notes', 'apply-note', { n });
  await sent();
  await restartRedis(loseAll);
  let runs = 0;
  work(() => Promise.resolve(void runs++));
  await settled();
  expect(runs).toBe(5);
});

test('a job that failed is tried again, and what the database refuses once is sent, though no poll is near', async () => {
  let runs = 0;
  work(() => {
    runs += 1;
    return runs === 1 ? Promise.reject(new Error('failed on purpose')) : Promise.resolve();
  });
  await enqueue(db, 'sample.notes', 'apply-note', {});
  await settled();
  expect(runs).toBe(2);

  await db.run('alter table outbox add constraint refused check (sent_at is null) not valid');
  await emit(db, TOPIC, { n: 1 });
  await until(() => complaints > 0);
  await db.run('alter table outbox drop constraint refused');
  await settled();
});

test('a job in hand when the database goes away goes on when it is back', async () => {
  const other = openDatabase({ url: testServers().adminUrl, size: 1, application: 'test', log });
  const name = new URL(database.url).pathname.slice(1);
  let runs = 0;
  let tell = (): void => undefined;
  let go = (): void => undefined;
  const begun = new Promise<void>((resolve) => (tell = resolve));
  const gone = new Promise<void>((resolve) => (go = resolve));
  work(async () => {
    runs++;
    tell();
    await gone;
  });
  await enqueue(db, 'sample.notes', 'apply-note', {});
  await begun;
  await other.run(`alter database ${name} allow_connections false`);
  try {
    const connections = `from pg_stat_activity where datname = $1 and backend_type = 'client backend'`;
    // They are told to end, and end when they come to it.
    await until(async () => {
      await other.run(`select pg_terminate_backend(pid) ${connections}`, [name]);
      return (await other.first(`select 1 ${connections}`, [name])) === undefined;
    });
    go();
    await expect(db.first('select 1')).rejects.toThrow();
    // The try fails, and cannot be given back: two looks at the database, and more.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  } finally {
    await other.run(`alter database ${name} allow_connections true`);
    await other.close();
  }
  await settled();
  expect(runs).toBeGreaterThanOrEqual(2);
});

test('consumers go on when their connection comes back, and leave none behind when they stop', async () => {
  const own = await openRoad(testServers().redisUrl);
  try {
    consume(own.url);
    await emit(db, TOPIC, { n: 1 });
    await until(() => taken.length === 1);
    for (const n of [2, 3]) {
      own.cut();
      await emit(db, TOPIC, { n });
      await until(() => taken.length === n);
    }
    expect(taken).toEqual([1, 2, 3]);
    await consumers?.stop();
    await until(() => own.connections() === 0);
  } finally {
    await own.close();
  }
});

test('consumers stop also when Redis lets nobody in any more', async () => {
  const own = await openRoad(testServers().redisUrl);
  try {
    consume(own.url);
    await emit(db, TOPIC, { n: 1 });
    await until(() => taken.length === 1);
    own.refuse();
    await consumers?.stop();
    await until(() => own.connections() === 0);
  } finally {
    await own.close();
  }
});

test('workers that begin while Redis is away do what waits once it is there', async () => {
  const away = new URL(testServers().redisUrl);
  const behind = Number(away.port);
  away.port = String(await freePort());
  const theirs = openRedis(away.href, log);
  let refusals = 0;
  theirs.on('error', () => (refusals += 1));
  let runs = 0;
  workers = startWorkers({
    jobs: [job({ queue: 'sample.notes', name: 'apply-note', handle: () => Promise.resolve(void runs++) })],
    deps: {},
    db,
    redis: theirs,
    prefix,
    log,
  });
  await enqueue(db, 'sample.notes', 'apply-note', {});
  await sent();
  await until(() => refusals > 2);
  const door = await startFreezable(behind, Number(away.port));
  try {
    await settled();
    expect(runs).toBe(1);
    await workers.stop();
    await closeRedis(theirs);
  } finally {
    await door.stop();
  }
});

test('workers go on when their connection comes back, and leave none behind when they stop', async () => {
  let runs = 0;
  let begun = 0;
  const own = await openRoad(testServers().redisUrl);
  const theirs = openRedis(own.url, log);
  workers = startWorkers({
    jobs: [
      job({ queue: 'sample.notes', name: 'apply-note', handle: () => Promise.resolve(void runs++) }),
      job({
        queue: 'sample.slow',
        name: 'wait-for-end',
        // Told by its signal that the process ends, and by nothing else.
        handle: async ({ signal }) => {
          begun += 1;
          if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
      }),
    ],
    deps: {},
    db,
    redis: theirs,
    prefix,
    log,
  });
  try {
    for (const n of [1, 2, 3]) {
      await enqueue(db, 'sample.notes', 'apply-note', { n });
      await until(() => runs === n);
      own.cut();
    }
    await enqueue(db, 'sample.slow', 'wait-for-end', {});
    await until(() => begun === 1);
    await workers.stop();
    expect(await isEmpty('select 1 from outbox where done_at is null')).toBe(true);
    await closeRedis(theirs);
    await until(() => own.connections() === 0);
  } finally {
    await closeRedis(theirs);
    await own.close();
  }
});
