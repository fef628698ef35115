/**
 * Jobs that were given up after their last try: people look at them, and retry or discard them when they know why. Works on the
 * outbox of any service, whether that runs or not. Payloads may hold what is personal, so nothing of them is shown; jobs that are
 * open or done are left alone.
 */
import { OUTBOX_CHANNEL } from '../db/outbox';
import type { Database, Db } from '../db/sql';
import type { Job } from './jobs';

/** As people and programs are shown it. */
export interface FailedJob {
  readonly id: number;
  readonly queue: string;
  readonly name: string;
  /** Also those that only waited for something that was away. */
  readonly attempts: number;
  /** ISO 8601. */
  readonly failed_at: string;
  readonly last_error: string;
}

/** All of the service where neither is named. */
export interface Chosen {
  readonly queue?: string;
  readonly ids?: readonly number[];
}

/** What cannot be retried, by the reason. */
export interface Left {
  readonly queue: string;
  readonly name: string;
  readonly reason: string;
  readonly count: number;
}

export const MOST_LISTED = 1_000;
const PIECE = 500;
const UNKNOWN = 'This version has no such job: discard it.';

const FAILED = `kind = 'job' and failed_at is not null`;
const CHOSEN = `${FAILED} and ($1::text is null or channel = $1) and ($2::bigint[] is null or id = any($2))`;
const valuesOf = ({ queue, ids }: Chosen): readonly unknown[] => [queue ?? null, ids ?? null];

/** What failed last comes first; `total` counts those that are not listed as well. */
export async function listFailed(
  db: Db,
  chosen: Chosen,
  most: number,
): Promise<{ jobs: FailedJob[]; total: number }> {
  const jobs = await db.rows<FailedJob>(
    `select id, channel as queue, name, attempts, coalesce(last_error, '') as last_error,
       to_char(failed_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as failed_at
     from outbox where ${CHOSEN} order by outbox.failed_at desc, id desc limit $3`,
    [...valuesOf(chosen), Math.min(most, MOST_LISTED)],
  );
  const counted = await db.first<{ total: number }>(
    `select count(*) as total from outbox where ${CHOSEN}`,
    valuesOf(chosen),
  );
  return {
    jobs: jobs.map((one) => ({ ...one, last_error: withoutAddresses(one.last_error) })),
    total: counted?.total ?? 0,
  };
}

/** Words of other programs may name a mailbox, or a server with its password. */
const withoutAddresses = (text: string): string =>
  text.replace(/\S+/g, (word) => (word.includes('@') ? '[hidden]' : word));

/**
 * Each is due now and has all its tries again, however many ask for that at once. `jobs` are those that the service declares: one
 * whose end the service was told of is reopened there as well, or left as it is (`reopen` of queue/jobs.ts).
 */
export async function retryFailed(
  db: Database,
  jobs: readonly Job<never>[],
  chosen: Chosen,
): Promise<{ retried: number; left: Left[] }> {
  const left = new Map<string, Left>();
  let retried = 0;
  for (let after = 0, ids = await idsAfter(db, chosen, after); ids.length > 0;) {
    for (const id of ids) {
      const outcome = await db.transaction((tx) => retryOne(tx, jobs, id));
      if (outcome === 'retried') retried += 1;
      else if (outcome !== 'not failed') count(left, outcome);
    }
    // Not from the beginning: what is left stays, and what fails again meanwhile is not retried for ever.
    after = ids.at(-1) as number;
    ids = await idsAfter(db, chosen, after);
  }
  return { retried, left: [...left.values()] };
}

async function idsAfter(db: Db, chosen: Chosen, after: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    `select id from outbox where ${CHOSEN} and id > $3 order by id limit ${PIECE}`,
    [...valuesOf(chosen), after],
  );
  return rows.map(({ id }) => id);
}

type Refused = Omit<Left, 'count'>;

/** In a transaction of its own: `reopen` may wait for others, and locks nothing for long. */
async function retryOne(
  tx: Db,
  jobs: readonly Job<never>[],
  id: number,
): Promise<'retried' | 'not failed' | Refused> {
  const row = await tx.first<{ queue: string; name: string; payload: unknown }>(
    `select channel as queue, name, payload from outbox where id = $1 and ${FAILED} for update`,
    [id],
  );
  if (!row) return 'not failed';
  const { queue, name, payload } = row;
  const known = jobs.find((job) => job.queue === queue && job.name === name);
  const reason = known ? await known.reopen?.({ tx, payload }) : UNKNOWN;
  if (reason !== undefined) return { queue, name, reason };
  // The number of tries names the next ticket, so it goes on growing: those made so far count as waits instead. What is left of
  // the tries that are allowed is always how many failures are.
  await tx.run(
    `update outbox set failed_at = null, sent_at = null, run_at = now(),
       max_attempts = max_attempts - waits + attempts, waits = attempts
     where id = $1 returning pg_notify('${OUTBOX_CHANNEL}', '')`,
    [id],
  );
  return 'retried';
}

function count(left: Map<string, Left>, refused: Refused): void {
  const key = Object.values(refused).join('\n');
  left.set(key, { ...refused, count: (left.get(key)?.count ?? 0) + 1 });
}

/** Done, with the reason of its failure, so that it can be read for as long as all that is done: the relay removes it after a day. */
const DISCARD = 'update outbox set done_at = now(), failed_at = null where';

/** Answers how many. */
export async function discardFailed(db: Db, chosen: Chosen): Promise<number> {
  let discarded = 0;
  for (let piece = PIECE; piece === PIECE; discarded += piece)
    piece = await db.run(
      `${DISCARD} id = any(array(select id from outbox where ${CHOSEN} order by id limit ${PIECE} for update))`,
      valuesOf(chosen),
    );
  return discarded;
}

/**
 * In a transaction that does by other means what failed jobs were to do: those whose payload has these fields are discarded. One
 * that somebody retries at this moment is passed by, as he may wait for what the transaction has locked.
 */
export const closeFailed = (tx: Db, queue: string, name: string, payload: object): Promise<number> =>
  tx.run(
    `${DISCARD} id = any(array(
       select id from outbox where ${FAILED} and channel = $1 and name = $2 and payload @> $3::jsonb
       for update skip locked))`,
    [queue, name, JSON.stringify(payload)],
  );
