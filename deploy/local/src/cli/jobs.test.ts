/** The commands about jobs that were given up, as a process, on the databases of a site whose workers run. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { databaseServices } from '@sevenfold/catalog/catalog';
import { OUTBOX_CHANNEL, enqueue } from '@sevenfold/chassis/db/outbox';
import { ApiError } from '@sevenfold/chassis/errors';
import type { FailedJob } from '@sevenfold/chassis/queue/failed-jobs';
import type { TestService } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { registerImport } from '@sevenfold/imports/commands';
import { type ImportsSite, sendBatches, startImports } from '@sevenfold/imports/testing/service';
import type { Deps as SpamfilterDeps } from '@sevenfold/spamfilter/deps';
import { startSpamfilter } from '@sevenfold/spamfilter/testing/service';
import { localStatus } from '../status/local';
import { runOf, temporaryFolder } from '../test-support';
import { jobsOf } from './sites';

const folder = temporaryFolder();

let imports: ImportsSite;
let spamfilter: TestService<SpamfilterDeps>;
beforeAll(async () => {
  imports = await startImports({ ROLE: 'all' });
  spamfilter = await startSpamfilter({ ROLE: 'all' });
});
afterAll(async () => {
  await spamfilter.stop();
  await imports.stop();
});

const cli = (...args: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.resolve(__dirname, '../../dist/cli/main.js'), 'jobs', ...args],
      {
        env: {
          PATH: process.env.PATH,
          DATA_DIR: '/nowhere',
          IMPORTS_DATABASE_URL: imports.deps.config.DATABASE_URL,
          SPAMFILTER_DATABASE_URL: spamfilter.deps.config.DATABASE_URL,
        },
      },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
const listed = async (...args: string[]): Promise<(FailedJob & { service: string })[]> =>
  JSON.parse((await cli('list', ...args, '--format', 'json')).output) as never;

/** Queues that the status says somebody has to look at. */
async function unwell(): Promise<string[]> {
  const run = runOf(folder, {
    databases: {
      imports: imports.deps.config.DATABASE_URL,
      spamfilter: spamfilter.deps.config.DATABASE_URL,
    },
  });
  const rows = await localStatus(run, {});
  return rows.filter(({ part, ok }) => part === 'queue' && !ok).map(({ name }) => name);
}

/** Tries that wait come at once. */
const hurry = (): Promise<number> =>
  imports.deps.db.run(
    `update outbox set run_at = now() where done_at is null and failed_at is null and sent_at is null and run_at > now()
     returning pg_notify('${OUTBOX_CHANNEL}', '')`,
  );

/** Its message was taken out of its row with the last try. */
async function failedReport(): Promise<number> {
  const { db } = spamfilter.deps;
  const payload = { key: 'comment/1', revision: 1, text: 'of a visitor' };
  const id = await enqueue(db, 'spamfilter.reports', 'report-decision', payload, { inSeconds: 3_600 });
  await db.run(
    `update outbox set failed_at = now(), attempts = 8, last_error = 'It answered with status 500.' where id = $1`,
    [id],
  );
  return id;
}

test('a blocked import is listed, and goes on when its job is retried', async () => {
  const { answer } = imports.calendar;
  imports.calendar.answer = () => Promise.reject(new ApiError('odd_batch', 400, 'The batch is odd.'));
  const registered = await registerImport({ db: imports.deps.db }, {});
  const { importId } = registered;
  await sendBatches(imports, registered, 2);
  await until(async () => {
    await hurry();
    return (await imports.row(importId)).work === 'blocked';
  });
  imports.calendar.answer = answer;
  expect(await unwell()).toEqual(['imports.batches']);
  const [job, ...more] = await listed();
  expect(more).toEqual([]);
  expect(job).toEqual({
    service: 'imports',
    id: expect.any(Number) as number,
    queue: 'imports.batches',
    name: 'apply-batches',
    attempts: 5,
    failed_at: expect.any(String) as string,
    last_error: 'The batch is odd.',
  });
  expect((await cli('list', 'imports.batches')).output).toMatch(
    /^service +id +queue +name +attempts +failed_at +last_error\nimports +\d+ +imports\.batches +apply-batches +5 .*The batch is odd\.\n$/,
  );
  expect((await cli('list', 'imports.others')).output).toBe('none\n');
  expect(await cli('retry', 'imports.batches', String(job?.id))).toEqual({ code: 0, output: 'retried: 1\n' });
  await until(async () => (await imports.row(importId)).work === 'idle');
  expect(await imports.row(importId)).toMatchObject({ applied: 2, state: 'success' });
  expect(await unwell()).toEqual([]);
});

test('what cannot be retried says why and is discarded', async () => {
  const [first, second] = [await failedReport(), await failedReport()];
  const one = await cli('list', '--most', '1');
  expect(one.output).toContain('1 more\n');
  expect(one.output).not.toContain('visitor');
  expect((await listed('spamfilter')).map(({ id }) => id)).toEqual([second, first]);
  expect(await cli('retry', 'spamfilter', '--all')).toEqual({
    code: 1,
    output:
      'retried: 0\nleft: 2 of spamfilter.reports, report-decision. The message is not kept after the last try: discard the job.\n',
  });
  expect(await unwell()).toEqual(['spamfilter.reports']);
  expect(await cli('discard', 'spamfilter.reports', String(first), '999999999999', String(first))).toEqual({
    code: 1,
    output: 'discarded: 1\n1 of these numbers are no jobs that failed there\n',
  });
  expect(await cli('discard', 'spamfilter', '--all')).toEqual({ code: 0, output: 'discarded: 1\n' });
  expect(await unwell()).toEqual([]);
  expect(await cli('list')).toEqual({ code: 0, output: 'none\n' });
});

test('what is meant has to be said', async () => {
  const refused = async (word: string, ...args: string[]): Promise<void> => {
    const { code, output } = await cli(...args);
    expect([code, output]).toEqual([1, expect.stringContaining(word)]);
  };
  await refused('or say --all', 'retry', 'imports');
  await refused('or say --all', 'discard', 'imports', '1', '--all');
  await refused('neither a service nor a queue', 'list', 'nobody.knows');
  await refused('by its number', 'retry', 'imports', 'one');
  // A site elsewhere, of which only some databases are named.
  await refused('CONTENT_DATABASE_URL', 'list', 'content');
});

test.each(databaseServices)('the jobs of %s are known', async (service) => {
  const queues = (await jobsOf(service)).map(({ queue }) => queue);
  expect(queues.length).toBeGreaterThan(0);
  expect(queues.filter((queue) => !queue.startsWith(`${service}.`))).toEqual([]);
});
