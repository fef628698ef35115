/** Two sites that were given the same servers: the second stops before it changes anything, and says why. */
import { randomBytes } from 'node:crypto';
import { createClient } from '@redis/client';
import { enqueue, emit } from '@sevenfold/chassis/db/outbox';
import { instanceKey } from '@sevenfold/chassis/instance';
import { sampleService, type SampleDeps } from '@sevenfold/chassis/testing/sample';
import { type TestService, startTestService } from '@sevenfold/chassis/testing/service';
import { createTestDatabase } from '@sevenfold/chassis/testing/database';
import { until } from '@sevenfold/chassis/testing/until';
import { type RedisServer, startRedis } from '@sevenfold/local/redis';
import { newFolder, quickFolder } from '@sevenfold/local/testing';
import path from 'node:path';
import { rmSync } from 'node:fs';

const folder = newFolder(quickFolder(), 'sevenfold-instances-');
let server: RedisServer;
let redis: ReturnType<typeof createClient>;
beforeAll(async () => {
  server = await startRedis({ dir: path.join(folder, 'redis'), durable: false, temporary: true });
  redis = createClient({ url: server.url });
  await redis.connect();
});
afterAll(async () => {
  redis.destroy();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = (more: Record<string, unknown>): Promise<TestService<SampleDeps>> =>
  startTestService(sampleService, { ROLE: 'all', REDIS_URL: server.url, ...more });

async function addNote(site: TestService<SampleDeps>): Promise<number> {
  const note = await site.deps.db.first<{ id: number }>(
    `insert into notes (text) values ('a note') returning id`,
  );
  const id = Number(note?.id);
  await enqueue(site.deps.db, 'sample.notes', 'apply-note', { id });
  return id;
}
const applied = async (site: TestService<SampleDeps>, id: number): Promise<boolean> =>
  (await site.deps.db.first('select 1 from notes where id = $1 and applied > 0', [id])) !== undefined;
const readiness = async (site: TestService<SampleDeps>): Promise<string> =>
  (await fetch(`${site.url}/readyz`)).text();

describe('on one Redis', () => {
  test('every key of a site begins with its prefix', async () => {
    const prefix = `p${randomBytes(4).toString('hex')}`;
    const site = await start({ REDIS_PREFIX: prefix, INSTANCE_ID: 'one' });
    const id = await addNote(site);
    await emit(site.deps.db, 'sample.note.changed', { id });
    await until(() => applied(site, id));
    await until(async () => (await redis.keys(`${prefix}:events:*`)).length > 0);
    await site.stop();
    expect((await redis.keys('*')).filter((key) => !key.startsWith(`${prefix}:`))).toEqual([]);
    expect(await redis.get(instanceKey(prefix))).toBe('one');
  });

  test('the second site takes no jobs under the prefix of the first, and under its own it does', async () => {
    const first = await start({ REDIS_PREFIX: 'shared', INSTANCE_ID: 'first' });
    await until(async () => (await redis.get(instanceKey('shared'))) === 'first');
    const second = await start({ REDIS_PREFIX: 'shared', INSTANCE_ID: 'second' });
    await until(async () =>
      (await readiness(second)).includes('belongs to another instance (first; this one is second)'),
    );
    expect(second.service.relay).toBeUndefined();
    expect(await redis.get(instanceKey('shared'))).toBe('first');
    const id = await addNote(first);
    await until(() => applied(first, id));
    await second.stop();

    const apart = await start({ REDIS_PREFIX: 'apart', INSTANCE_ID: 'second' });
    const other = await addNote(apart);
    await until(() => applied(apart, other));
    await apart.stop();
    await first.stop();
  });

  test('a Redis that was emptied is the same as before, and whose it is is written again', async () => {
    const site = await start({ REDIS_PREFIX: 'emptied', INSTANCE_ID: 'first' });
    await until(async () => (await redis.get(instanceKey('emptied'))) === 'first');
    await redis.flushAll();
    const id = await addNote(site);
    await until(() => applied(site, id));
    await until(async () => (await redis.get(instanceKey('emptied'))) === 'first');
    expect(await readiness(site)).not.toContain('another instance');
    await site.stop();
  });
});

describe('on one database', () => {
  test('the second site stops before it changes anything', async () => {
    const database = await createTestDatabase(sampleService.migrations as string);
    const own = { DATABASE_URL: database.url, ROLE: 'api' };
    const first = await start({ ...own, INSTANCE_ID: 'first' });
    const { db } = first.deps;
    await db.run('delete from schema_migrations');
    await expect(start({ ...own, INSTANCE_ID: 'second' })).rejects.toThrow(
      'The database of sample belongs to another instance (first; this one is second). Nothing was changed.',
    );
    expect(await db.rows('select 1 from schema_migrations')).toEqual([]);
    expect(await db.rows('select id from instance')).toEqual([{ id: 'first' }]);
    await first.stop();
    await database.drop();
  });

  test('without an id whatever is there is taken; several processes of one site agree', async () => {
    const database = await createTestDatabase(sampleService.migrations as string);
    const own = { DATABASE_URL: database.url, ROLE: 'api' };
    const ours = { ...own, INSTANCE_ID: 'ours' };
    const sites = await Promise.all([start(own), start(ours), start(ours), start(ours)]);
    expect(await sites[0]!.deps.db.rows('select id from instance')).toEqual([{ id: 'ours' }]);
    for (const site of sites) await site.stop();
    await database.drop();
  });
});
