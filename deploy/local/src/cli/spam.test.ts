/** The commands about the spam filter, as a process, on a database with verdicts. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import type { TestService } from '@sevenfold/chassis/testing/service';
import type { Deps } from '@sevenfold/spamfilter/deps';
import { administrator, startSpamfilter } from '@sevenfold/spamfilter/testing/service';
import { recordAll } from '@sevenfold/spamfilter/verdicts/record';
import * as verdicts from '@sevenfold/spamfilter/verdicts/store';

const KEY = 'aB3dE6gH9jK2';

let site: TestService<Deps>;
beforeAll(async () => {
  site = await startSpamfilter();
  await site.deps.db.transaction(async (tx) => {
    const base = { key: 'comment/1', kind: 'comment', judgedAt: '2026-01-31T12:00:00Z' } as const;
    await recordAll(tx, [
      { ...base, event: 'judged', verdict: 'spam' },
      { ...base, event: 'judged', verdict: 'ham' },
      { ...base, event: 'corrected', verdict: 'ham' },
    ]);
    await verdicts.count(tx, 10);
  });
});
afterAll(() => site.stop());

const cli = (...args: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.resolve(__dirname, '../../dist/cli/main.js'), 'spam', ...args],
      {
        env: {
          PATH: process.env.PATH,
          DATA_DIR: '/nowhere',
          SPAMFILTER_DATABASE_URL: site.deps.config.DATABASE_URL,
          SPAM_KEY_SECRETS: 'a new secret,the secret of the tests',
        },
      },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });

test('stats shows what the route answers', async () => {
  const json = await cli('stats', '--json');
  expect(JSON.parse(json.output)).toEqual((await site.as(administrator).get('/stats')).body);
  const { code, output } = await cli('stats');
  expect(code).toBe(0);
  expect(
    output
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/).join(' ')),
  ).toEqual([
    'when spam ham missed_spam false_positives',
    '2026-01 1 1 1 0',
    'all 1 1 1 0',
    'accuracy 66.67 %, 1 minutes saved',
  ]);
});

test('rebuild says what differed, and mends it', async () => {
  await site.deps.db.run(`update rollups set ham = 7 where period = 'day'`);
  const { output } = await cli('rebuild');
  expect(output).toContain('day     2026-01-31  (1,7,1,0)  (1,1,1,0)');
  expect(output).toContain('1 mended');
  expect((await cli('rebuild')).output).toContain('all agreed');
});

test('reseal stores the key under the newest secret', async () => {
  await site.as(administrator).post('/key', { key: KEY });
  expect((await cli('reseal')).output).toBe('key: sealed anew\n');
});
