/** A job that its worker has in hand: while its outcome cannot be written down, and when the worker stops. */
import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { Client } from 'pg';
import { enqueue } from '../db/outbox';
import { type Listener, openListener } from '../db/listen';
import { openDatabase } from '../db/pool';
import type { Database } from '../db/sql';
import { createLog } from '../log';
import { type TestStores, openTestStores } from '../testing/stores';
import { until } from '../testing/until';
import { type Job, job } from './jobs';
import { type Relay, startRelay } from './relay';
import { type Workers, startWorkers } from './workers';

const silent = createLog('in-hand', 'test', 'silent');
const WORKER = 'in-hand-worker';
let stores: TestStores;
let listener: Listener;
let relay: Relay;
/** Of the worker alone: its sessions end without anybody else's. */
let db: Database;
let prefix: string;
let workers: Workers | undefined;
beforeAll(async () => {
  stores = await openTestStores(4);
  listener = openListener({ url: stores.databaseUrl, application: 'test', log: silent });
});
beforeEach(() => {
  prefix = `test-in-hand-${randomBytes(6).toString('hex')}`;
  db = openDatabase({ url: stores.databaseUrl, size: 6, application: WORKER, log: silent });
  relay = startRelay({ db: stores.db, listener, redis: stores.redis, prefix, log: silent });
});
afterEach(async () => {
  await readOnly(false);
  await workers?.stop();
  await relay.stop();
  await db.close();
});
afterAll(async () => {
  await listener.stop();
  await stores.stop();
});

const start = (row: Job<object>, log = silent): Workers =>
  (workers = startWorkers({ jobs: [row], deps: {}, db, redis: stores.redis, prefix, log }));
const promise = (maxAttempts: number): Promise<number> =>
  enqueue(stores.db, 'sample.notes', 'in-hand', {}, { maxAttempts });
const state = (id: number): Promise<object | undefined> =>
  stores.db.first(
    `select done_at is not null as done, failed_at is not null as failed, attempts, max_attempts, waits, last_error
     from outbox where id = $1`,
    [id],
  );

/** Lets the worker read and no more, as of a server that was shut to writes. */
async function readOnly(isOn: boolean): Promise<void> {
  const client = new Client({ connectionString: stores.databaseUrl });
  await client.connect();
  const name = new URL(stores.databaseUrl).pathname.slice(1);
  await client.query('set default_transaction_read_only = off');
  await client.query(
    `alter database ${name} ${isOn ? 'set' : 'reset'} default_transaction_read_only${isOn ? ' = on' : ''}`,
  );
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1',
    [WORKER],
  );
  await client.end();
}

/** How many transactions of the worker have failed. */
function countFailed(): () => number {
  const whole = db;
  let failed = 0;
  db = {
    ...whole,
    transaction: (work) =>
      whole.transaction(work).catch((error: unknown) => {
        failed += 1;
        throw error;
      }),
  };
  return () => failed;
}

describe('while its outcome cannot be written down', () => {
  test.each([
    ['what was prepared is kept, and done with in the end', undefined, { attempts: 1, last_error: null }],
    ['what failed is not tried again before it is', new Error('failed'), { attempts: 2, last_error: null }],
  ])('%s', async (_, fault, ends) => {
    const prepared: number[] = [];
    const handled: unknown[] = [];
    const id = await promise(5);
    const failed = countFailed();
    start(
      job<object, object, string>({
        queue: 'sample.notes',
        name: 'in-hand',
        prepare: async ({ attempt }) => {
          prepared.push(attempt);
          if (attempt > 1) return 'again';
          await readOnly(true);
          if (fault) throw fault;
          return 'sent';
        },
        handle: (_call, made) => Promise.resolve(void handled.push(made)),
      }),
    );
    // Some rounds, each to its end: without a fault there are two in one.
    await until(() => failed() >= (fault ? 4 : 8));
    expect([prepared, handled]).toEqual([[1], []]);
    await readOnly(false);
    await until(async () => ((await state(id)) as { done: boolean }).done);
    expect(prepared).toEqual(fault ? [1, 2] : [1]);
    expect(handled).toEqual([fault ? 'again' : 'sent']);
    expect(await state(id)).toMatchObject({ done: true, failed: false, ...ends });
  });
});

test('when its worker stops it is given back as it was, and nothing has failed', async () => {
  const lines = new PassThrough();
  let text = '';
  lines.on('data', (chunk) => (text += String(chunk)));
  const id = await promise(1);
  let isBegun = false;
  start(
    job<object, object>({
      queue: 'sample.notes',
      name: 'in-hand',
      prepare: ({ signal }) => {
        isBegun = true;
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('cut short'))),
        );
      },
      handle: () => Promise.resolve(),
    }),
    createLog('in-hand', 'test', 'info', lines),
  );
  await until(() => isBegun);
  await workers?.stop();
  expect(await state(id)).toEqual({
    done: false,
    failed: false,
    attempts: 1,
    max_attempts: 2,
    waits: 1,
    last_error: 'cut short',
  });
  expect(text).toContain('job put off');
  expect(text).not.toMatch(/"level":"(error|warn)"/);
  start(job<object, object>({ queue: 'sample.notes', name: 'in-hand', handle: () => Promise.resolve() }));
  await until(async () => ((await state(id)) as { done: boolean }).done);
});
