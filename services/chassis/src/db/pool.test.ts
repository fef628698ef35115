/** A database that goes away: a fault of the work under way, never the end of the process. */
import path from 'node:path';
import { toApiError } from '../errors';
import { createLog } from '../log';
import { type TestDatabase, createTestDatabase } from '../testing/database';
import { until } from '../testing/until';
import { openDatabase } from './pool';

const log = createLog('test', 'api', 'silent');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase(path.resolve(__dirname, '../testing/sample-migrations'));
});
afterAll(() => database.drop());

test.each(['between two statements', 'in the middle of one'])(
  'a connection that is lost %s fails its transaction and nothing else',
  async (when) => {
    const db = openDatabase({ url: database.url, size: 2, application: 'test', log });
    try {
      const lost = db.transaction(async (tx) => {
        const own = await tx.first<{ pid: number }>('select pg_backend_pid() as pid');
        const running = when === 'in the middle of one' ? tx.run('select pg_sleep(60)') : undefined;
        // Told at once, so that the rejection is never without somebody who waits for it.
        const outcome = running?.then(
          () => undefined,
          (error: Error) => error,
        );
        await db.run('select pg_terminate_backend($1)', [own?.pid]);
        const fault = await outcome;
        if (fault) throw fault;
        for (;;) await tx.run('select 1');
      });
      await expect(lost.catch((error: unknown) => toApiError(error).status)).resolves.toBe(503);
      expect(await db.first('select 1 as one')).toEqual({ one: 1 });
    } finally {
      await db.close();
    }
  },
);

test('a statement that was stopped is a 504 that says when to come again', async () => {
  const db = openDatabase({ url: database.url, size: 1, application: 'test', log, statementTimeoutMs: 50 });
  try {
    const stopped = await db.run('select pg_sleep(60)').catch((error: unknown) => toApiError(error));
    expect(stopped).toMatchObject({
      status: 504,
      code: 'upstream_timeout',
      headers: { 'Retry-After': expect.stringMatching(/^[1-9]/) },
    });
  } finally {
    await db.close();
  }
});

test('connections of a busy moment go soon after it, but one stays for whoever comes now and then', async () => {
  const db = openDatabase({ url: database.url, size: 4, application: 'test', log, idleMs: 200 });
  const pidAfter = async (seconds: number): Promise<number | undefined> =>
    (await db.first<{ pid: number }>('select pg_backend_pid() as pid, pg_sleep($1)', [seconds]))?.pid;
  try {
    const pids = await Promise.all([pidAfter(0.1), pidAfter(0.1), pidAfter(0.1), pidAfter(0.1)]);
    expect(new Set(pids).size).toBe(4);
    await until(() => db.pool.totalCount < 2);
    expect(pids).toContain(await pidAfter(0));
  } finally {
    await db.close();
  }
});
