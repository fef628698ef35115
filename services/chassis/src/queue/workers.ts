/**
 * Workers. A job is a row of the outbox; BullMQ only says when and where to run it. The effect and the mark «done»
 * commit in one transaction, so running a job twice has one effect. A failed try goes back to the outbox with a
 * back-off; after the last one the row stays, with its reason, for people to look at and retry.
 */
import { setTimeout } from 'node:timers/promises';
import { Worker, createNodeRedisClient } from 'bullmq';
import type { Database, Db } from '../db/sql';
import { OUTBOX_CHANNEL } from '../db/outbox';
import { isOutageStatus, toApiError } from '../errors';
import type { Log } from '../log';
import { levelOf, logFault, logOutage } from '../outages';
import { answered } from './answered';
import { backoffSeconds } from './back-off';
import { forRequest, requestId } from '../request-id';
import type { Span } from '../tracing/spans';
import { arrive } from '../tracing/tracing';
import { messageSpan } from './spans';
import { type Turn, openTurn } from '../turn';
import { jobSeconds, jobsTotal } from './metrics';
import type { RedisClient } from './redis';
import { type Job, type JobCall, TryLater } from './jobs';

export interface WorkersOptions<D> {
  readonly jobs: readonly Job<D>[];
  readonly deps: D;
  readonly db: Database;
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly log: Log;
  readonly concurrency?: number;
  /** How long a worker gives no sign before its jobs go to others; default 15 s. */
  readonly takeOverMs?: number;
}

interface OutboxRow {
  id: number;
  payload: unknown;
  request_id: string;
  traceparent: string;
  attempts: number;
  max_attempts: number;
  waits: number;
}

export interface Workers {
  stop(): Promise<void>;
}

/**
 * Connections that jobs leave to others: the relay, domain events and the locks of two sweeps, each of which may want
 * another one for its work. A job whose transaction waits for a connection that others hold would wait for itself.
 */
const LEFT_TO_OTHERS = 4;

const TAKE_OVER_MS = 15_000;
const AGAIN_MS = 200;

/**
 * A process that is killed now and then is no fault of its jobs, but a job that ends each process it comes to would go from one to
 * the next for ever, and take along what runs beside it. So many ends of its workers count as one failed try; the back-off behind it
 * parts the job from those that only ran beside.
 */
const DEATHS_OF_A_TRY = 3;

/** One BullMQ worker for each queue of the jobs. */
export function startWorkers<D>(options: WorkersOptions<D>): Workers {
  const { takeOverMs = TAKE_OVER_MS } = options;
  const queues = new Map<string, Map<string, Job<D>>>();
  for (const row of options.jobs) {
    const group = queues.get(row.queue) ?? new Map<string, Job<D>>();
    group.set(row.name, row);
    queues.set(row.queue, group);
  }
  const turn = openTurn(Math.max(1, options.db.pool.options.max - LEFT_TO_OTHERS));
  const stopping = new AbortController();
  // Commands of a worker must wait while Redis is away: one that fails at once makes BullMQ's loop ask again at once,
  // without ever letting the connection come back. A time-out is such a failure: on a machine that stands still for some
  // seconds BullMQ keeps the refusal of its first command for good.
  const patient = options.redis.duplicate({
    disableOfflineQueue: false,
    commandOptions: { timeout: undefined },
  });
  patient.on('error', () => undefined);
  const workers: Worker[] = [];
  const makeWorker = (queue: string, jobs: Map<string, Job<D>>): Worker => {
    const worker = new Worker(
      queue,
      async (ticket) => {
        const row = jobs.get(ticket.name);
        // A newer version may have queued it: leave it open, the relay brings it to a worker that knows it.
        if (!row) throw new Error(`no job of ${queue} is named ${ticket.name}`);
        const id = Number((ticket.data as { outbox: number }).outbox);
        const run: RunOptions<D> = { ...options, turn, deaths: ticket.stalledCounter };
        const once = preparedOnce(row);
        await untilBack(stopping.signal, () => runJob(run, once, id, stopping.signal));
      },
      {
        connection: createNodeRedisClient(patient),
        prefix: options.prefix,
        concurrency: Math.max(
          options.concurrency ?? 4,
          ...Array.from(jobs.values(), ({ atOnce = 0 }) => atOnce),
        ),
        // A job of a worker that died goes to another one a third later at most; a slow one that loses its lock runs
        // twice, which does no harm.
        lockDuration: takeOverMs,
        stalledInterval: Math.ceil(takeOverMs / 3),
        // What is tried again and when it has failed is for the outbox alone to say.
        maxStalledCount: 1_000,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      },
    );
    worker.on('error', (error) =>
      logOutage(options.log, 'The queue cannot be reached.', { err: error, queue }),
    );
    return worker;
  };
  const begun = untilTold(options.redis, options.log, stopping.signal).then(() => {
    if (stopping.signal.aborted) return;
    for (const [queue, jobs] of queues) workers.push(makeWorker(queue, jobs));
  });
  return {
    stop: async () => {
      stopping.abort();
      await begun;
      await Promise.all(workers.map((worker) => worker.close()));
      if (patient.isOpen) patient.destroy();
    },
  };
}

/**
 * BullMQ asks a server once what it is (`INFO`). Where the server refuses, as users without `@dangerous` are, its worker goes round for
 * ever without a pause, and nothing else of the process gets a turn.
 */
async function untilTold(redis: RedisClient, log: Log, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      return void (await answered(redis.info()));
    } catch (error) {
      // That it is away is told of by the connection itself.
      if (redis.isReady && !stopping.aborted)
        logOutage(log, 'The queue cannot be reached.', { err: error as Error });
    }
    await setTimeout(AGAIN_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
}

/**
 * A job that can neither end nor be given back, since the database is away, is kept in hand: thrown away, it would wait
 * until the relay takes it for lost. Meanwhile no other job could run either.
 */
async function untilBack(stopping: AbortSignal, run: () => Promise<void>): Promise<void> {
  for (let pause = 100; ; pause = Math.min(pause * 2, 2_000)) {
    try {
      return await run();
    } catch (error) {
      if (stopping.aborted || !isOutageStatus(toApiError(error).status)) throw error;
    }
    await setTimeout(pause, undefined, { signal: stopping }).catch(() => undefined);
  }
}

/**
 * What is prepared may show outside, as a mail does, and must not be done again for as long as its outcome cannot be written down:
 * each round of a try gets what the first one made, or its failure.
 */
function preparedOnce<D>(row: Job<D>): Job<D> {
  const { prepare } = row;
  if (!prepare) return row;
  let made: { readonly attempt: number; readonly outcome: Promise<unknown> } | undefined;
  return {
    ...row,
    prepare: (call) => {
      if (made?.attempt !== call.attempt) made = { attempt: call.attempt, outcome: prepare(call) };
      return made.outcome;
    },
  };
}

interface RunOptions<D> extends Pick<WorkersOptions<D>, 'db' | 'deps' | 'log'> {
  /** For transactions; all at once where it is absent. */
  readonly turn?: Turn;
  /** How many workers gave no more sign while they had this try of the job. */
  readonly deaths?: number;
}

/** Runs one outbox row to its end, or back into the outbox. Exported for the in-process runner of tests. */
export async function runJob<D>(
  options: RunOptions<D>,
  row: Job<D>,
  id: number,
  signal: AbortSignal,
): Promise<void> {
  // A ticket of before a database was put back, or lost its last writes, may have the number of another job by now.
  const open = await options.db.first<OutboxRow>(
    `select id, payload, request_id, traceparent, attempts, max_attempts, waits from outbox
      where id = $1 and kind = 'job' and channel = $2 and name = $3 and done_at is null and failed_at is null`,
    [id, row.queue, row.name],
  );
  if (!open) return;
  await forRequest(open.request_id, () =>
    arrive(messageSpan('consumer', 'job', row.queue, row.name), open.traceparent, (span) =>
      tryJob(options, row, open, signal, span),
    ),
  );
}

type Outcome = 'done' | 'repeated' | 'retried' | 'postponed' | 'failed';

async function tryJob<D>(
  options: RunOptions<D>,
  row: Job<D>,
  open: OutboxRow,
  signal: AbortSignal,
  span: Span | undefined,
): Promise<void> {
  const { id } = open;
  const log = options.log.child({ job: row.name, outbox: id });
  const end = jobSeconds.startTimer({ queue: row.queue, job: row.name });
  const call = {
    deps: options.deps,
    payload: open.payload,
    log,
    id,
    attempt: open.attempts + 1,
    failures: open.attempts - open.waits,
    signal,
  };
  let outcome: Outcome;
  try {
    if (options.deaths !== undefined && options.deaths >= DEATHS_OF_A_TRY)
      throw new Error(`${options.deaths} workers ended while they had this job`);
    const prepared: unknown = row.prepare ? await row.prepare(call) : undefined;
    const turn: Turn = options.turn ?? ((work) => work());
    const handle = async (tx: Db): Promise<Outcome> => {
      // The row lock keeps a second delivery waiting; it then finds the mark and does nothing.
      const claimed = await tx.first(
        'select id from outbox where id = $1 and done_at is null and failed_at is null for update',
        [id],
      );
      if (!claimed) return 'repeated';
      await row.handle({ ...call, tx }, prepared);
      await tx.run(
        'update outbox set done_at = now(), attempts = attempts + 1, last_error = null where id = $1',
        [id],
      );
      return 'done';
    };
    outcome = await turn(() => options.db.transaction(handle));
  } catch (error) {
    outcome = await giveBack(options, row, open, error as Error, call);
    if (outcome !== 'postponed') span?.fail(error as Error);
  }
  span?.set({ 'sevenfold.job.outcome': outcome, 'sevenfold.job.attempt': call.attempt });
  const seconds = end();
  jobsTotal.inc({ queue: row.queue, job: row.name, outcome });
  // What a sweep or a clock brought about is told to those who look closer.
  const level = requestId() === '' ? 'debug' : 'info';
  log[level]({ outcome, attempt: call.attempt, ms: Math.round(seconds * 1e6) / 1e3 }, 'job');
}

/** What an orderly stop of the worker cut short is no failure of the job: the next worker goes on with it at once. */
function laterOf(error: Error, stopping: AbortSignal): TryLater | undefined {
  if (error instanceof TryLater) return error;
  return stopping.aborted ? new TryLater('the worker stopped', 0, error) : undefined;
}

async function giveBack<D>(
  options: Pick<WorkersOptions<D>, 'db' | 'deps' | 'log'>,
  row: Job<D>,
  open: OutboxRow,
  error: Error,
  call: Omit<JobCall<D, unknown>, 'tx'>,
): Promise<Outcome> {
  const later = laterOf(error, call.signal);
  const last = !later && call.attempt >= open.max_attempts;
  if (later) call.log.info({ reason: later.message, seconds: later.seconds }, 'job put off');
  else if (last) call.log[levelOf(error)]({ err: error, attempt: call.attempt }, 'job failed for good');
  else logFault(call.log, error, { attempt: call.attempt }, 'job failed; it will be tried again');
  const given = await options.db.transaction(async (tx) => {
    const touched = await tx.run(
      // The number of tries names the next ticket, so it grows even when the try does not count.
      `update outbox set attempts = attempts + 1, last_error = $2, sent_at = null,
         failed_at = case when $3 then now() end,
         run_at = now() + make_interval(secs => $4),
         max_attempts = max_attempts + $5, waits = waits + $5
       where id = $1 and done_at is null and failed_at is null and attempts = $6
       returning pg_notify('${OUTBOX_CHANNEL}', '')`,
      [
        open.id,
        error.message.slice(0, 2000),
        last,
        later?.seconds ?? backoffSeconds(call.attempt),
        later ? 1 : 0,
        open.attempts,
      ],
    );
    // A second delivery may have brought it to its end meanwhile, or given it back: then this failure is nobody's concern.
    if (touched > 0 && last && row.failed) await row.failed({ ...call, tx }, error);
    return touched;
  });
  if (given === 0) return 'repeated';
  return later ? 'postponed' : last ? 'failed' : 'retried';
}
