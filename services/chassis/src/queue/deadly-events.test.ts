/** Domain events whose consumers are killed: real processes, one after the other, of which each takes over from the one before. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import type { Database } from '../db/sql';
import { unavailable } from '../errors';
import { createLog } from '../log';
import { testServers } from '../testing/servers';
import { type TestStores, openTestStores } from '../testing/stores';
import { until } from '../testing/until';
import { startConsumers } from './events';
import { streamKey } from './forgotten';
import type { RedisClient } from './redis';
import { type TakeIn, openTakeIn } from './take-in';

const TOPIC = 'sample.note.changed';
const GROUP = 'reader';
const MOST_TRIES = 3;
const log = createLog('events', 'test', 'silent');
const source = (name: string): string => JSON.stringify(path.join(__dirname, '..', name));

/** Ends by its own hand when it comes to the deadly event, else when nothing is left; then it tells what it counted. */
const PROGRAM = `
  const { openDatabase } = require(${source('db/pool.ts')});
  const { createLog } = require(${source('log.ts')});
  const { startConsumers } = require(${source('queue/events.ts')});
  const { eventsTotal } = require(${source('queue/metrics.ts')});
  const { streamKey } = require(${source('queue/forgotten.ts')});
  const { openRedis } = require(${source('queue/redis.ts')});
  const { DATABASE_URL, REDIS_URL, PREFIX } = process.env;
  const log = createLog('deadly', 'test', 'error');
  const db = openDatabase({ url: DATABASE_URL, size: 4, application: 'deadly', log });
  const consumers = startConsumers({
    group: '${GROUP}',
    subscriptions: [{
      topic: '${TOPIC}',
      handle: async ({ tx, payload }) => {
        if (payload.deadly) process.kill(process.pid, 'SIGKILL');
        await tx.run("insert into notes (text) values ('taken in')");
      },
    }],
    deps: {}, db, redisUrl: REDIS_URL, prefix: PREFIX, log, claimAfterMs: 300, mostTries: ${MOST_TRIES},
  });
  const redis = openRedis(REDIS_URL, log);
  const isDone = async () =>
    (await db.rows('select 1 from inbox')).length >= 3 &&
    // What is in the database is told to Redis afterwards.
    (await redis.xPending(streamKey(PREFIX, '${TOPIC}'), '${GROUP}')).pending === 0;
  setInterval(async () => {
    if (!(await isDone().catch(() => false))) return;
    await consumers.stop();
    const { values } = await eventsTotal.get();
    console.log(JSON.stringify({ counted: values.map(({ labels, value }) => [labels.outcome, value]) }));
    process.exit(0);
  }, 100);`;

let stores: TestStores;
let db: Database;
let redis: RedisClient;
let prefix: string;
let stream: string;
beforeAll(async () => {
  stores = await openTestStores(4);
  ({ db, redis } = stores);
});
afterAll(() => stores.stop());
beforeEach(async () => {
  prefix = `test-deadly-events-${randomBytes(6).toString('hex')}`;
  stream = streamKey(prefix, TOPIC);
  await redis.xGroupCreate(stream, GROUP, '0', { MKSTREAM: true });
});

const add = (id: number, payload: object): Promise<string> =>
  redis.xAdd(stream, '*', { id: String(id), payload: JSON.stringify(payload) });
const triesLeft = () => db.rows('select event_id, tries from event_tries');

interface End {
  readonly signal: string | null;
  readonly lines: readonly Record<string, unknown>[];
}
async function runChild(): Promise<End> {
  const child = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), '--eval', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: stores.databaseUrl,
      REDIS_URL: testServers().redisUrl,
      PREFIX: prefix,
    },
  });
  let text = '';
  child.stdout.on('data', (piece: Buffer) => (text += piece.toString()));
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  const lines = text.split('\n').filter((line) => line !== '');
  return { signal, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

test('one that ends each process it comes to is set aside, and those behind it are taken in', async () => {
  await add(1, {});
  await add(2, { deadly: true });
  await add(3, {});
  let killed = 0;
  let end = await runChild();
  for (; end.signal === 'SIGKILL'; end = await runChild()) killed += 1;
  expect(killed).toBe(MOST_TRIES);
  expect(await db.rows('select text from notes')).toEqual([{ text: 'taken in' }, { text: 'taken in' }]);
  expect(end.lines).toEqual([
    expect.objectContaining({ level: 'error', topic: TOPIC, event: '2', payload: '{"deadly":true}' }),
    { counted: expect.arrayContaining([['set aside', 1]]) as unknown },
  ]);
  // Of the others nothing is left.
  expect(await triesLeft()).toEqual([{ event_id: `${TOPIC}/2`, tries: MOST_TRIES - 1 }]);
  expect((await redis.xPending(stream, GROUP)).pending).toBe(0);
});

test('failures and what is away count for nothing, however often they come: the process lives', async () => {
  await db.run('delete from inbox');
  await db.run('delete from event_tries');
  const faults = [new Error('failed on purpose'), unavailable('a neighbour')];
  let tries = 0;
  let last = 1;
  await add(last, { faulty: true });
  const consumers = startConsumers({
    group: GROUP,
    subscriptions: [
      {
        topic: TOPIC,
        handle: ({ payload }) => {
          if (!payload.faulty) return Promise.resolve();
          tries += 1;
          return tries > 2 * MOST_TRIES ? Promise.resolve() : Promise.reject(faults[tries % 2] as Error);
        },
      },
    ],
    deps: {},
    db,
    redisUrl: testServers().redisUrl,
    prefix,
    log,
    claimAfterMs: 50,
    mostTries: MOST_TRIES,
  });
  try {
    await until(async () => {
      // The reader would wait for news between its claims.
      await add(++last, {});
      return (await db.first(`select from inbox where event_id = '${TOPIC}/1'`)) !== undefined;
    });
  } finally {
    await consumers.stop();
  }
  expect(tries).toBe(2 * MOST_TRIES + 1);
  expect(await triesLeft()).toEqual([]);
});

describe('one that ended processes before', () => {
  beforeEach(async () => {
    for (const table of ['inbox', 'event_tries']) await db.run(`delete from ${table}`);
  });
  const name = (id: number): string => `${TOPIC}/${id}`;
  const ended = (id: number, processes: number) =>
    db.run('insert into event_tries (consumer, event_id, tries) values ($1, $2, $3)', [
      GROUP,
      name(id),
      processes - 1,
    ]);
  /** Answers what became of it, and how many tries were written down while it was handled. */
  const give = async (takeIn: TakeIn<object>, id: number, isAgain = true, meanwhile = '') => {
    let written: number | undefined;
    const became = await takeIn({
      row: {
        topic: TOPIC,
        handle: async ({ tx }) => {
          const find = 'select tries from event_tries where event_id = $1';
          written = (await db.first<{ tries: number }>(find, [name(id)]))?.tries ?? 0;
          if (meanwhile !== '') await tx.run(meanwhile);
        },
      },
      message: { id: String(id), payload: '{}' },
      isAgain,
    });
    return [became, written];
  };

  test('is begun again up to the last try, and set aside once', async () => {
    const takeIn = openTakeIn({ group: GROUP, deps: {}, db, log, mostTries: MOST_TRIES });
    await ended(11, MOST_TRIES - 1);
    await ended(12, MOST_TRIES);
    expect(await give(takeIn, 10, false)).toEqual(['taken', 0]);
    expect(await give(takeIn, 10)).toEqual(['repeated', undefined]);
    expect(await give(takeIn, 11)).toEqual(['taken', MOST_TRIES - 1]);
    expect(await give(takeIn, 12)).toEqual(['set aside', undefined]);
    expect(await give(takeIn, 12)).toEqual(['repeated', undefined]);
    // Whatever was written down for this process is taken back, and nothing else.
    expect(await triesLeft()).toEqual([
      { event_id: name(11), tries: MOST_TRIES - 2 },
      { event_id: name(12), tries: MOST_TRIES - 1 },
    ]);
  });

  test('has as many tries as a job', async () => {
    const takeIn = openTakeIn({ group: GROUP, deps: {}, db, log });
    await ended(11, 9);
    await ended(12, 10);
    expect(await give(takeIn, 11)).toEqual(['taken', 9]);
    expect(await give(takeIn, 12)).toEqual(['set aside', undefined]);
  });

  test('loses a try that could not be taken back with the next one', async () => {
    const takeIn = openTakeIn({ group: GROUP, deps: {}, db, log });
    expect(await give(takeIn, 11, true, 'alter table event_tries rename to elsewhere')).toEqual(['taken', 1]);
    await db.run('alter table elsewhere rename to event_tries');
    expect(await triesLeft()).toEqual([{ event_id: name(11), tries: 1 }]);
    expect(await give(takeIn, 12)).toEqual(['taken', 1]);
    expect(await triesLeft()).toEqual([]);
    // Another process has begun it since: that try is not this one's.
    await ended(11, 3);
    expect(await give(takeIn, 13)).toEqual(['taken', 1]);
    expect(await triesLeft()).toEqual([{ event_id: name(11), tries: 2 }]);
  });
});
