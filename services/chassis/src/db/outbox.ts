/**
 * Promises made by a commit: a job or a domain event is a row written in the transaction of the write that causes it.
 * The relay (queue/relay.ts) carries rows to Redis. Nothing here talks to Redis, so a write never waits for it. A row
 * keeps the id of the request that it was made for (request-id.ts), and what a trace goes on from (tracing.ts).
 */
import { requestId } from '../request-id';
import { step, traceparent } from '../tracing/tracing';
import { messageSpan } from '../queue/spans';
import type { Db } from './sql';

/** Channel of PostgreSQL's notifications that wakes the relay at commit. */
export const OUTBOX_CHANNEL = 'outbox';

/** Tries that a job has by default; a domain event may end as many processes (queue/take-in.ts). */
export const MOST_TRIES = 10;

export interface JobOptions {
  /** Not before this moment; default at once. */
  readonly runAt?: Date;
  /** Not before so much time has passed, by the clock of the database, which says when it has. */
  readonly inSeconds?: number;
  readonly maxAttempts?: number;
  /** From 1 on; of the jobs of the queue that are ready, lower numbers go first. Default: 0, before all that have one. */
  readonly turn?: number;
}

const RUN_AT = 'coalesce($4::timestamptz, now() + make_interval(secs => $5::float8))';

/** Promises background work: `queue` is `<service>.<resource>`, `name` starts with a verb. Answers the id of the row. */
export async function enqueue(
  tx: Db,
  queue: string,
  name: string,
  payload: object,
  options: JobOptions = {},
): Promise<number> {
  const row = await traced('job', queue, name, (sent) =>
    tx.first<{ id: number }>(
      `insert into outbox (kind, channel, name, payload, run_at, max_attempts, turn, request_id, traceparent)
     values ('job', $1, $2, $3, ${RUN_AT}, $6, $7, $8, $9)
     returning id, pg_notify('${OUTBOX_CHANNEL}', '')`,
      [
        queue,
        name,
        JSON.stringify(payload),
        options.runAt?.toISOString() ?? null,
        options.inSeconds ?? 0,
        options.maxAttempts ?? MOST_TRIES,
        options.turn ?? 0,
        requestId(),
        sent,
      ],
    ),
  );
  return (row as { id: number }).id;
}

/** Promises one job for each payload, in one statement. */
export async function enqueueAll(
  tx: Db,
  queue: string,
  name: string,
  payloads: readonly object[],
  options: JobOptions = {},
): Promise<void> {
  if (payloads.length === 0) return;
  await traced('job', queue, name, (sent) =>
    tx.run(
      `with rows as (
       insert into outbox (kind, channel, name, payload, run_at, max_attempts, turn, request_id, traceparent)
       select 'job', $1, $2, value, ${RUN_AT}, $6, $7, $8, $9
       from jsonb_array_elements($3::jsonb) as value
       returning id)
     select count(*), pg_notify('${OUTBOX_CHANNEL}', '') from rows`,
      [
        queue,
        name,
        JSON.stringify(payloads),
        options.runAt?.toISOString() ?? null,
        options.inSeconds ?? 0,
        options.maxAttempts ?? MOST_TRIES,
        options.turn ?? 0,
        requestId(),
        sent,
      ],
    ),
  );
}

/** Announces that something changed: topic `<service>.<resource>.<what happened>`. Consumers may see it more than once. */
export async function emit(tx: Db, topic: string, payload: object): Promise<void> {
  await emitAll(tx, topic, [payload]);
}

export async function emitAll(tx: Db, topic: string, payloads: readonly object[]): Promise<void> {
  if (payloads.length === 0) return;
  await traced('event', topic, topic, (sent) =>
    tx.run(
      `with rows as (
       insert into outbox (kind, channel, name, payload, request_id, traceparent)
       select 'event', $1, $1, value, $3, $4 from jsonb_array_elements($2::jsonb) as value
       returning id)
     select count(*), pg_notify('${OUTBOX_CHANNEL}', '') from rows`,
      [topic, JSON.stringify(payloads), requestId(), sent],
    ),
  );
}

/** What comes of it goes on from the promise, in whichever process. */
const traced = <T>(
  kind: 'job' | 'event',
  channel: string,
  name: string,
  work: (sent: string) => Promise<T>,
): Promise<T> =>
  step(
    () => messageSpan('producer', kind, channel, name),
    (span) => work(span?.traceparent ?? traceparent()),
  );
