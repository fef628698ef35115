/** The names under which processes read the streams: they come and go, and what is pending under one is never lost. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import type { Database } from '../db/sql';
import { unavailable } from '../errors';
import { type Log, createLog } from '../log';
import { startFreezable } from '../testing/freezable';
import { openRoad } from '../testing/road';
import { testServers } from '../testing/servers';
import { type TestStores, openTestStores } from '../testing/stores';
import { until } from '../testing/until';
import type { SpanRow } from '../tracing/spans';
import { traceWith } from '../tracing/tracing';
import { type Consumers, startConsumers } from './events';
import type { RedisClient } from './redis';
import { streamKey } from './forgotten';
import { eventsTotal } from './metrics';

const TOPIC = 'sample.note.changed';
const GROUP = 'reader';
const log = createLog('events', 'test', 'silent');
let stores: TestStores;
let db: Database;
let redis: RedisClient;
let prefix: string;
let stream: string;
let taken: number[];
beforeAll(async () => {
  stores = await openTestStores(4);
  ({ db, redis } = stores);
});
afterAll(() => stores.stop());
beforeEach(async () => {
  prefix = `test-events-${randomBytes(6).toString('hex')}`;
  stream = streamKey(prefix, TOPIC);
  taken = [];
  await db.run('delete from inbox');
  await redis.xGroupCreate(stream, GROUP, '0', { MKSTREAM: true });
});

const start = (
  more: {
    forgetAfterMs?: number;
    fails?: boolean;
    wants?: () => Promise<boolean>;
    taking?: (id: number) => void | Promise<void>;
    claimAfterMs?: number;
    redisUrl?: string;
    log?: Log;
  } = {},
): Consumers =>
  startConsumers({
    group: GROUP,
    subscriptions: [
      {
        topic: TOPIC,
        wants: more.wants,
        handle: async ({ payload }) => {
          if (more.fails) throw new Error('failed on purpose');
          taken.push(Number(payload.id));
          await more.taking?.(Number(payload.id));
        },
      },
    ],
    deps: {},
    db,
    redisUrl: more.redisUrl ?? testServers().redisUrl,
    prefix,
    log: more.log ?? log,
    forgetAfterMs: more.forgetAfterMs,
    claimAfterMs: more.claimAfterMs,
  });

const add = (id: number, more: Record<string, string> = {}): Promise<string> =>
  redis.xAdd(stream, '*', { id: String(id), payload: JSON.stringify({ id }), ...more });

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}
/** A log that is kept, from this level on. */
function keptLog(level: string): { readonly log: Log; readonly lines: Line[] } {
  const lines: Line[] = [];
  return {
    log: createLog('events', 'test', level, { write: (line) => void lines.push(JSON.parse(line) as Line) }),
    lines,
  };
}
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
  const { more } = await counting();
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
    await until(async () => (await more('passed')) === 1);
    isWanted = true;
    await add(2);
    await until(async () => taken.length > 0 && (await pending()) === 0);
    expect(taken).toEqual([2]);
    expect(await db.rows('select event_id from inbox')).toEqual([{ event_id: `${TOPIC}/2` }]);
  } finally {
    await consumers.stop();
  }
});

/** How often events of the topic had each outcome. */
async function outcomes(): Promise<Record<string, number>> {
  const { values } = await eventsTotal.get();
  return Object.fromEntries(
    values.filter(({ labels }) => labels.topic === TOPIC).map(({ labels, value }) => [labels.outcome, value]),
  );
}

/** How many more of an outcome there are since the call. */
async function counting(): Promise<{ more: (outcome: string) => Promise<number> }> {
  const before = await outcomes();
  return { more: async (outcome) => ((await outcomes())[outcome] ?? 0) - (before[outcome] ?? 0) };
}

test('an event whose effect is there is no failure where Redis goes away before it is confirmed', async () => {
  const behind = new URL(testServers().redisUrl);
  const door = await startFreezable(Number(behind.port));
  behind.port = String(door.port);
  const road = await openRoad(behind.href);
  const { log: told, lines } = keptLog('warn');
  const { more } = await counting();
  const goAway = (): void => {
    // Nor is it back when there is something to confirm, however long the commit takes.
    door.freeze();
    road.cut();
  };
  const first = start({ redisUrl: road.url, log: told, taking: goAway });
  const entry = await add(1);
  await until(async () => (await more('taken')) === 1);
  // Back again it takes in the next, though nothing could be confirmed before.
  door.thaw();
  await add(2);
  await until(async () => (await more('taken')) === 2);
  await first.stop();
  await road.close();
  await door.stop();
  expect([await pending(), taken, await more('failed')]).toEqual([2, [1, 2], 0]);
  expect(lines.filter(({ msg }) => msg.includes('could not be taken in'))).toEqual([]);
  // Others find it as what was pending under a name for long.
  await redis.xClaim(stream, GROUP, 'gone', 0, entry, { IDLE: 60_000 });
  const second = start();
  await until(async () => (await pending()) === 1);
  await second.stop();
  expect([taken, await more('repeated'), await more('failed')]).toEqual([[1, 2], 1, 0]);
});

test('an event that cannot be taken in is told of, counted, and lets the next one pass', async () => {
  const { log: told, lines } = keptLog('warn');
  const { more } = await counting();
  const consumers = start({
    log: told,
    taking: () => {
      if (taken.length === 1) throw new Error('failed on purpose');
    },
  });
  const entry = await add(1);
  await add(2);
  // It is counted before it is confirmed, and a stop waits for no confirmation.
  await until(async () => (await more('taken')) === 1 && (await pending()) === 1);
  await consumers.stop();
  expect([await more('failed'), await pending(), taken]).toEqual([1, 1, [1, 2]]);
  expect(lines.map(({ level, stream: of, id, msg }) => [level, of, id, msg])).toEqual([
    ['error', stream, entry, 'a domain event could not be taken in; it will be tried again'],
  ]);
});

test('what fails because its process stops is nobody’s failure', async () => {
  const { log: told, lines } = keptLog('warn');
  const { more } = await counting();
  let fail = (_error: Error): void => undefined;
  const failing = new Promise<void>((_, reject) => (fail = reject));
  failing.catch(() => undefined);
  const consumers = start({ log: told, taking: () => failing });
  await add(1);
  await until(() => taken.length === 1);
  const stopped = consumers.stop();
  fail(new Error('cut short'));
  await stopped;
  expect([await more('failed'), await more('taken'), lines]).toEqual([0, 0, []]);
  expect(await pending()).toBe(1);
});

test('an event of a request is told of under its id, others to those who look closer', async () => {
  const { log: told, lines } = keptLog('info');
  const consumers = start({ log: told });
  await add(1);
  await add(2, { request: 'the-request' });
  await until(async () => taken.length === 2 && (await pending()) === 0);
  await consumers.stop();
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'info',
      requestId: 'the-request',
      topic: TOPIC,
      outcome: 'taken',
      msg: 'domain event',
    }),
  ]);
});

test('an event goes on with the trace that it carries, and its fault is told there', async () => {
  const seen: { row: SpanRow; origin: unknown; failed: string[] }[] = [];
  traceWith({
    start: (row, origin) => {
      const failed: string[] = [];
      seen.push({ row, origin, failed });
      return {
        ...{ traceId: '', spanId: '', traceparent: '', isRecording: false },
        set: () => undefined,
        rename: () => undefined,
        fail: ({ message }) => void failed.push(message),
        end: () => undefined,
      };
    },
    stop: () => Promise.resolve(),
  });
  try {
    const consumers = start({ fails: true });
    await add(1, { traceparent: 'where it came from' });
    await add(2);
    await until(() => seen.length === 2 && seen.every(({ failed }) => failed.length > 0));
    await consumers.stop();
  } finally {
    traceWith(undefined);
  }
  expect(seen.map(({ row: { kind, name }, origin, failed }) => [kind, name, origin, failed])).toEqual([
    ['consumer', `process ${TOPIC}`, 'where it came from', ['failed on purpose']],
    ['consumer', `process ${TOPIC}`, undefined, ['failed on purpose']],
  ]);
});

test('a process whose Redis falls silent and goes away while it stops has stopped all the same', async () => {
  const server = new URL(testServers().redisUrl);
  const door = await startFreezable(Number(server.port));
  server.port = String(door.port);
  const consumers = start({ redisUrl: server.href });
  await add(1);
  await until(async () => taken.length === 1 && (await pending()) === 0);
  const before = door.accepted();
  door.freeze();
  const stopped = consumers.stop();
  await until(() => door.accepted() > before);
  await door.stop();
  await stopped;
  expect(await names()).toHaveLength(1);
});

test('a process whose Redis goes away just when it takes its name with it has stopped all the same', async () => {
  const { hostname, port } = new URL(testServers().redisUrl);
  const sockets = new Set<net.Socket>();
  let isLeaving = false;
  let cuts = 0;
  const way = net.createServer((near) => {
    const far = net.connect(Number(port), hostname);
    for (const one of [near, far]) sockets.add(one.on('error', () => undefined));
    far.pipe(near);
    near.on('close', () => far.destroy());
    near.on('data', (piece) => {
      if (!isLeaving || !piece.includes('EVAL')) return void far.write(piece);
      cuts += 1;
      near.resetAndDestroy();
    });
  });
  await once(way.listen(0, '127.0.0.1'), 'listening');
  const redisUrl = testServers().redisUrl.replace(`:${port}`, `:${(way.address() as net.AddressInfo).port}`);
  try {
    const consumers = start({ redisUrl });
    await add(1);
    await until(async () => taken.length === 1 && (await pending()) === 0);
    isLeaving = true;
    await consumers.stop();
    expect(cuts).toBeGreaterThan(0);
    expect(await names()).toHaveLength(1);
  } finally {
    for (const socket of sockets) socket.destroy();
    way.close();
  }
});

test('a stream that cannot be read is told of once, and read when it can be', async () => {
  const { log: told, lines } = keptLog('warn');
  // Of another kind than a stream.
  await redis.set(stream, 'something else');
  const failures = async (): Promise<number> =>
    Number(/errorstat_WRONGTYPE:count=(\d+)/.exec(await redis.info('errorstats'))?.[1] ?? 0);
  const before = await failures();
  const consumers = start({ log: told });
  await until(async () => (await failures()) > before + 2);
  await redis.del(stream);
  await add(1);
  await until(async () => taken.length === 1);
  await until(async () => (await pending()) === 0);
  await consumers.stop();
  expect(lines.map(({ level, group, msg }) => [level, group, msg])).toEqual([
    ['warn', GROUP, 'domain events cannot be read; trying again'],
  ]);
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

const HOUR_MS = 3_600_000;
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, place) => first + place);
/** What was read by a process that died so long ago that others take it over, but only once while a test runs. */
async function leaveBehind(ids: readonly number[]): Promise<void> {
  const entries: string[] = [];
  for (const id of ids) entries.push(await add(id));
  await redis.xReadGroup(GROUP, 'dead', { key: stream, id: '>' }, { COUNT: ids.length });
  await redis.xClaim(stream, GROUP, 'dead', 0, entries, { IDLE: 2 * HOUR_MS });
}

test('all that a dead process left is taken over in one go, however much it is', async () => {
  await leaveBehind(range(1, 250));
  const consumers = start({ claimAfterMs: HOUR_MS });
  await until(async () => (await pending()) === 0);
  await consumers.stop();
  expect(taken).toEqual(range(1, 250));
});

test('behind many that fail each time the others are taken over', async () => {
  await leaveBehind(range(1, 150));
  const consumers = start({
    claimAfterMs: HOUR_MS,
    taking: (id) => {
      if (id <= 100) throw new Error('failed on purpose');
    },
  });
  await until(async () => (await pending()) === 100);
  await consumers.stop();
  expect(taken).toEqual(range(1, 150));
});

/** How many have had their effect. */
const committed = async (): Promise<number> =>
  (await db.first<{ n: number }>('select count(*) as n from inbox'))?.n ?? 0;

test('while what they need is away hardly more is read; when it is back all are taken, without a claim', async () => {
  const { more } = await counting();
  let isThere = false;
  for (const id of range(1, 500)) await add(id);
  const consumers = start({
    claimAfterMs: HOUR_MS,
    taking: () => {
      if (!isThere) throw unavailable('What it needs');
    },
  });
  const met = await until(async () => (await more('failed')) >= 9 && { pending: await pending() });
  expect(met.pending).toBe(100);
  expect(taken.length).toBeLessThan(100);
  isThere = true;
  await until(async () => (await committed()) === 500);
  await until(async () => (await pending()) === 0);
  await consumers.stop();
});

test('meanwhile they are tried less and less often', async () => {
  const { more } = await counting();
  const tries: number[] = [];
  for (const id of range(1, 10)) await add(id);
  const consumers = start({
    claimAfterMs: HOUR_MS,
    taking: () => {
      tries.push(performance.now());
      throw unavailable('What it needs');
    },
  });
  await until(async () => (await more('failed')) >= 12);
  await consumers.stop();
  // Three at a time. A clock may be some milliseconds early; late it is wherever the machine is busy.
  const pauses = [3, 6, 9].map((place) => (tries[place] as number) - (tries[place - 1] as number));
  for (const [place, least] of [100, 200, 400].entries()) expect(pauses[place]).toBeGreaterThan(0.9 * least);
});

test('meanwhile the news of other streams are read as they come', async () => {
  const other = 'sample.page.changed';
  const { log: kept, lines } = keptLog('warn');
  const heard: number[] = [];
  let isThere = false;
  for (const id of range(1, 10)) await add(id);
  const consumers = startConsumers({
    group: GROUP,
    subscriptions: [
      {
        topic: TOPIC,
        handle: ({ payload }) =>
          isThere
            ? Promise.resolve(void taken.push(Number(payload.id)))
            : Promise.reject(unavailable('What it needs')),
      },
      { topic: other, handle: ({ payload }) => Promise.resolve(void heard.push(Number(payload.id))) },
    ],
    deps: {},
    db,
    redisUrl: testServers().redisUrl,
    prefix,
    log: kept,
    claimAfterMs: HOUR_MS,
  });
  await until(async () => (await pending()) === 10);
  for (const id of range(1, 5)) {
    const payload = JSON.stringify({ id: 100 + id });
    await redis.xAdd(streamKey(prefix, other), '*', { id: String(100 + id), payload });
    await until(() => Promise.resolve(heard.length === id));
  }
  expect(await pending()).toBe(10);
  isThere = true;
  await until(() => Promise.resolve(taken.length === 10));
  await consumers.stop();
  expect(heard).toEqual(range(101, 105));
  expect(lines.filter(({ msg }) => msg.startsWith('domain events cannot be read'))).toEqual([]);
});

test('the same where it cannot be told whether anybody wants them', async () => {
  let asked = 0;
  await add(1);
  const fault = (): Error => (asked === 1 ? new Error('failed on purpose') : unavailable('Who knows it'));
  const consumers = start({
    claimAfterMs: HOUR_MS,
    wants: () => {
      asked += 1;
      return asked < 4 ? Promise.reject(fault()) : Promise.resolve(true);
    },
  });
  await until(async () => (await committed()) === 1);
  await consumers.stop();
  expect([taken, asked]).toEqual([[1], 4]);
});

test('some that alone meet an outage, each time, hold up nothing that comes behind them', async () => {
  for (const id of range(1, 50)) await add(id);
  const consumers = start({
    claimAfterMs: HOUR_MS,
    taking: (id) => {
      if (id <= 4) throw unavailable('What these four need');
    },
  });
  await until(async () => (await committed()) === 46);
  await add(51);
  await until(async () => (await committed()) === 47 && (await pending()) === 4);
  await consumers.stop();
});
