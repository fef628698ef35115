/** The key is nowhere but with those who may read it: a real process logs all it can, and its database is read whole. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ACTOR_HEADER, signActor } from '@sevenfold/chassis/actor';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import { createLog } from '@sevenfold/chassis/log';
import { createTestDatabase } from '@sevenfold/chassis/testing/database';
import { freePort } from '@sevenfold/chassis/ports';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { TEST_ACTOR_SECRET, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { administrator } from '../testing/service';

const KEY = 'aB3dE6gH9jK2';
const SECRET = 'the secret that seals';

/** Every row of every table, as text. */
async function everything(url: string): Promise<string> {
  const db = openDatabase({ url, size: 1, application: 'test', log: createLog('test', 'test', 'silent') });
  try {
    const tables = await db.rows<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['site_key', 'outbox']));
    let all = '';
    for (const { name } of tables) {
      const rows = await db.rows<{ text: string }>(`select t::text as text from ${name} as t`);
      all += rows.map(({ text }) => text).join('\n');
    }
    return all;
  } finally {
    await db.close();
  }
}

test('the key is in no log and, in clear, in no table', async () => {
  const database = await createTestDatabase(path.resolve(__dirname, '../../migrations'));
  const port = await freePort();
  const child = spawn(process.execPath, [path.resolve(__dirname, '../../dist/program.js')], {
    env: {
      PATH: process.env.PATH,
      ROLE: 'all',
      LOG_LEVEL: 'trace',
      HTTP_PORT: String(port),
      ACTOR_SECRET: TEST_ACTOR_SECRET,
      DATABASE_URL: database.url,
      REDIS_URL: testServers().redisUrl,
      REDIS_PREFIX: `test-${port}`,
      SPAM_KEY_SECRETS: SECRET,
      // Nobody listens there.
      SPAM_VERIFY_URL: 'http://127.0.0.1:1/verify-key',
      OUTBOUND_ALLOW_PRIVATE: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += String(chunk)));
  // With all that it said.
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    const site = speaker(`http://127.0.0.1:${port}/rest/spamfilter/v1`, {
      [ACTOR_HEADER]: signActor(administrator, TEST_ACTOR_SECRET),
    });
    await until(async () => (await site.get('/key').catch(() => undefined))?.status === 200);
    expect((await site.post('/key', { key: KEY })).body).toBe(KEY);
    expect((await site.get('/key')).body).toBe(KEY);
    expect((await site.post('/key', { key: `${KEY}x` })).status).toBe(400);
    expect((await site.post('/key', { key: { deep: KEY } })).status).toBe(400);
    expect((await site.post('/key', `{"key":"${KEY}`, { 'Content-Type': 'application/json' })).status).toBe(
      400,
    );
    const tables = await everything(database.url);
    const inHex = Buffer.from(KEY).toString('hex');
    expect([KEY, SECRET, inHex].filter((text) => tables.includes(text))).toEqual([]);
    child.kill();
    await ended;
    expect(log).toContain('the outside service cannot be asked about the key');
    expect([KEY, SECRET].filter((text) => log.includes(text))).toEqual([]);
  } finally {
    child.kill('SIGKILL');
    await ended;
    await database.drop();
  }
});
