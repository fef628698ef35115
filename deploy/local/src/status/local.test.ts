import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createLog } from '@sevenfold/chassis/log';
import { freePort } from '@sevenfold/chassis/ports';
import { watchPolicy } from '@sevenfold/chassis/queue/policy';
import { closeRedis, openRedis } from '@sevenfold/chassis/queue/redis';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { until } from '@sevenfold/chassis/testing/until';
import { findRedis } from '../redis-binaries';
import type { RunFile } from '../run-file';
import { runOf, temporaryFolder } from '../test-support';
import { localStatus } from './local';
import type { StatusRow } from './rows';

const folder = temporaryFolder();
const { version } = JSON.parse(readFileSync(path.join(__dirname, '../../package.json'), 'utf8')) as RunFile;

test('what has ended and is not started again yet is told of, and is not well', async () => {
  const run = runOf(folder, {
    version,
    node: process.versions.node,
    services: { calendar: { http: 'http://127.0.0.1:9' }, gateway: { http: 'http://127.0.0.1:9' } },
    // As it stands while the supervisor waits before it starts the calendar again.
    processes: { gateway: process.pid },
  });
  const rows = await localStatus(run, {});
  expect(rows.filter(({ part }) => part === 'process')).toEqual([
    expect.objectContaining({ name: 'calendar', state: 'gone', ok: false, detail: 'no process' }),
    expect.objectContaining({ name: 'gateway', state: 'silent', ok: false }),
  ]);
});

test('a Redis that throws away what it was given when it is full is not well', async () => {
  const { command, env } = await findRedis(process.env, () => undefined);
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const server = spawn(command, [...args, '--maxmemory-policy', 'allkeys-lru'], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, ...env },
  });
  const lines: { level: string; policy?: string }[] = [];
  const log = createLog('status', 'test', 'warn', {
    write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]),
  });
  const url = `redis://127.0.0.1:${port}`;
  const redis = openRedis(url, log);
  watchPolicy(redis, log);
  const policies = (): unknown[] => lines.filter(({ policy }) => policy !== undefined);
  const row = async (at: string): Promise<StatusRow | undefined> =>
    (await localStatus(runOf(folder, { redis: at }), {})).find(({ name }) => name === 'redis');
  try {
    await until(() => policies().length > 0);
    expect(await row(url)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('maxmemory-policy must be noeviction, not allkeys-lru'),
    });
    expect((await row(testServers().redisUrl))?.ok).toBe(true);
    const again = new Promise((resolve) => redis.once('ready', resolve));
    redis.sendCommand(['QUIT']).catch(() => undefined);
    await again;
    await redis.info('memory');
    expect(policies()).toEqual([expect.objectContaining({ level: 'warn', policy: 'allkeys-lru' })]);
  } finally {
    await closeRedis(redis);
    server.kill('SIGKILL');
  }
});

test('who has read a stream to its end is not behind, whatever Redis has counted', async () => {
  const redis = openRedis(testServers().redisUrl, createLog('status', 'test', 'silent'));
  await until(() => redis.isReady);
  const redisPrefix = `test-status-${process.pid}`;
  const key = `${redisPrefix}:events:sample.note.changed`;
  try {
    await redis.xAdd(key, '*', { id: '1' });
    const last = await redis.xAdd(key, '*', { id: '2' });
    for (const group of ['done', 'behind']) await redis.xGroupCreate(key, group, '0');
    // As a Redis that was killed comes back.
    await redis.sendCommand(['XGROUP', 'SETID', key, 'done', last, 'ENTRIESREAD', '1']);
    expect((await redis.xInfoGroups(key)).map(({ lag }) => lag)).toEqual([2, 1]);
    const rows = await localStatus(runOf(folder, { redis: testServers().redisUrl, redisPrefix }), {});
    expect(
      rows.filter(({ part }) => part === 'lag').map(({ name, state, waiting }) => [name, state, waiting]),
    ).toEqual([
      ['behind of sample.note.changed', 'behind', 2],
      ['done of sample.note.changed', 'none', 0],
    ]);
  } finally {
    await redis.del(key);
    await closeRedis(redis);
  }
});
