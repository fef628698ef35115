/**
 * One moment of several databases of a server, while others write. PostgreSQL gives a snapshot of one database only, but
 * numbers its transactions for all of them: where the snapshots of all databases name the same finished transactions,
 * they show one moment, and nobody had to wait. That is tried first. On a server where something is committed at every
 * instant, writes are held back for some milliseconds instead, by locks that the server takes away should we freeze.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type QueryConfig, type QueryResult, type QueryResultRow, escapeIdentifier } from 'pg';

/** The transactions of the clients stay open on what they then show. */
export interface Moment {
  /** The snapshot, as PostgreSQL writes it. */
  readonly snapshot: string;
  /** Snapshots taken of all databases until all were the same. */
  readonly tries: number;
  /** How long writes were held back; 0 where nobody was. */
  readonly heldMs: number;
}

export interface Patience {
  /** How often to look for a moment without holding anybody back. */
  readonly looks: number;
  /** How often to hold writes back, then. */
  readonly holds: number;
}

const PATIENCE: Patience = { looks: 400, holds: 30 };
/**
 * Shorter than the second after which PostgreSQL looks for deadlocks: where a writer waits for us while we wait for
 * it, it is we who give up.
 */
const HOLD_MS = 700;
const FROZEN_MS = 2_000;

/** None of these statements takes time by itself: who does not answer is away. */
const ANSWER_WITHIN_MS = 5_000;

const BEGIN = 'begin isolation level repeatable read read only';
const SNAPSHOT = 'select pg_current_snapshot()::text as snapshot';
const TABLES = `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by c.relname`;

/** Throws where there is none: a server so busy that even holding writes back did not help. */
export async function findMoment(
  clients: readonly Client[],
  { looks, holds }: Patience = PATIENCE,
): Promise<Moment> {
  for (let tries = 1; tries <= looks; tries += 1) {
    const snapshot = await look(clients);
    if (snapshot !== undefined) return { snapshot, tries, heldMs: 0 };
    await sleep(randomInt(10));
  }
  for (let tries = 1; tries <= holds; tries += 1) {
    const held = await hold(clients);
    if (held !== undefined) return { ...held, tries: looks + tries };
    // Whoever waited for us goes on meanwhile.
    await sleep(1_000 + randomInt(1_000));
  }
  throw new Error(
    'No moment was found at which all databases stood still: something holds a table for long. Try again later.',
  );
}

async function look(clients: readonly Client[]): Promise<string | undefined> {
  await onEach(clients, (client) => ask(client, BEGIN));
  const [first, ...others] = await takeSnapshots(clients);
  if (others.every((snapshot) => snapshot === first)) return first;
  await onEach(clients, (client) => ask(client, 'rollback'));
  return undefined;
}

async function hold(clients: readonly Client[]): Promise<{ snapshot: string; heldMs: number } | undefined> {
  const tables = await onEach(clients, async (client) => (await ask<{ name: string }>(client, TABLES)).rows);
  const begun = performance.now();
  try {
    // Locks do not make a snapshot, and what was locked after a savepoint is let go at its end: the snapshot stays.
    await onEach(clients, async (client, index) => {
      await ask(client, BEGIN);
      await ask(client, 'savepoint held');
      await ask(client, `set local statement_timeout = ${HOLD_MS}`);
      await ask(client, `set local idle_in_transaction_session_timeout = ${FROZEN_MS}`);
      const names = (tables[index] ?? []).map(({ name }) => escapeIdentifier(name));
      if (names.length > 0) await ask(client, `lock table ${names.join(', ')} in share mode`);
    });
    // Now nothing can change in any of them; other databases of the server may, and are none of our business.
    const snapshots = await takeSnapshots(clients);
    await onEach(clients, (client) => ask(client, 'rollback to savepoint held'));
    return { snapshot: snapshots[0] ?? '', heldMs: performance.now() - begun };
  } catch {
    await onEach(clients, (client) => ask(client, 'rollback'));
    return undefined;
  }
}

const takeSnapshots = (clients: readonly Client[]): Promise<string[]> =>
  onEach(clients, async (client) => {
    const { rows } = await ask<{ snapshot: string }>(client, SNAPSHOT);
    return (rows[0] as { snapshot: string }).snapshot;
  });

/** Times out here, too: a server that hears nothing answers nothing. */
const ask = <T extends QueryResultRow>(client: Client, text: string): Promise<QueryResult<T>> =>
  client.query<T>({ text, query_timeout: ANSWER_WITHIN_MS } as QueryConfig);

/** All at once, and all of them to the end: the next statement must find every connection idle. */
async function onEach<T>(
  clients: readonly Client[],
  work: (client: Client, index: number) => Promise<T>,
): Promise<T[]> {
  const results = await Promise.allSettled(clients.map(work));
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
