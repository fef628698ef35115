/**
 * Measures what one request, one event and one row cost, on a stack that runs. Processor time is counted by the system, so a
 * busy machine makes it somewhat larger, not several times as large as it makes waiting.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@redis/client';
import { Client } from 'pg';
import type { TestStack } from '../../support/stack';
import { cpuOf } from '../cpu';
import { measureImports } from '../imports';
import { load } from '../load';
import { pastMemory } from '../ways';
import type { Figures, Kind, KindName, Measured, Spent } from './figures';

const run = promisify(execFile);
const cli = path.resolve(__dirname, '../../../../deploy/local/dist/cli/main.js');
const CORE = '/rest/core/v2';
const EVENTS = '/rest/calendar/events/v1';
const CONNECTIONS = 8;
const WRITES = 200;
const ASKED = 4_000;

export async function seed(stack: TestStack, rows: number): Promise<void> {
  await run(
    process.execPath,
    ['--enable-source-maps', cli, 'seed', '--posts', String(rows), '--events', String(rows)],
    {
      env: { ...process.env, DATA_DIR: stack.dataDir },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
}

/** What the processes of a stack have spent for each of so many, in microseconds. */
async function spentBy(stack: TestStack, work: () => Promise<number>): Promise<Spent> {
  const { processes } = stack.run();
  const now = (): Map<string, number> =>
    new Map(Object.entries(processes).map(([name, pid]) => [name, cpuOf([pid])]));
  const before = now();
  const times = await work();
  const after = now();
  return Object.fromEntries(
    Object.keys(processes).flatMap((name) => {
      const hundredths = (after.get(name) ?? 0) - (before.get(name) ?? 0);
      const micros = Math.round((hundredths * 10_000) / Math.max(1, times));
      return micros > 0 ? [[name, micros]] : [];
    }),
  );
}

async function firstId(stack: TestStack, list: string): Promise<number> {
  const answer = (await (await fetch(stack.url + list)).json()) as { id: number }[] | Record<string, unknown>;
  const items = (Array.isArray(answer) ? answer : Object.values(answer).find(Array.isArray)) as {
    id: number;
  }[];
  return (items[0] as { id: number }).id;
}

async function reading(stack: TestStack, address: string | (() => string), seconds: number): Promise<Kind> {
  const options = { origin: stack.url, path: address, connections: CONNECTIONS };
  await load({ ...options, seconds: 1 });
  let bytes = 0;
  const spent = await spentBy(stack, async () => {
    const result = await load({ ...options, seconds });
    if (result.failures > 0) throw new Error(`${result.failures} of ${result.requests} requests failed`);
    bytes = Math.round(result.bytesPerAnswer);
    return result.requests;
  });
  return { spent, bytes };
}

async function writing(stack: TestStack): Promise<Kind> {
  const headers = { Authorization: stack.administrator, 'Content-Type': 'application/json' };
  let bytes = 0;
  const spent = await spentBy(stack, async () => {
    for (let n = 0; n < WRITES; n++) {
      const response = await fetch(`${stack.url}${CORE}/posts`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ title: `Written ${n}`, content: '<p>Some words.</p>', status: 'publish' }),
      });
      bytes += (await response.arrayBuffer()).byteLength;
      if (!response.ok) throw new Error(`a write was answered ${response.status}`);
    }
    await quiet(stack);
    return WRITES;
  });
  return { spent, bytes: Math.round(bytes / WRITES) };
}

export async function measureKinds(stack: TestStack, rows: number, seconds: number): Promise<Measured> {
  const event = `${EVENTS}/events/${await firstId(stack, `${EVENTS}/events?start_date=2000-01-01`)}`;
  const post = `${CORE}/posts/${await firstId(stack, `${CORE}/posts`)}`;
  const asked: readonly (readonly [KindName, string | (() => string)])[] = [
    ['hit', `${CORE}/posts`],
    ['events', pastMemory(`${EVENTS}/events`)],
    ['event', pastMemory(event)],
    ['posts', pastMemory(`${CORE}/posts`)],
    ['post', pastMemory(post)],
    ['search', pastMemory(`${CORE}/posts?search=harbour`)],
  ];
  const found: Partial<Record<KindName, Kind>> = {};
  for (const [name, address] of asked) found[name] = await reading(stack, address, seconds);
  found.write = await writing(stack);
  return { rows, kinds: found as Measured['kinds'] };
}

async function ask<T extends object>(url: string, text: string): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows[0] as T;
  } finally {
    await client.end();
  }
}

const urlOf = (stack: TestStack, name: 'content' | 'calendar' | 'seo'): string =>
  stack.run().databases[name] as string;
export const sizeOf = async (stack: TestStack, name: 'content' | 'calendar' | 'seo'): Promise<number> =>
  Number(
    (await ask<{ size: string }>(urlOf(stack, name), 'select pg_database_size(current_database()) as size'))
      .size,
  );
export const versionOf = async (stack: TestStack): Promise<string> =>
  (await ask<{ name: string }>(urlOf(stack, 'content'), `select current_setting('server_version') as name`))
    .name;

/** Nothing of the work of before is left to do. */
export async function quiet(stack: TestStack): Promise<void> {
  for (const url of Object.values(stack.run().databases))
    for (;;) {
      const { open } = await ask<{ open: boolean }>(
        url,
        `select exists (select from outbox where done_at is null and failed_at is null and run_at < now() + interval '1 minute') as open`,
      );
      if (!open) break;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
}

export async function measureImported(
  stack: TestStack,
  events: number,
): Promise<Pick<Figures, 'imported' | 'waiting'> & { readonly log: number; readonly count: number }> {
  const { redis: url } = stack.run();
  const redis = await createClient({ url }).connect();
  const used = async (): Promise<number> => Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
  const length = async (): Promise<number> => {
    const keys = await redis.keys('*:events:*');
    const all = await Promise.all(keys.map((key) => redis.xLen(key)));
    return all.reduce((sum, one) => sum + one, 0);
  };
  const place = async (): Promise<number> =>
    Number(
      (
        await ask<{ at: string }>(
          urlOf(stack, 'calendar'),
          `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as at`,
        )
      ).at,
    );
  try {
    const [memory, entries, log] = [await used(), await length(), await place()];
    let count = 0;
    const imported = await spentBy(stack, async () => {
      ({ events: count } = await measureImports(stack, events, 'capacity'));
      await quiet(stack);
      return count;
    });
    const more = (await length()) - entries;
    return {
      imported,
      count,
      log: Math.round(((await place()) - log) / count),
      waiting: more > 0 ? Math.round(((await used()) - memory) / more) : 0,
    };
  } finally {
    redis.destroy();
  }
}

export async function measureAsked(stack: TestStack): Promise<Spent> {
  const client = new Client({ connectionString: urlOf(stack, 'content') });
  await client.connect();
  try {
    return await spentBy(stack, async () => {
      for (let n = 0; n < ASKED; n++) await client.query('select pg_current_wal_flush_lsn()');
      return ASKED;
    });
  } finally {
    await client.end();
  }
}

/** The most memory that each process had at any time. */
export const memoryOf = (stack: TestStack): Spent =>
  Object.fromEntries(
    Object.entries(stack.run().processes).map(([name, pid]) => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return [name, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024];
    }),
  );
