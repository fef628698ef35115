/** The line for a connection: who waits in it gets one, or hears when to come again; who left it has done nothing. */
import http from 'node:http';
import type { PoolClient } from 'pg';
import { type Actor, ACTOR_HEADER, signActor, stranger } from '../actor';
import { ConfigError } from '../config';
import { createLog } from '../log';
import { forRequest } from '../request-id';
import { openRoad } from '../testing/road';
import { type SampleDeps, sampleService } from '../testing/sample';
import { TEST_ACTOR_SECRET, type TestService, startTestService } from '../testing/service';
import { lockWaits, untilLocked } from '../testing/lock-waits';
import { until } from '../testing/until';
import { openListener } from './listen';
import { type Memory, type Remembered, getMany, openMemory } from './memory';

let site: TestService<SampleDeps>;
beforeAll(async () => {
  site = await startTestService(sampleService, {});
});
afterAll(() => site.stop());

const editor: Actor = { ...stranger, id: 7, username: 'ed', capabilities: new Set(['edit_notes']) };

/** All connections that a service may open, until they are given back. */
async function holdAll({ pool } = site.deps.db): Promise<() => void> {
  const held: PoolClient[] = [];
  while (held.length < pool.options.max) held.push(await pool.connect());
  return () => held.splice(0).forEach((client) => client.release());
}
const isIdle = (): boolean => {
  const { pool } = site.deps.db;
  return pool.waitingCount === 0 && pool.idleCount === pool.totalCount;
};

test('a request waits for as long as whoever asked does, however busy the database is', async () => {
  const release = await holdAll();
  const answers = Promise.all([site.as().get('/notes'), site.as(editor).post('/notes', { text: 'late' })]);
  // Five seconds was what the pool gave, however long the caller waited.
  await new Promise((resolve) => setTimeout(resolve, 5_500));
  release();
  expect((await answers).map(({ status }) => status)).toEqual([200, 201]);
});

test('a service whose connections are all busy is ready all the same', async () => {
  const release = await holdAll();
  const answer = await fetch(`${site.url}/readyz`);
  release();
  expect([answer.status, await answer.text()]).toEqual([200, 'ready\n']);
});

test('so is one that reaches its database through a pooler', async () => {
  const direct = site.deps.db.pool.options.connectionString as string;
  const pooler = await openRoad(direct);
  const own = await startTestService(sampleService, {
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: direct,
  });
  try {
    const release = await holdAll(own.deps.db);
    const answer = await fetch(`${own.url}/readyz`);
    release();
    expect([answer.status, await answer.text()]).toEqual([200, 'ready\n']);
  } finally {
    await own.stop();
    await pooler.close();
  }
});

test('for somebody who gave up while he waited nothing is begun', async () => {
  const before = await site.deps.db.first('select count(*) as n from notes');
  const release = await holdAll();
  const request = http.request(`${site.url}/rest/sample/v1/notes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', [ACTOR_HEADER]: signActor(editor, TEST_ACTOR_SECRET) },
  });
  request.on('error', () => undefined).end(JSON.stringify({ text: 'nobody waits for it' }));
  await until(() => site.deps.db.pool.waitingCount === 1);
  const gone = new Promise((resolve) => request.once('close', resolve));
  request.destroy();
  await gone;
  // The service hears of it with the next thing that it hears.
  expect((await fetch(`${site.url}/healthz`)).status).toBe(200);
  release();
  await until(isIdle);
  expect(await site.deps.db.first('select count(*) as n from notes')).toEqual(before);
});

test('however many writes of one wait for what somebody holds, reads go on, and writes of others take turns with them', async () => {
  const { db } = site.deps;
  const ended: string[] = [];
  const write = async (actor: Actor): Promise<number> => {
    const { status } = await site.as(actor).post('/notes', { text: 'in turn' });
    ended.push(actor.username);
    return status;
  };
  let writes: Promise<number>[] = [];
  await db.transaction(async (tx) => {
    await tx.run('lock table notes in share row exclusive mode');
    writes = Array.from({ length: 12 }, () => write(editor));
    await untilLocked(db);
    writes.push(write({ ...editor, id: 8, username: 'other' }));
    for (let n = 0; n < 3; n++) expect((await site.as().get('/notes')).status).toBe(200);
  });
  expect(await Promise.all(writes)).toEqual(Array.from({ length: 13 }, () => 201));
  expect(ended.indexOf('other')).toBeLessThan(6);
});

test('a write that waits for its turn longer than it may is told when to come again, and nothing of it is done', async () => {
  const own = await startTestService(sampleService, { DATABASE_WAIT_SECONDS: 1 });
  try {
    const { db } = own.deps;
    let first: Promise<{ status: number }>[] = [];
    await db.transaction(async (tx) => {
      await tx.run('lock table notes in share row exclusive mode');
      first = Array.from({ length: 2 }, () => own.as(editor).post('/notes', { text: 'first' }));
      await until(async () => (await lockWaits(db)) === 2);
      const late = await own.as(editor).post('/notes', { text: 'late' });
      expect([late.status, late.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-9]/)]);
    });
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([201, 201]);
    expect(await db.rows('select text from notes')).toEqual([{ text: 'first' }, { text: 'first' }]);
  } finally {
    await own.stop();
  }
});

test('nobody serves who would wait for longer than the gateway does', async () => {
  const start = (settings: Record<string, unknown>) => startTestService(sampleService, settings);
  const settings = { DATABASE_WAIT_SECONDS: 10, REQUEST_TIMEOUT_SECONDS: 10 };
  await expect(start(settings)).rejects.toThrow(
    new ConfigError([
      'DATABASE_WAIT_SECONDS: must be less than REQUEST_TIMEOUT_SECONDS, which is "10" (got "10")',
    ]),
  );
  // Whoever only works answers to nobody.
  for (const other of [{ ROLE: 'worker' }, { REQUEST_TIMEOUT_SECONDS: 11 }])
    await (await start({ ...settings, ...other })).stop();
});

describe('what is remembered for all', () => {
  interface One {
    readonly n: number;
  }
  const log = createLog('test', 'api', 'silent');
  let stop: () => Promise<void>;
  let memory: Memory<'notes'>;
  let kept: Remembered<One | undefined>;
  beforeAll(async () => {
    const url = String(site.deps.db.pool.options.connectionString);
    const listener = openListener({ url, application: 'test', log });
    stop = () => listener.stop();
    memory = openMemory(listener, ['notes']);
    kept = memory.cache<One | undefined>(['notes'], { lifetimeMs: 60_000, most: 10 });
    await new Promise<void>((resolve) => memory.onGap(resolve));
  });
  afterAll(() => stop());

  const read = (): Promise<One | undefined> => site.deps.db.first<One>('select 1 as n');
  const ways: readonly [string, () => Promise<unknown>][] = [
    ['one', () => kept.get('one', read)],
    ['several', () => getMany(kept, ['a'], String, async () => new Map([['a', (await read()) as One]]))],
  ];
  test.each(ways)('is not given up with whoever asked for it first: %s', async (_, get) => {
    const ask = ({ signal }: AbortController): Promise<unknown> =>
      forRequest('', get, { asker: { signal: () => signal, isGone: () => signal.aborted } });
    const release = await holdAll();
    const leaving = new AbortController();
    const answers = Promise.all([ask(leaving), ask(new AbortController())]);
    await until(() => site.deps.db.pool.waitingCount === 1);
    leaving.abort();
    release();
    const found = (await answers).flat();
    expect(found).toEqual([{ n: 1 }, { n: 1 }]);
  });
});
