/** A service's requests stay within themselves; and its way down when something it waits for does not come. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Client } from 'pg';
import { type ReadServiceServer, ReadServiceService } from '@sevenfold/proto/gen/sevenfold/chassis/v1/read';
import { dial } from './grpc/dial';
import { anyone, reply, route } from './http/route';
import { startService } from './service';
import type { ServiceConfig } from './service-definition';
import { createTestDatabase } from './testing/database';
import { sampleService } from './testing/sample';
import { testServers } from './testing/servers';
import { PATIENCE_MS, TEST_ACTOR_SECRET, TEST_SITE_URL, startTestService } from './testing/service';
import { until } from './testing/until';

describe('a stop does not wait for ever', () => {
  test('for a database connection that abandoned work still holds', async () => {
    const site = await startTestService(sampleService, { SHUTDOWN_SECONDS: 1 });
    const held = await site.service.db.pool.connect();
    await site.service.stop();
    held.release();
    await site.stop();
  });

  test('for what the service opened', async () => {
    let close = (): void => undefined;
    const closing = new Promise<void>((resolve) => (close = resolve));
    const site = await startTestService({ ...sampleService, close: () => closing }, { SHUTDOWN_SECONDS: 1 });
    await site.service.stop();
    close();
    await site.stop();
  });

  test('for a start that waits for the migration of another process', async () => {
    const database = await createTestDatabase(sampleService.migrations!);
    const other = new Client({ connectionString: database.url });
    await other.connect();
    // As before its first start: who lacks nothing waits for nobody.
    await other.query('delete from schema_migrations');
    // The key of db/migrate.
    await other.query('select pg_advisory_lock(727001)');
    const service = await startService(sampleService, {
      ROLE: 'api',
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: 0,
      GRPC_PORT: 0,
      SITE_URL: TEST_SITE_URL,
      ACTOR_SECRET: TEST_ACTOR_SECRET,
      LOG_LEVEL: 'silent',
      SHUTDOWN_SECONDS: 1,
      DATABASE_URL: database.url,
      DATABASE_POOL: 5,
    } as ServiceConfig);
    const others = async (condition = ''): Promise<number> =>
      (
        await other.query(
          `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() ${condition}`,
        )
      ).rows.length;
    while ((await others(`and wait_event = 'advisory'`)) === 0);
    await service.stop();

    // The stop goes on behind its answer, for callers that do not end with it.
    await other.query('select pg_advisory_unlock(727001)');
    while ((await others()) > 0);
    await other.end();
    await database.drop();
  });
});

test('a service of a test that does not start leaves no database behind', async () => {
  const server = new Client({ connectionString: testServers().adminUrl });
  await server.connect();
  const names = async (condition: string): Promise<string[]> =>
    (
      await server.query<{ name: string }>(
        `select datname as name from pg_database d where datname like 'test\\_%' and ${condition}`,
      )
    ).rows.map(({ name }) => name);
  const before = await names('true');
  await expect(startTestService(sampleService, { DATABASE_POOL: 1 })).rejects.toThrow('DATABASE_POOL');
  // Those of other tests are in use, or will be.
  const idle = 'not exists (select from pg_stat_activity a where a.datname = d.datname)';
  const suspects = new Set((await names(idle)).filter((name) => !before.includes(name)));
  await until(async () => {
    const left = await names(idle);
    for (const name of suspects) if (!left.includes(name)) suspects.delete(name);
    return suspects.size === 0;
  });
  await server.end();
});

test('a process that leaves is not ready, answers whoever still comes, and tells him to come no more', async () => {
  const site = await startTestService(sampleService, { LEAVE_SECONDS: 5 });
  const stopped = site.service.stop();
  const [ready, answer] = await Promise.all([
    fetch(`${site.service.url}/readyz`),
    fetch(`${site.service.url}/rest/sample/v1/notes`),
  ]);
  expect([ready.status, await ready.text()]).toEqual([503, 'not ready:\nstopping\n']);
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  await answer.text();
  await stopped;
  await site.stop();
});

test('an answer that cannot be written is a fault of its own request only', async () => {
  const [notes] = sampleService.resources;
  const unwritable = route({
    methods: ['GET'],
    path: '/unwritable',
    summary: 'Answers a header that HTTP forbids.',
    args: {},
    permission: anyone,
    handle: () => reply.plain({}, 200, { 'X-Name': 'a\nb' }),
  });
  const site = await startTestService(
    { ...sampleService, resources: [{ ...notes!, routes: [...notes!.routes, unwritable] }] },
    {},
  );
  try {
    const answer = await site.as().get('/unwritable');
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ code: 'internal_server_error', data: { status: 500 } });
    expect((await site.as().get('/notes')).status).toBe(200);
  } finally {
    await site.stop();
  }
});

test.each(['::1', '::'])('a process that listens on %s is found, and finds itself', async (host) => {
  const site = await startTestService(sampleService, { HTTP_HOST: host });
  const remote = dial<ReadServiceServer>(ReadServiceService, {
    service: 'sample',
    address: `[::1]:${site.service.grpcPort}`,
    caller: 'cli',
    actorSecret: TEST_ACTOR_SECRET,
    deadlineMs: PATIENCE_MS,
  });
  expect(await remote.read({ path: '/notes' })).toEqual({ status: 200, json: '[]' });
  remote.close();
  await site.stop();
});

test('a process whose stop hangs says where, and ends', async () => {
  const module = (name: string): string => JSON.stringify(path.join(__dirname, name));
  const program = `
    const { stopInTime, stopOnSignal } = require(${module('stop.ts')});
    const log = require(${module('log.ts')}).createLog('sample', 'worker', 'info');
    stopOnSignal(() => stopInTime(100, log, [['jobs', () => undefined], ['the database', () => new Promise(() => undefined)]]));
    setInterval(() => undefined, 1000);
    console.log('ready');
  `;
  const child = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output === 'ready\n') child.kill('SIGTERM');
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect([code, signal]).toEqual([0, null]);
  expect(JSON.parse(output.split('\n')[1]!)).toMatchObject({
    level: 'warn',
    step: 'the database',
    msg: 'stopped without finishing: the time was over',
  });
});

test('a program that declares jobs loads nothing of the queues before it is a worker, and no client before it asks', async () => {
  const programs = [
    'service.ts',
    'testing/sample.ts',
    'outgoing.ts',
    'files/open-storage.ts',
    'queue/redis.ts',
  ].map((name) => path.join(__dirname, name));
  const child = spawn(
    process.execPath,
    [
      '--require',
      require.resolve('tsx/cjs'),
      '--eval',
      `for (const file of ${JSON.stringify(programs)}) require(file);
       const files = Object.keys(require.cache);
       console.log(files.length, files.some((file) => /[\\\\/](bullmq|@redis|undici)[\\\\/]/.test(file)));`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  expect(output).toMatch(/^\d{3} false$/m);
});
