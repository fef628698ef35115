/** A database that goes away: a fault of the work under way, never the end of the process. */
import path from 'node:path';
import { toApiError } from '../errors';
import { createLog } from '../log';
import { type TestDatabase, createTestDatabase } from '../testing/database';
import { startFreezable } from '../testing/freezable';
import { until } from '../testing/until';
import { openDatabase } from './pool';
import type { Database } from './sql';

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

test('a connection whose end is read together with an answer, as it passes to who waits, harms nobody else', async () => {
  const server = new URL(database.url);
  const door = await startFreezable(Number(server.port));
  server.hostname = '127.0.0.1';
  server.port = String(door.port);
  const db = openDatabase({ url: server.href, size: 1, application: 'test', log });
  const direct = openDatabase({ url: database.url, size: 1, application: 'test', log });
  try {
    const own = await db.first<{ pid: number }>('select pg_backend_pid() as pid');
    // The answer and the end of the session stay on the way until both are there.
    const asked = db.pool.query('select 1 from pg_sleep(0.3)');
    await until(() => isIn(direct, own?.pid, 'active'));
    door.freeze();
    const next = db.transaction((tx) => tx.first('select 2 as two'));
    const outcome = next.catch((error: unknown) => toApiError(error).status);
    await until(() => isIn(direct, own?.pid, 'idle'));
    await direct.run('select pg_terminate_backend($1)', [own?.pid]);
    await until(async () => !(await isIn(direct, own?.pid)));
    door.thaw();
    expect((await asked).rowCount).toBe(1);
    expect(await outcome).toBe(503);
    expect(await db.first('select 1 as one')).toEqual({ one: 1 });
  } finally {
    await db.close();
    await direct.close();
    await door.stop();
  }
});

/** Whether the session is there, in this state. */
const isIn = async (db: Database, pid = 0, state?: string): Promise<boolean> =>
  (await db.first('select from pg_stat_activity where pid = $1 and ($2::text is null or state = $2)', [
    pid,
    state ?? null,
  ])) !== undefined;

test('a transaction that the server has ended, since the process stood still in it, fails as one that was lost', async () => {
  const db = openDatabase({ url: database.url, size: 1, application: 'test', log });
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  try {
    const lost = db.transaction(async (tx) => {
      await tx.run('set local idle_in_transaction_session_timeout = 10');
      for (;;) {
        Atomics.wait(stopped, 0, 0, 50);
        await tx.run('select 1');
      }
    });
    await expect(lost.catch((error: unknown) => toApiError(error).status)).resolves.toBe(503);
    expect(await db.first('select 1 as one')).toEqual({ one: 1 });
  } finally {
    await db.close();
  }
});

test('a transaction with a machine that is gone ends with the statement that is not answered', async () => {
  const url = new URL(database.url);
  const door = await startFreezable(Number(url.port));
  url.port = String(door.port);
  const db = openDatabase({
    url: url.toString(),
    size: 2,
    application: 'test',
    log,
    statementTimeoutMs: 1_000,
  });
  const ends: string[] = [];
  const noted = (what: string, work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: Error) => ends.push(`${what}: ${error.message}`));
  let later: Promise<unknown> | undefined;
  try {
    await Promise.all([db.first('select pg_sleep(0.1)'), db.first('select pg_sleep(0.1)')]);
    const transaction = db.transaction(async (tx) => {
      await tx.run('select 1');
      door.lose();
      await tx.run('select 1').catch(async (error: Error) => {
        // Asked before whatever the transaction might still ask, and given as much time.
        later = noted('later', db.run('select 1'));
        await until(() => db.pool.idleCount === 0);
        throw error;
      });
    });
    await noted('transaction', transaction);
    await later;
    expect(ends).toEqual(['transaction: Query read timeout', 'later: Query read timeout']);
  } finally {
    await db.close();
    await door.stop();
  }
});

test.each(['a transaction', 'a statement that waited for its connection'])(
  'a server that takes no writes fails %s as one that is away, and the next one finds the server that does',
  async (what) => {
    const db = openDatabase({ url: database.url, size: 1, application: 'test', log });
    const direct = openDatabase({ url: database.url, size: 1, application: 'test', log });
    const write = (): Promise<unknown> => {
      const text = `insert into notes (text) values ('kept')`;
      if (what === 'a transaction') return db.transaction((tx) => tx.run(text));
      return Promise.all([db.first('select pg_sleep(0.1)'), db.run(text)]);
    };
    const alter = (how: string): Promise<number> =>
      direct.run(`alter database ${new URL(database.url).pathname.slice(1)} ${how}`);
    try {
      // As of sessions that were made while the address led to a copy: they stay what they were.
      await alter('set default_transaction_read_only = on');
      const refused = await write().catch((error: unknown) => toApiError(error));
      expect(refused).toMatchObject({ status: 503, code: 'service_unavailable' });
      await alter('reset default_transaction_read_only');
      await expect(write()).resolves.toBeDefined();
    } finally {
      await db.close();
      await direct.close();
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
