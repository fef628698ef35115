/** One connection hears for everybody; what it misses while it is away is told, and what one hearer throws is its own. */
import path from 'node:path';
import { createLog } from '../log';
import { type TestDatabase, createTestDatabase } from '../testing/database';
import { startFreezable } from '../testing/freezable';
import { until } from '../testing/until';
import { type Listener, openListener } from './listen';
import { type Memory, openMemory } from './memory';
import { openDatabase } from './pool';
import type { Database } from './sql';

const log = createLog('test', 'api', 'silent');
let database: TestDatabase;
let db: Database;
let listener: Listener;

beforeAll(async () => {
  database = await createTestDatabase(path.resolve(__dirname, '../testing/sample-migrations'));
  db = openDatabase({ url: database.url, size: 2, application: 'test', log });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() => {
  listener = openListener({ url: database.url, application: 'test', log });
});
afterEach(() => listener.stop());

const say = (channel: string, payload = ''): Promise<number> =>
  db.run('select pg_notify($1, $2)', [channel, payload]);
const LISTENERS = `from pg_stat_activity where datname = current_database() and application_name like '%-listener'`;
const connections = async (): Promise<number | undefined> =>
  (await db.first<{ n: number }>(`select count(*) as n ${LISTENERS}`))?.n;
const cut = (): Promise<number> => db.run(`select pg_terminate_backend(pid) ${LISTENERS}`);

/** Hears the channels and notes what it is told. */
function hear(channels: readonly string[]): { news: string[]; deafen: () => void; connected: Promise<void> } {
  const news: string[] = [];
  let deafen = (): void => undefined;
  const connected = new Promise<void>((resolve) => {
    deafen = listener.hear({
      channels,
      onMessage: (channel, payload) => news.push(`${channel}: ${payload}`),
      onConnected: () => {
        news.push('connected');
        resolve();
      },
      onLost: () => news.push('lost'),
    });
  });
  return { news, deafen: () => deafen(), connected };
}

test('all hear over one connection, whoever comes late as well, and each its own channels only', async () => {
  expect(await connections()).toBe(0);
  const one = hear(['a']);
  await one.connected;
  const two = hear(['b', 'c']);
  await two.connected;
  await say('a', '1');
  await say('c', '2');
  await until(() => two.news.length === 2);
  expect(one.news).toEqual(['connected', 'a: 1']);
  expect(two.news).toEqual(['connected', 'c: 2']);
  expect(await connections()).toBe(1);
  one.deafen();
  await say('a', '3');
  await say('b', '4');
  await until(() => two.news.length === 3);
  expect(one.news).toHaveLength(2);
});

test('a lost connection is told to all, once, and another one takes its place for all', async () => {
  const all = [hear(['a']), hear(['b'])];
  await Promise.all(all.map(({ connected }) => connected));
  await cut();
  await until(() => all.every(({ news }) => news.length === 3));
  await say('a', '1');
  await say('b', '2');
  await until(() => all.every(({ news }) => news.length === 4));
  expect(all.map(({ news }) => news)).toEqual([
    ['connected', 'lost', 'connected', 'a: 1'],
    ['connected', 'lost', 'connected', 'b: 2'],
  ]);
  // The server says that it ends one before it has.
  await until(async () => (await connections()) === 1);
});

test('who may not connect any more says so once, and once more when he may', async () => {
  const role = `listens_${process.pid}`;
  const url = new URL(database.url);
  url.username = role;
  url.password = 'secret';
  await db.run(`create role ${role} login password 'secret'`);
  await listener.stop();
  const lines: { level: string; msg: string; err?: { message: string } }[] = [];
  const noting = createLog('test', 'api', 'info', {
    write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]),
  });
  listener = openListener({ url: url.href, application: 'test', log: noting });
  try {
    const { news, connected } = hear(['a']);
    await connected;
    await cut();
    await until(() => news.length === 3);
    // A connection that is made anew at once is no news.
    expect(lines).toEqual([]);
    await db.run(`alter role ${role} nologin`);
    await cut();
    await until(() => lines.length > 0);
    const timers = jest.spyOn(globalThis, 'setTimeout');
    await until(() => timers.mock.calls.some(([, after]) => after === 800));
    timers.mockRestore();
    await db.run(`alter role ${role} login`);
    await until(() => news.length === 5);
    await until(() => lines.length === 2);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'warn',
        msg: expect.stringContaining('cannot listen to the database'),
      }),
      expect.objectContaining({ level: 'info', msg: 'the database is listened to again' }),
    ]);
    expect(lines[0]?.err?.message).toContain('not permitted to log in');
  } finally {
    await listener.stop();
    await until(async () => (await connections()) === 0);
    await db.run(`drop role ${role}`);
  }
});

test('a server that lets nobody listen, as a standby does, is asked less and less often', async () => {
  const timers = jest.spyOn(globalThis, 'setTimeout');
  try {
    hear(['']);
    const isAsked = (ms: number): boolean => timers.mock.calls.some(([, after]) => after === ms);
    await until(() => [100, 200, 400, 800].every(isAsked));
  } finally {
    timers.mockRestore();
  }
});

test('a connection to a machine that is gone is lost to whoever asks on it, and another one takes its place', async () => {
  const url = new URL(database.url);
  const door = await startFreezable(Number(url.port));
  url.port = String(door.port);
  await listener.stop();
  listener = openListener({ url: url.toString(), application: 'test', log });
  try {
    const { news, connected } = hear(['a']);
    await connected;
    await listener.probe();
    door.lose();
    await expect(listener.probe()).rejects.toThrow('the database does not answer');
    await until(() => news.length === 3);
    await say('a', '1');
    await until(() => news.length === 4);
    expect(news).toEqual(['connected', 'lost', 'connected', 'a: 1']);
  } finally {
    await listener.stop();
    await door.stop();
  }
});

test('what a transaction has told it tells no second time, but again what a part that was undone had told', async () => {
  const { news, connected } = hear(['news']);
  await connected;
  const number = await db.transaction(async (tx) => {
    const tell = (...tags: string[]): Promise<unknown> =>
      tx.rows('select tell_news(variadic $1::text[])', [tags]);
    await tell('post:1', 'words');
    await tell('post:1');
    await tell('words', 'post:1');
    await tell('post:1', 'post:12');
    await tx.run('savepoint here');
    await tell('term:5');
    await tx.run('rollback to here');
    await tell('term:5');
    await tell('term:5');
    return (await tx.first<{ number: string }>('select pg_current_xact_id()::text as number'))?.number;
  });
  await db.rows(`select tell_news('post:1')`);
  await until(() => news.length === 5);
  const [, ...told] = news;
  expect(told.slice(0, 3)).toEqual(
    ['post:1|words', 'post:1|post:12', 'term:5'].map((tags) => `news: ${number} ${tags}`),
  );
  expect(told[3]).toMatch(/^news: \d+ post:1$/);
});

test('what a hearer throws reaches neither the process nor the others', async () => {
  const fail = (): never => {
    throw new Error('not taken in');
  };
  listener.hear({ channels: ['a'], onMessage: fail, onConnected: fail, onLost: fail });
  const other = hear(['a']);
  await other.connected;
  await say('a', '1');
  // A connection that ends may take with it what was said just before.
  await until(() => other.news.length === 2);
  await cut();
  await until(() => other.news.length === 4);
  expect(other.news).toEqual(['connected', 'a: 1', 'lost', 'connected']);
});

describe('what is remembered', () => {
  const bounds = { lifetimeMs: 60_000, most: 2 };
  /** A memory that keeps things, and what counts how often something is loaded. */
  async function remembering(): Promise<{ memory: Memory<'a' | 'b'>; load: () => Promise<number> }> {
    const memory = openMemory(listener, ['a', 'b']);
    const live = new Promise<void>((resolve) => memory.onGap(resolve));
    let loads = 0;
    const load = (): Promise<number> => Promise.resolve(++loads);
    await live;
    return { memory, load };
  }

  test('stays until one of its channels speaks or its own process writes', async () => {
    const { memory, load } = await remembering();
    const kept = memory.cache<number>(['a'], bounds);
    expect([await kept.get('x', load), await kept.get('x', load)]).toEqual([1, 1]);
    const said = new Promise<void>((resolve) => memory.onMessage('b', () => resolve()));
    await say('b');
    await said;
    expect(await kept.get('x', load)).toBe(1);
    await say('a');
    await until(async () => (await kept.get('x', load)) === 2);
    memory.forget('a');
    expect(await kept.get('x', load)).toBe(3);
  });

  test('is bounded, and what was asked for last stays', async () => {
    const { memory, load } = await remembering();
    const kept = memory.cache<number>(['a'], bounds);
    for (const key of ['x', 'y', 'x', 'z']) await kept.get(key, load);
    expect(await kept.get('x', load)).toBe(1);
    expect(await kept.get('y', load)).toBe(4);
  });

  test('has a key for each question, however long that is', async () => {
    const { memory, load } = await remembering();
    const kept = memory.cache<number>(['a'], bounds);
    const long = 'x'.repeat(30_000);
    const loads: number[] = [];
    for (const key of [`${long}1`, `${long}2`, `${long}1`, `${long}2`]) loads.push(await kept.get(key, load));
    expect(loads).toEqual([1, 2, 1, 2]);
  });

  test('is bounded by what it takes, too: what is too large for all of it is not kept', async () => {
    const { memory } = await remembering();
    const kept = memory.cache<string>(['a'], { ...bounds, most: 5, placesOf: ({ length }) => length });
    const loaded: string[] = [];
    const get = (value: string): Promise<string> =>
      kept.get(value, () => {
        loaded.push(value);
        return Promise.resolve(value);
      });
    for (const value of ['xx', 'yy', 'xx', 'zz', 'xx', 'too large']) await get(value);
    for (const value of ['xx', 'zz', 'yy', 'too large']) await get(value);
    expect(loaded).toEqual(['xx', 'yy', 'zz', 'too large', 'yy', 'too large']);
  });

  test('what began to load before a write is neither joined nor kept after it, and takes nothing newer with it', async () => {
    const { memory, load } = await remembering();
    const kept = memory.cache<number>(['a'], bounds);
    let refuse = (_error: Error): void => undefined;
    const early = kept.get('x', () => new Promise<number>((_resolve, reject) => (refuse = reject)));
    memory.forget('a');
    expect(await kept.get('x', load)).toBe(1);
    refuse(new Error('too late'));
    await expect(early).rejects.toThrow('too late');
    expect(await kept.get('x', load)).toBe(1);
  });

  test('a load that fails is tried again', async () => {
    const { memory, load } = await remembering();
    const kept = memory.cache<number>(['a'], bounds);
    await expect(kept.get('x', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await kept.get('x', load)).toBe(1);
  });

  test('nothing is, before somebody listens and while the connection is away', async () => {
    const nowhere = openListener({ url: 'postgres://nobody@127.0.0.1:1/nothing', application: 'test', log });
    try {
      const kept = openMemory(nowhere, ['a']).cache<number>(['a'], bounds);
      let loads = 0;
      const load = (): Promise<number> => Promise.resolve(++loads);
      expect([await kept.get('x', load), await kept.get('x', load)]).toEqual([1, 2]);
    } finally {
      await nowhere.stop();
    }
  });

  test('is dropped when the connection is lost', async () => {
    const { memory, load } = await remembering();
    const kept = memory.cache<number>(['a'], bounds);
    expect(await kept.get('x', load)).toBe(1);
    const gap = new Promise<void>((resolve) => memory.onGap(resolve));
    await cut();
    await gap;
    expect(await kept.get('x', load)).toBe(2);
  });
});
