/** Sessions that a busy time has filled are replaced when nobody needs them. */
import path from 'node:path';
import { createLog } from '../log';
import { type TestDatabase, createTestDatabase } from '../testing/database';
import { startFreezable } from '../testing/freezable';
import { openDatabase } from './pool';
import { renewIdle } from './renew';
import type { Database } from './sql';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase(path.resolve(__dirname, '../testing/sample-migrations'));
});
afterAll(() => database.drop());
const log = createLog('test', 'api', 'silent');
beforeEach(() => {
  db = openDatabase({ url: database.url, size: 4, application: 'renewed', log });
});
afterEach(() => db.close());

const SESSION = 'select pg_backend_pid() as pid';
const session = async (of: Pick<Database, 'first'> = db): Promise<number> =>
  ((await of.first<{ pid: number }>(SESSION)) as { pid: number }).pid;
const four = (): Promise<number[]> =>
  Promise.all(Array.from({ length: 4 }, () => db.transaction(async (tx) => session(tx))));

test('those that are idle end, and one new one waits for whoever comes', async () => {
  const before = new Set([...(await four()), await session()]);
  const idle = db.pool.idleCount;
  expect(idle).toBeGreaterThan(1);

  await renewIdle(db.pool);

  expect([db.pool.totalCount, db.pool.idleCount]).toEqual([1, 1]);
  const after = await session();
  expect(before.has(after)).toBe(false);
  expect(await session()).toBe(after);
});

test('one that somebody works with stays, whose work goes on', async () => {
  await db.transaction(async (tx) => {
    const own = await session(tx);
    await session();
    await renewIdle(db.pool);
    expect(await session(tx)).toBe(own);
  });
  expect(db.pool.totalCount).toBe(2);
});

test('a pool that was never used opens nothing', async () => {
  await renewIdle(db.pool);
  expect(db.pool.totalCount).toBe(0);
});

test('who comes meanwhile is served, and nobody is left without a place', async () => {
  await four();
  const renewed = renewIdle(db.pool);
  const served = await Promise.all(Array.from({ length: 40 }, () => session()));
  await renewed;
  expect(served).toHaveLength(40);
  // All places are free again: as many at once as there are.
  expect(new Set(await four()).size).toBeGreaterThan(1);
});

test('a pool that is closed meanwhile is closed', async () => {
  await session();
  // Whoever waits for a place in it hears of the end with his time-out.
  const closing = openDatabase({ url: database.url, size: 4, application: 'renewed', log, waitMs: 200 });
  await session(closing);
  const renewed = renewIdle(closing.pool);
  await closing.close();
  await expect(renewed).resolves.toBeUndefined();
  expect(closing.pool.totalCount).toBe(0);
});

test('a server that does not answer is no fault of it, and whoever comes when it does is served', async () => {
  const behind = new URL(database.url);
  const door = await startFreezable(Number(behind.port));
  behind.port = String(door.port);
  const own = openDatabase({ url: behind.href, size: 1, application: 'renewed', log, connectMs: 300 });
  try {
    const pid = await session(own);
    door.freeze();
    await renewIdle(own.pool);
    expect(own.pool.totalCount).toBe(0);
    door.thaw();
    expect(await session(own)).not.toBe(pid);
  } finally {
    door.thaw();
    await own.close();
    await door.stop();
  }
});
