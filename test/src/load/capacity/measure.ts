/**
 * Measures what one request, one event and one row cost, on a stack that runs. Processor time is counted by the system, so a
 * busy machine makes it somewhat larger, not several times as large as it makes waiting.
 */
import { readFileSync } from 'node:fs';
import { createClient } from '@redis/client';
import { Client } from 'pg';
import type { TestStack } from '../../support/stack';
import { onCommandLine, untilQuiet } from '../background';
import { cpuOf } from '../cpu';
import { measureImports } from '../imports';
import type { Figures, Kind, Spent } from './figures';

const CORE = '/rest/core/v2';
const EVENTS = '/rest/calendar/events/v1';
const CONNECTIONS = 8;
const WRITES = 100;
const WARMING = 100;
/** Compressing is another matter: what is kept is compressed once. */
const PLAIN = { 'Accept-Encoding': 'identity' };
const ASKED = 2_000;
const IDLE_MS = 2_000;
const GRAIN = 4;

export const seed = (stack: TestStack, rows: number): Promise<void> =>
  onCommandLine(stack, 'seed', '--posts', String(rows), '--events', String(rows));

type Hundredths = ReadonlyMap<string, number>;

const cpuNow = (stack: TestStack): Hundredths =>
  new Map(Object.entries(stack.run().processes).map(([name, pid]) => [name, cpuOf([pid])]));

/** The least that was seen of each stack: once its tables are swept, say, they are not swept while something is measured. */
const leastIdle = new WeakMap<TestStack, Hundredths>();

/** What the processes spend in a second in which nobody asks for anything. */
async function idleOf(stack: TestStack): Promise<Hundredths> {
  const [before, begun] = [cpuNow(stack), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const seconds = (performance.now() - begun) / 1000;
  const known = leastIdle.get(stack);
  const least = new Map(
    [...cpuNow(stack)].map(([name, at]) => [
      name,
      Math.min((at - (before.get(name) ?? 0)) / seconds, known?.get(name) ?? Infinity),
    ]),
  );
  leastIdle.set(stack, least);
  return least;
}

/** What the processes of a stack have spent for each of so many, in microseconds, beyond what they spend for nothing. */
async function spentBy(stack: TestStack, work: () => Promise<number>): Promise<Spent> {
  const idle = await idleOf(stack);
  const [before, begun] = [cpuNow(stack), performance.now()];
  const times = await work();
  const seconds = (performance.now() - begun) / 1000;
  return Object.fromEntries(
    [...cpuNow(stack)].flatMap(([name, at]) => {
      const own = at - (before.get(name) ?? 0) - (idle.get(name) ?? 0) * seconds;
      // Below that it is the grain of the system's counting.
      return own < GRAIN ? [] : [[name, Math.round((own * 10_000) / Math.max(1, times))]];
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

/** So many, however long it takes: on a machine that others use, few would be asked in a given time. */
async function reading(stack: TestStack, address: string, times: number): Promise<Kind> {
  let bytes = 0;
  const asking = async (most: number): Promise<number> => {
    let left = most;
    const one = async (): Promise<void> => {
      while (left-- > 0) {
        const response = await fetch(stack.url + address, { headers: PLAIN });
        bytes = (await response.arrayBuffer()).byteLength;
        if (response.status !== 200) throw new Error(`${address} was answered ${response.status}`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, one));
    return most;
  };
  await asking(WARMING);
  return { spent: await spentBy(stack, () => asking(times)), bytes };
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
    await untilQuiet(stack);
    return WRITES;
  });
  return { spent, bytes: Math.round(bytes / WRITES) };
}

/** From the memory of the gateway: of any list, since what is kept is only sent. */
export const measureHit = (stack: TestStack, times: number): Promise<Kind> =>
  reading(stack, `${CORE}/posts`, times);

/** On a stack that keeps no answers, so that each request reaches PostgreSQL. */
export async function measureMisses(stack: TestStack, times: number): Promise<Omit<Figures['kinds'], 'hit'>> {
  const event = `${EVENTS}/events/${await firstId(stack, `${EVENTS}/events?start_date=2000-01-01`)}`;
  const post = `${CORE}/posts/${await firstId(stack, `${CORE}/posts`)}`;
  return {
    events: await reading(stack, `${EVENTS}/events`, times),
    event: await reading(stack, event, times),
    posts: await reading(stack, `${CORE}/posts`, times),
    post: await reading(stack, post, times),
    search: await reading(stack, `${CORE}/posts?search=harbour`, times),
    write: await writing(stack),
  };
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

export async function measureImported(
  stack: TestStack,
  events: number,
): Promise<Pick<Figures, 'imported' | 'waiting'> & { readonly log: number; readonly indexed: number }> {
  const redis = await createClient({ url: stack.run().redis }).connect();
  const used = async (): Promise<number> => Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
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
    const [memory, log, indexed] = [await used(), await place(), await sizeOf(stack, 'seo')];
    let count = 1;
    const imported = await spentBy(stack, async () => {
      ({ events: count } = await measureImports(stack, events, 'capacity'));
      await untilQuiet(stack);
      return count;
    });
    const each = (bytes: number): number => Math.max(0, Math.round(bytes / count));
    return {
      imported,
      log: each((await place()) - log),
      indexed: each((await sizeOf(stack, 'seo')) - indexed),
      waiting: each((await used()) - memory),
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
