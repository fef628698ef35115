/** The state of a stack that runs on this machine, asked of the processes, the databases and Redis themselves. */
import { readFileSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { CHASSIS_MIGRATIONS, readMigrations } from '@sevenfold/chassis/db/migrate';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import type { Database } from '@sevenfold/chassis/db/sql';
import { createLog } from '@sevenfold/chassis/log';
import { outboxLines } from '@sevenfold/chassis/queue/metrics';
import { streamKey } from '@sevenfold/chassis/queue/forgotten';
import { lossyPolicy } from '@sevenfold/chassis/queue/policy';
import type { RedisClient } from '@sevenfold/chassis/queue/redis';
import { readRedisCa } from '@sevenfold/chassis/tls';
import { identityOf } from '../leftovers';
import { statusOf } from '../processes';
import { withRedis } from '../redis-client';
import type { RunFile } from '../run-file';
import { repositoryRoot } from '../settings';
import { ownVersion } from '../version';
import { type StatusRow, fault, statusRow } from './rows';

const ANSWER_WITHIN_MS = 5_000;
const MEGABYTE = 1024 ** 2;
const ALMOST_FULL_MB = 500;

export async function localStatus(run: RunFile, env: NodeJS.ProcessEnv): Promise<StatusRow[]> {
  const parts = await Promise.all([
    processes(run),
    Promise.all(Object.entries(run.databases).map(([service, url]) => database(service, url))),
    redis(run, env),
  ]);
  const rows = [versionOf(run), disk(run), ...parts.flat(2)];
  const order: readonly StatusRow['part'][] = ['process', 'store', 'version', 'queue', 'lag'];
  return order.flatMap((part) => rows.filter((row) => row.part === part));
}

function versionOf({ version, node }: RunFile): StatusRow {
  const built = ownVersion();
  const detail = version === built ? `node ${node}` : `${built} is here: it runs after the next start`;
  return statusRow({ part: 'version', name: 'sevenfold', state: version, ok: version === built, detail });
}

async function processes({ services, processes: pids }: RunFile): Promise<StatusRow[]> {
  // What has ended is not among the processes until it is started again.
  const names = new Set([...Object.keys(services), ...Object.keys(pids)]);
  return Promise.all(
    Array.from(names, async (name) => {
      const pid = pids[name];
      if (pid === undefined)
        return statusRow({ part: 'process', name, state: 'gone', ok: false, detail: 'no process' });
      const detail = `process ${pid}${memoryOf(pid)}`;
      const url = services[name]?.http;
      if (identityOf(pid) === undefined)
        return statusRow({ part: 'process', name, state: 'gone', ok: false, detail });
      if (url === undefined) return statusRow({ part: 'process', name, state: 'runs', detail });
      const status = await statusOf(`${url}/readyz`, ANSWER_WITHIN_MS);
      const state = status === 200 ? 'ready' : status === undefined ? 'silent' : 'not ready';
      return statusRow({ part: 'process', name, state, ok: status === 200, detail });
    }),
  );
}

function memoryOf(pid: number): string {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? '' : `, ${Math.round(Number(kilobytes) / 1024)} MB`;
  } catch {
    // Only Linux has it.
    return '';
  }
}

function disk({ secretsFile }: RunFile): StatusRow {
  const folder = path.dirname(secretsFile);
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.round((bavail * bsize) / MEGABYTE);
  return statusRow({
    part: 'store',
    name: 'disk',
    state: free < ALMOST_FULL_MB ? 'almost full' : 'has room',
    ok: free >= ALMOST_FULL_MB,
    detail: `${free} MB free in ${folder}`,
  });
}

async function database(service: string, url: string): Promise<StatusRow[]> {
  const log = createLog('status', 'cli', 'silent');
  const db = openDatabase({ url, size: 1, application: 'status', log, statementTimeoutMs: ANSWER_WITHIN_MS });
  try {
    return [await store(db, service), await migrations(db, service), ...(await work(db, service))];
  } catch (error) {
    return [fault('store', service, error)];
  } finally {
    await db.close();
  }
}

async function store(db: Database, service: string): Promise<StatusRow> {
  const row = await db.first<{ version: string; bytes: number; used: number; most: number }>(
    `select split_part(current_setting('server_version'), ' ', 1) as version, pg_database_size(current_database()) as bytes,
       (select count(*) from pg_stat_activity where datname = current_database()) as used,
       current_setting('max_connections')::int as most`,
  );
  const { version, bytes, used, most } = row as NonNullable<typeof row>;
  return statusRow({
    part: 'store',
    name: service,
    state: `PostgreSQL ${version}`,
    detail: `${Math.ceil(bytes / MEGABYTE)} MB, ${used} of ${most} connections`,
  });
}

async function migrations(db: Database, service: string): Promise<StatusRow> {
  const applied = await db.rows<{ name: string }>('select name from schema_migrations order by name');
  const own = path.join(repositoryRoot, 'services', service, 'migrations');
  const here = await readMigrations([CHASSIS_MIGRATIONS, own]);
  const known = new Set(applied.map(({ name }) => name));
  const missing = here.filter(({ name }) => !known.has(name)).length;
  const last = applied.filter(({ name }) => name.startsWith(`${service}/`)).pop()?.name ?? '';
  return statusRow({
    part: 'version',
    name: service,
    state: missing === 0 ? 'up to date' : `${missing} to come`,
    ok: missing === 0,
    detail: `${applied.length} migrations, the last ${last}`,
  });
}

async function work(db: Database, service: string): Promise<StatusRow[]> {
  const lines = await outboxLines(db);
  const jobs = lines
    .filter(({ kind }) => kind === 'job')
    .map(({ channel, unsent, sent, later, retried, failed, seconds }) =>
      statusRow({
        part: 'queue',
        name: channel,
        state: failed > 0 ? 'has failures' : unsent + sent > 0 ? 'works' : 'idle',
        ok: failed === 0,
        waiting: unsent + sent,
        failed,
        oldest_seconds: Math.round(seconds),
        detail: `${later} for later, ${retried} tried before`,
      }),
    );
  const events = lines.filter(({ kind }) => kind === 'event');
  const waiting = events.reduce((sum, { unsent, sent }) => sum + unsent + sent, 0);
  const lag = statusRow({
    part: 'lag',
    name: `${service} outbox`,
    state: waiting === 0 ? 'none' : 'behind',
    waiting,
    oldest_seconds: Math.round(Math.max(0, ...events.map(({ seconds }) => seconds))),
    detail: 'domain events that were not sent yet',
  });
  return [...jobs, lag];
}

async function redis(
  { redis: url, redisPrefix: prefix }: RunFile,
  env: NodeJS.ProcessEnv,
): Promise<StatusRow[]> {
  try {
    return await withRedis({ url, ca: readRedisCa(env) }, async (client) => [
      await memory(client),
      ...(await streams(client, prefix)),
    ]);
  } catch (error) {
    return [fault('store', 'redis', error)];
  }
}

async function memory(client: RedisClient): Promise<StatusRow> {
  const info = await client.info();
  const read = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '?';
  const policy = lossyPolicy(info);
  return statusRow({
    part: 'store',
    name: 'redis',
    state: `Redis ${read('redis_version')}`,
    ok: policy === undefined,
    detail: `${read('used_memory_human')}, ${read('connected_clients')} clients${policy ? `; maxmemory-policy must be noeviction, not ${policy}` : ''}`,
  });
}

/** What each service has yet to hear of what others have sent. */
async function streams(client: RedisClient, prefix: string): Promise<StatusRow[]> {
  const rows: StatusRow[] = [];
  const begin = streamKey(prefix, '');
  for await (const keys of client.scanIterator({ MATCH: `${begin}*`, TYPE: 'stream' }))
    for (const key of keys) {
      const groups = await client.xInfoGroups(key);
      const end = (await client.xInfoStream(key))['last-generated-id'];
      for (const { name, lag, pending, 'last-delivered-id': last } of groups) {
        // Redis counts what a group has read, and a Redis that was killed comes back with too low a number, for good.
        const waiting = (last === end ? 0 : (lag ?? 0)) + pending;
        rows.push(
          statusRow({
            part: 'lag',
            name: `${name} of ${key.slice(begin.length)}`,
            state: waiting === 0 ? 'none' : 'behind',
            waiting,
            detail: `domain events that were not taken in yet, ${pending} of them being tried`,
          }),
        );
      }
    }
  return rows.sort((a, b) => (a.name < b.name ? -1 : 1));
}
