/** Jobs whose workers are killed: real processes, one after the other, of which each takes over from the one before. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { enqueue } from '../db/outbox';
import { type SampleDeps, sampleService } from '../testing/sample';
import { testServers } from '../testing/servers';
import { type TestService, startTestService } from '../testing/service';

const PREFIX = `test-deadly-${process.pid}`;
const source = (name: string): string => JSON.stringify(path.join(__dirname, '..', name));

/** Ends by its own hand while it is one of the first `deaths`, or when the job is over. */
const PROGRAM = `
  const { openDatabase } = require(${source('db/pool.ts')});
  const { createLog } = require(${source('log.ts')});
  const { openRedis } = require(${source('queue/redis.ts')});
  const { startWorkers } = require(${source('queue/workers.ts')});
  const { DATABASE_URL, REDIS_URL, PREFIX, NUMBER } = process.env;
  const log = createLog('deadly', 'test', 'silent');
  const db = openDatabase({ url: DATABASE_URL, size: 6, application: 'deadly', log });
  const redis = openRedis(REDIS_URL, log);
  const job = {
    queue: 'sample.deadly',
    name: 'kill-worker',
    handle: async ({ payload }) => {
      if (Number(NUMBER) <= payload.deaths) process.kill(process.pid, 'SIGKILL');
    },
    failed: ({ tx }, error) => tx.run('insert into notes (text) values ($1)', [error.message]),
  };
  startWorkers({ jobs: [job], deps: {}, db, redis, prefix: PREFIX, log, takeOverMs: 2_000 });
  setInterval(async () => {
    const left = await db.rows("select 1 from outbox where channel = 'sample.deadly' and done_at is null and failed_at is null");
    if (left.length === 0) process.exit(0);
  }, 100);`;

let site: TestService<SampleDeps>;
beforeAll(async () => {
  site = await startTestService(sampleService, { ROLE: 'all', REDIS_PREFIX: PREFIX });
});
afterAll(() => site.stop());

/** How many workers were killed until the job was over, and what became of it. */
async function endOf(deaths: number, maxAttempts: number): Promise<object> {
  const { db } = site.deps;
  const id = await enqueue(db, 'sample.deadly', 'kill-worker', { deaths }, { maxAttempts });
  let killed = 0;
  for (let signal: string | null = 'SIGKILL'; signal === 'SIGKILL';) {
    const child = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), '--eval', PROGRAM], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        DATABASE_URL: site.deps.db.pool.options.connectionString,
        REDIS_URL: testServers().redisUrl,
        PREFIX,
        NUMBER: String(killed + 1),
      },
    });
    [, signal] = (await once(child, 'close')) as [number | null, string | null];
    if (signal === 'SIGKILL') killed += 1;
  }
  const row = await db.first<object>(
    `select done_at is not null as done, failed_at is not null as failed, attempts, last_error from outbox where id = $1`,
    [id],
  );
  return { killed, ...row };
}

test('one that ends each process it comes to is a failed one at last, and is told of as that', async () => {
  const reason = '3 workers ended while they had this job';
  expect(await endOf(100, 1)).toEqual({
    killed: 3,
    done: false,
    failed: true,
    attempts: 1,
    last_error: reason,
  });
  expect(await site.deps.db.rows('select text from notes where text = $1', [reason])).toHaveLength(1);
});

test('one whose worker was killed twice through no fault of its own is done, and that is its first try', async () => {
  expect(await endOf(2, 1)).toEqual({ killed: 2, done: true, failed: false, attempts: 1, last_error: null });
});
