/**
 * What jobs and domain events cost and how they end, counted in the process that ran them; and how much waits, read from
 * the outbox. What waits is the same in all workers of a service: whoever adds up takes the largest, not the sum.
 */
import { Counter, Histogram } from 'prom-client';
import type { Database, Db } from '../db/sql';
import { type Sample, tellGauge } from '../metrics';

export const jobsTotal = new Counter({
  name: 'jobs_total',
  help: 'Tries of jobs by their end: done, repeated (done by another delivery), retried after a failure, postponed (what they need is away), failed for good',
  labelNames: ['queue', 'job', 'outcome'],
});

export const jobSeconds = new Histogram({
  name: 'job_duration_seconds',
  help: 'Time that a try of a job took',
  labelNames: ['queue', 'job'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 120],
});

export const eventsTotal = new Counter({
  name: 'domain_events_total',
  help: 'Domain events of other services by what became of them: taken, repeated (known already), passed (nobody wanted it), failed (comes again), set aside (each process that began it has ended)',
  labelNames: ['topic', 'outcome'],
});

export const eventsCut = new Counter({
  name: 'domain_events_cut_total',
  help: 'Domain events that left the stream of their topic before every group had read them: it was too long',
});

/** Of one queue or topic: how many rows of the outbox are in which state, and how long the oldest has been due. */
export interface OutboxLine {
  readonly kind: 'job' | 'event';
  readonly channel: string;
  readonly unsent: number;
  readonly sent: number;
  readonly later: number;
  readonly retried: number;
  readonly failed: number;
  readonly seconds: number;
}

// Two indexes hold nothing but what is open, and what has failed.
const LINES = `
  select kind, channel, sum(unsent) as unsent, sum(sent) as sent, sum(later) as later, sum(retried) as retried,
    sum(failed) as failed, max(seconds)::float8 as seconds
  from (
    select kind, channel, count(*) filter (where sent_at is null and run_at <= now()) as unsent,
      count(*) filter (where sent_at is not null) as sent,
      count(*) filter (where sent_at is null and run_at > now()) as later,
      count(*) filter (where attempts > waits) as retried, 0 as failed,
      extract(epoch from greatest(now() - min(run_at), '0')) as seconds
    from outbox where done_at is null and failed_at is null group by kind, channel
    union all
    select kind, channel, 0, 0, 0, 0, count(*), 0
    from outbox where failed_at is not null group by kind, channel) as parts
  group by kind, channel`;

/** What is done is in none of them. */
export const outboxLines = (db: Db): Promise<OutboxLine[]> => db.rows<OutboxLine>(LINES);

/** Answers how to stop telling. Queues that have never had a job are told of, too: an alarm needs a zero to rise from. */
export function tellOutbox(db: Database, queues: readonly string[]): () => void {
  let reading: Promise<OutboxLine[]> | undefined;
  // All gauges of one page are made of one reading.
  const lines = (): Promise<OutboxLine[]> =>
    (reading ??= outboxLines(db).finally(() => setImmediate(() => (reading = undefined))));
  const jobs = async (): Promise<OutboxLine[]> => {
    const found = (await lines()).filter(({ kind }) => kind === 'job');
    const missing = queues.filter((queue) => !found.some(({ channel }) => channel === queue));
    return [...found, ...missing.map((channel) => ({ ...NOTHING, channel }))];
  };
  const stops = [
    tellGauge(outboxRows, async () => {
      const all = await lines();
      return KINDS.flatMap((kind) => {
        const own = all.filter((line) => line.kind === kind);
        return STATES.map((state) => sample({ kind, state }, sum(own, state)));
      });
    }),
    tellGauge(outboxAge, async () => {
      const all = await lines();
      return KINDS.map((kind) => sample({ kind }, oldest(all.filter((line) => line.kind === kind))));
    }),
    tellGauge(jobRows, async () =>
      (await jobs()).flatMap(({ channel: queue, unsent, sent, later, retried, failed }) => [
        sample({ queue, state: 'waiting' }, unsent + sent),
        sample({ queue, state: 'later' }, later),
        sample({ queue, state: 'retried' }, retried),
        sample({ queue, state: 'failed' }, failed),
      ]),
    ),
    tellGauge(jobAge, async () =>
      (await jobs()).map(({ channel: queue, seconds }) => sample({ queue }, seconds)),
    ),
  ];
  return () => stops.forEach((stop) => stop());
}

const KINDS = ['job', 'event'] as const;
const STATES = ['unsent', 'sent', 'later', 'failed'] as const;
const NOTHING = { kind: 'job', unsent: 0, sent: 0, later: 0, retried: 0, failed: 0, seconds: 0 } as const;

const sample = (labels: Record<string, string>, value: number): Sample => ({ labels, value });
const sum = (lines: readonly OutboxLine[], state: (typeof STATES)[number]): number =>
  lines.reduce((total, line) => total + line[state], 0);
const oldest = (lines: readonly OutboxLine[]): number => Math.max(0, ...lines.map(({ seconds }) => seconds));

const outboxRows = {
  name: 'outbox_rows',
  help: 'Rows of the outbox that are not done: not sent to Redis yet, sent, due later, failed for good',
  labels: ['kind', 'state'],
};
const outboxAge = {
  name: 'outbox_oldest_seconds',
  help: 'How long the oldest row of the outbox that is not done has been due',
  labels: ['kind'],
};
const jobRows = {
  name: 'jobs',
  help: 'Jobs that are not done: waiting (due, running ones included), later, failed for good; retried are those of them that failed before',
  labels: ['queue', 'state'],
};
const jobAge = {
  name: 'jobs_oldest_seconds',
  help: 'How long the oldest job of a queue that is not done has been due',
  labels: ['queue'],
};
