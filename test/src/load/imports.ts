/**
 * Imports end to end: several senders push batches of 50 events at once, as fast as they are acknowledged, until so
 * many events are sent; then the calendar is watched until everything is applied.
 */
import type { BatchBody } from '@sevenfold/local/cli/push';
import pg from 'pg';
import { Pool } from 'undici';
import type { TestStack } from '../support/stack';

export const EVENTS_A_BATCH = 50;
const SENDERS = 4;

export interface ImportResult {
  readonly events: number;
  readonly acknowledgedPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** From the first batch sent to the last one applied. */
  readonly appliedPerSecond: number;
}

/** `round` keeps the events of one run apart from those of another. */
export async function measureImports(stack: TestStack, events: number, round: string): Promise<ImportResult> {
  const batchesEach = Math.ceil(events / EVENTS_A_BATCH / SENDERS);
  const times: number[] = [];
  // Made before the clock starts: a sender that makes its batches keeps the others of this process from sending.
  const batches = Array.from({ length: SENDERS }, (_, sender) =>
    Array.from({ length: batchesEach }, (_unused, batch) =>
      unsentOf(batchOf(`${round}-${sender}`, batch, batchesEach)),
    ),
  );
  const started = performance.now();
  await Promise.all(
    batches.map(async (own) => {
      await send(stack, own, (ms) => times.push(ms));
    }),
  );
  const acknowledged = performance.now();
  await everythingApplied(stack);
  const applied = performance.now();
  times.sort((a, b) => a - b);
  const sent = batchesEach * SENDERS;
  return {
    events: sent * EVENTS_A_BATCH,
    acknowledgedPerSecond: sent / ((acknowledged - started) / 1000),
    p50: times[Math.floor(times.length * 0.5)] ?? 0,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
    appliedPerSecond: (sent * EVENTS_A_BATCH) / ((applied - started) / 1000),
  };
}

/**
 * Registers an import and sends its batches one after the other; `onAnswer` hears how long each took. By the barest
 * client there is, as the rows of reads are asked by one: what a comfortable one takes is not ours to measure, and
 * would be taken from the processors that the stack runs on.
 */
export async function send(
  stack: TestStack,
  batches: readonly Unsent[],
  onAnswer: (ms: number) => void,
): Promise<void> {
  const { import_id: id, batch_hash } = await api<Registered>(stack, 'POST', '/imports', { origin: 'ics' });
  const pool = new Pool(stack.url, { connections: 1 });
  const path = `/rest/calendar/event-aggregator/v1/import/${id}/batch`;
  try {
    let hash: string | undefined = batch_hash;
    for (const batch of batches) {
      const started = performance.now();
      const text = await posted(pool, path, `${batch},"batch_hash":"${hash ?? ''}"}`);
      onAnswer(performance.now() - started);
      // The rest of the answer are the ids of all that was applied so far.
      hash = /"next_batch_hash":"(\w+)"/.exec(text)?.[1];
    }
  } finally {
    await pool.close();
  }
}

async function posted(pool: Pool, path: string, body: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await pool.request({ method: 'POST', path, headers, body });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`A batch was answered ${answer.statusCode}: ${text}`);
  return text;
}

/** JSON of a batch up to its hash, which the answer to the one before tells. */
type Unsent = string;

export const unsentOf = (batch: BatchBody): Unsent => JSON.stringify(batch).slice(0, -1);

interface Registered {
  readonly import_id: string;
  readonly batch_hash: string;
}

export function batchOf(sender: string, batch: number, total: number): BatchBody {
  return {
    status: {
      data: { total: total * EVENTS_A_BATCH, done: batch * EVENTS_A_BATCH },
      batch: { total, done: batch },
    },
    percentage_complete: Math.round((100 * (batch + 1)) / total),
    interval: 10,
    events: Array.from({ length: EVENTS_A_BATCH }, (_, index) => {
      const n = batch * EVENTS_A_BATCH + index;
      const day = String(1 + (n % 28)).padStart(2, '0');
      const month = String(1 + (Math.floor(n / 28) % 12)).padStart(2, '0');
      return {
        uid: `${sender}-${n}@bench.example`,
        title: `Gathering ${n} of ${sender}`,
        description: `<p>Number ${n} in a long row of gatherings, with a few words to read about what happens there and why.</p>`,
        start_date: `2027-${month}-${day}`,
        start_hour: String(n % 24),
        start_minute: '30',
        end_date: `2027-${month}-${day}`,
        end_hour: '23',
        end_minute: '59',
        timezone: 'Europe/Brussels',
        url: `https://bench.example/${sender}/${n}`,
        categories: [`Track ${n % 20}`],
        tags: [`tag ${n % 40}`],
        venue: { venue: `Room ${n % 30}`, city: 'Brussels' },
        organizer: [{ organizer: `Speaker ${n % 500}` }],
      };
    }),
  };
}

/** Asked of the database: looks through the stack would take from the processors that it runs on. */
export async function everythingApplied(stack: TestStack): Promise<void> {
  const client = new pg.Client({ connectionString: stack.run().databases.imports });
  await client.connect();
  try {
    for (;;) {
      const open = await client.query(`select from imports where state = 'pending' limit 1`);
      if (open.rowCount === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    await client.end();
  }
}

/** A busy machine's stack answers 503 now and then when nothing is wrong; what is measured does not go this way. */
async function api<T>(stack: TestStack, method: string, path: string, body?: object, tries = 30): Promise<T> {
  const response = await fetch(`${stack.url}/console/api${path}`, {
    method,
    headers: { Authorization: stack.administrator, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text) as T;
  if (response.status !== 503 || tries === 0)
    throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return api(stack, method, path, body, tries - 1);
}
