/** The relay alone: no workers, and a poll that never comes, so that only notifications can move it. */
import { type Listener, openListener } from '../db/listen';
import { OUTBOX_CHANNEL, emit, enqueue } from '../db/outbox';
import { openDatabase } from '../db/pool';
import type { Database } from '../db/sql';
import { createLog } from '../log';
import { type TestDatabase, createTestDatabase } from '../testing/database';
import { type Freezable, startFreezable } from '../testing/freezable';
import { sampleService } from '../testing/sample';
import { testServers } from '../testing/servers';
import { untilLocked } from '../testing/lock-waits';
import { until } from '../testing/until';
import { type RedisClient, closeRedis, openRedis } from './redis';
import { type Relay, startRelay } from './relay';
import { streamKey } from './forgotten';

const log = createLog('relay', 'test', 'silent');
let database: TestDatabase;
let db: Database;
let redis: RedisClient;
let listener: Listener;
let relay: Relay | undefined;
let door: Freezable | undefined;
let behindDoor: RedisClient | undefined;
beforeAll(async () => {
  database = await createTestDatabase(sampleService.migrations as string);
  db = openDatabase({ url: database.url, size: 4, application: 'test', log });
  listener = openListener({ url: database.url, application: 'test', log });
  redis = openRedis(testServers().redisUrl, log);
  await until(() => Promise.resolve(redis.isReady));
});
afterAll(async () => {
  await relay?.stop();
  if (behindDoor) await closeRedis(behindDoor);
  await door?.stop();
  await listener.stop();
  await closeRedis(redis);
  await db.close();
  await database.drop();
});

const isThere = async (query: string, values: unknown[] = []): Promise<boolean> =>
  (await db.first(query, values)) !== undefined;

test('a job promised while the relay is at work is sent without waiting for the poll', async () => {
  let told = (): void => undefined;
  const notified = new Promise<void>((resolve) => (told = resolve));
  let id = 0;
  await db.transaction(async (tx) => {
    // What is to be swept is held here: the relay has looked at the outbox, and waits with its sweep.
    await tx.run('lock table inbox');
    relay = startRelay({
      db,
      listener,
      redis,
      prefix: `test-relay-${process.pid}`,
      log,
      pollMs: 3_600_000,
    });
    const activity = 'select 1 from pg_stat_activity where datname = current_database()';
    await untilLocked(db, 'delete from inbox%');
    await until(() => isThere(`${activity} and query like 'listen%' and state = 'idle'`));
    listener.hear({
      channels: [OUTBOX_CHANNEL],
      onMessage: told,
      onConnected: () =>
        void enqueue(db, 'sample.notes', 'apply-note', { id: 0 }).then((promised) => (id = promised)),
    });
    await notified;
    await until(() => isThere('select 1 from outbox where id = $1 and sent_at is null', [id]));
  });
  await until(() => isThere('select 1 from outbox where id = $1 and sent_at is not null', [id]));
});

test('what is old goes in pieces, past a row that somebody holds, and holds up nothing', async () => {
  await relay?.stop();
  const age = (column: string): string => `now() - interval '9 days' as ${column}`;
  await db.run(
    `insert into outbox (kind, channel, name, payload, done_at)
     select 'event', 'x', 'x', '{}', done_at from (select ${age('done_at')} from generate_series(1, 6000)) as old`,
  );
  await db.run(
    `insert into inbox (consumer, event_id, taken_at) select 'x', n::text, ${age('taken_at')} from generate_series(1, 6000) as n`,
  );
  const left = async (): Promise<number> =>
    (
      await db.first<{ n: number }>(
        `select (select count(*) from outbox where channel = 'x') + (select count(*) from inbox where consumer = 'x') as n`,
      )
    )?.n ?? 0;
  await db.transaction(async (tx) => {
    await tx.run(`select id from outbox where channel = 'x' order by done_at, id limit 1 for update`);
    await tx.run(`select event_id from inbox where consumer = 'x' order by taken_at limit 1 for update`);
    relay = startRelay({ db, listener, redis, prefix: `test-relay-${process.pid}`, log, pollMs: 100 });
    await until(async () => (await left()) === 2);
    const id = await enqueue(tx, 'sample.notes', 'apply-note', { id: 0 });
    expect(id).toBeGreaterThan(0);
  });
  expect(await left()).toBe(2);
});

test('a Redis that takes everything and says nothing is given up, and used as soon as it answers', async () => {
  await relay?.stop();
  const url = new URL(testServers().redisUrl);
  door = await startFreezable(Number(url.port));
  url.port = String(door.port);
  const client = (behindDoor = openRedis(url.toString(), log));
  await until(() => client.isReady);
  door.freeze();
  const prefix = `test-relay-silent-${process.pid}`;
  const start = (): Relay => startRelay({ db, listener, redis: client, prefix, log, pollMs: 3_600_000 });
  // The first thing that it does is to ask what Redis remembers, and it does not stop in the middle of that.
  await start().stop();
  relay = start();
  await emit(db, 'sample.note.changed', { id: 1 });
  door.thaw();
  await until(() =>
    isThere(`select 1 from outbox where channel = 'sample.note.changed' and done_at is not null`),
  );
});

test('a clock that is set back keeps nothing that was lost from being sent again', async () => {
  await relay?.stop();
  await db.run('delete from outbox');
  const prefix = `test-relay-clock-${process.pid}`;
  relay = startRelay({ db, listener, redis, prefix, log, pollMs: 20, resendSeconds: 1 });
  const id = await enqueue(db, 'sample.notes', 'apply-note', { id: 0 });
  const isSent = (): Promise<boolean> =>
    isThere(`select 1 from outbox where id = $1 and sent_at > now() - interval '1 minute'`, [id]);
  await until(isSent);
  const lose = `now() - interval '1 hour'`;
  const isSentAgain = async (): Promise<void> => {
    await db.run(`update outbox set sent_at = ${lose}, run_at = ${lose} where id = $1`, [id]);
    await until(isSent);
  };
  // What it sends again because it has just begun is behind it then.
  for (let times = 0; times < 5; times++) await isSentAgain();
  const { now } = Date;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
  try {
    await isSentAgain();
  } finally {
    clock.mockRestore();
  }
});

test('a job that was put off by a clock that was ahead runs by the clock of the database', async () => {
  await relay?.stop();
  await db.run('delete from outbox');
  const prefix = `test-relay-ahead-${process.pid}`;
  const { now } = Date;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
  try {
    relay = startRelay({ db, listener, redis, prefix, log, pollMs: 20, resendSeconds: 1 });
    const id = await enqueue(db, 'sample.notes', 'apply-note', { id: 0 }, { inSeconds: 1 });
    const ticket = `ob-${id}-0`;
    await until(async () => (await redis.zScore(`${prefix}:sample.notes:delayed`, ticket)) !== null);
    clock.mockRestore();
    await until(async () => (await redis.lRange(`${prefix}:sample.notes:wait`, 0, -1)).includes(ticket));
  } finally {
    clock.mockRestore();
  }
});

test('what is new goes out past any number of jobs that were sent and wait for their turn', async () => {
  await relay?.stop();
  await db.run('delete from outbox');
  const waiting = 20_000;
  await db.run(
    `insert into outbox (kind, channel, name, payload)
     select 'job', 'sample.waiting', 'wait', '{}' from generate_series(1, $1::int)`,
    [waiting],
  );
  relay = startRelay({
    db,
    listener,
    redis,
    prefix: `test-relay-waiting-${process.pid}`,
    log,
    pollMs: 50,
    resendSeconds: 1,
  });
  // The oldest of them go again already, and there are always more of them.
  await until(() =>
    isThere(
      `select 1 from outbox where channel = 'sample.waiting' and sent_at > run_at + interval '1 second' having count(*) > 100`,
    ),
  );
  await emit(db, 'sample.note.changed', { id: 2 });
  await until(() =>
    isThere(`select 1 from outbox where channel = 'sample.note.changed' and done_at is not null`),
  );
  // What was promised later than all of them, too.
  const id = await enqueue(db, 'sample.notes', 'apply-note', { id: 0 });
  await until(() => isThere('select 1 from outbox where id = $1 and sent_at is not null', [id]));
});

describe('the stream of a topic', () => {
  const prefix = `test-relay-streams-${process.pid}`;
  const TOPIC = 'sample.note.changed';
  const key = streamKey(prefix, TOPIC);
  const start = (most: number): Relay =>
    (relay = startRelay({ db, listener, redis, prefix, log, pollMs: 50, streams: { length: 200, most } }));
  const announce = async (count: number): Promise<void> => {
    await db.run(
      `insert into outbox (kind, channel, name, payload)
       select 'event', $1, $1, jsonb_build_object('id', n) from generate_series(1, $2::int) as n`,
      [TOPIC, count],
    );
    await until(async () => !(await isThere('select 1 from outbox where done_at is null')));
  };
  /** Reads so many as the group, and finishes them but for the first. */
  const read = async (group: string, COUNT: number, finishFirst = true): Promise<void> => {
    const answer = (await redis.xReadGroup(group, 'reader', { key, id: '>' }, { COUNT })) as
      { messages: { id: string }[] }[] | null;
    const ids = (answer?.[0]?.messages ?? []).map(({ id }) => id);
    expect(ids).toHaveLength(COUNT);
    await redis.xAck(key, group, finishFirst ? ids : ids.slice(1));
  };

  beforeEach(async () => {
    await relay?.stop();
    await db.run('delete from outbox');
    await redis.del(key);
    for (const group of ['quick', 'slow']) await redis.xGroupCreate(key, group, '0', { MKSTREAM: true });
  });

  test('keeps what any group has not read or not finished, and shrinks when all have', async () => {
    start(100_000);
    await announce(2_000);
    await read('quick', 2_000);
    await announce(1);
    expect(await redis.xLen(key)).toBe(2_001);
    await read('slow', 1_000, false);
    await announce(1);
    expect(await redis.xLen(key)).toBe(2_002);
    const { firstId } = await redis.xPending(key, 'slow');
    await redis.xAck(key, 'slow', firstId as string);
    await read('slow', 1_002);
    await read('quick', 2);
    await announce(1);
    await until(async () => (await redis.xLen(key)) < 400);
    expect(await redis.xLen(key)).toBeGreaterThanOrEqual(200);
    await read('slow', 1);
  });

  test('has an end all the same, which is told', async () => {
    const lines: string[] = [];
    const kept = createLog('relay', 'test', 'warn', { write: (line) => void lines.push(line) });
    relay = startRelay({
      db,
      listener,
      redis,
      prefix,
      log: kept,
      pollMs: 50,
      streams: { length: 200, most: 1_000 },
    });
    await announce(3_000);
    await until(async () => (await redis.xLen(key)) < 1_200);
    await until(() => Promise.resolve(lines.length > 0));
    expect(JSON.parse(lines[0] as string)).toMatchObject({ topic: TOPIC, count: expect.any(Number) });
  });
});
