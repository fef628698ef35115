/**
 * Carries the outbox to Redis: jobs to BullMQ under a deterministic id, events to streams. A row that is not done is
 * sent again, when nothing new waits; adding an id that is still queued does nothing. Any number of relays may run: rows are
 * locked. When the database or Redis comes back, nothing that was sent before is relied on.
 */
import { Queue, createNodeRedisClient } from 'bullmq';
import type { Listener } from '../db/listen';
import { PIECE, deletePiece } from '../db/old';
import { OUTBOX_CHANNEL } from '../db/outbox';
import type { Database } from '../db/sql';
import type { Log } from '../log';
import { logFault } from '../outages';
import { RECALLS, hasForgottenAll, markDone, recall, streamKey } from './forgotten';
import { answered } from './answered';
import type { RedisClient } from './redis';
import { STREAM_BOUNDS, type StreamBounds, trimStream } from './streams';
import { type Sent, addTickets, wakeTickets } from './tickets';

export interface RelayOptions {
  readonly db: Database;
  readonly listener: Listener;
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly log: Log;
  /** Fallback when a notification was missed; default a second, five while nothing happens. */
  readonly pollMs?: number;
  /** How long a sent job may stay unfinished before it is sent again. */
  readonly resendSeconds?: number;
  readonly streams?: StreamBounds;
}

export interface Relay {
  stop(): Promise<void>;
  /** Sends everything that is due now; tests use it to wait for nothing. */
  flush(): Promise<number>;
}

interface DueRow extends Sent {
  kind: 'job' | 'event';
  channel: string;
  /** As PostgreSQL writes it: nobody reads it on the way. */
  payload: string;
  request_id: string;
  created_at: string;
  traceparent: string;
  recalls: number;
}

const BATCH = 500;
const OPEN = 'done_at is null and failed_at is null';
/** Jobs that are due within the minute go out with a delay, so that they run on the second rather than on the poll. */
const DUE = `select id from outbox where ${OPEN} and sent_at is null and run_at <= now() + interval '60 seconds'
  order by run_at, id`;
/**
 * What was sent long ago and is not done: its ticket is lost, or its turn has not come. That cannot be told apart, and there may
 * be any number of the second kind, so these go by few, behind all that is new; whoever waited longest first.
 */
const LATE = `select id from outbox where ${OPEN} and sent_at < now() - make_interval(secs => $1)
  and run_at < now() - make_interval(secs => $1) order by sent_at, id`;
/** Counts what was sent as unsent. What somebody is at work on now is not lost. */
const DISTRUST = `update outbox set sent_at = null where id = any(array(
  select id from outbox where ${OPEN} and sent_at is not null limit ${PIECE} for update skip locked))`;
/** So often within the time after which what was sent is sent again. */
const RESENDS = 10;
const KEEP_DONE_HOURS = 24;
/** Between two pieces of what is old: what is to be sent goes first. */
const MORE_MS = 1_000;

/**
 * A poll is for what nobody was told of. While nothing happens it is rare: whatever is due within the minute goes out before its
 * time, and whoever lost the line to the database looks at once when it is back.
 */
const POLL_MS = 1_000;
const CALM_POLL_MS = 5_000;
const CALM_AFTER_MS = 10_000;

/** How soon what failed is tried again, however rare the poll is. */
const RETRY_MS = 1_000;

/** How often a Redis that stays connected is asked whether it still knows what it was sent. */
const ASK_MEMORY_MS = 10_000;

export function startRelay(options: RelayOptions): Relay {
  const queues = new Map<string, Queue>();
  const resend = options.resendSeconds ?? 30;
  let stopped = false;
  let wake: (() => void) | undefined;
  // News may come while the loop is at work, after its look at the outbox: it must look again before it sleeps.
  let pending = false;
  const stir = (): void => {
    pending = true;
    wake?.();
  };

  const queue = (name: string): Queue => {
    let known = queues.get(name);
    if (!known) {
      known = new Queue(name, {
        connection: createNodeRedisClient(options.redis),
        prefix: options.prefix,
      });
      known.on('error', () => undefined);
      queues.set(name, known);
      const made = known;
      // One that could not begin fails for good, also where what kept it from that is mended.
      made.waitUntilReady().catch(() => queues.get(name) === made && queues.delete(name));
    }
    return known;
  };

  let suspicious = true;
  let nextMemory = 0;
  let nextResend = 0;
  const suspect = (): void => {
    suspicious = true;
    stir();
  };
  options.redis.on('ready', suspect);

  const trust = async (): Promise<void> => {
    if (!suspicious) {
      if (performance.now() < nextMemory) return;
      suspicious = await hasForgottenAll(options.db, options.redis, options.prefix);
    }
    nextMemory = performance.now() + ASK_MEMORY_MS;
    if (!suspicious) return;
    suspicious = false;
    try {
      const count = await recall(options.db, options.redis, options.prefix);
      if (count > 0) options.log.warn({ count }, 'Redis has forgotten domain events; they are sent again');
      while ((await options.db.run(DISTRUST)) === PIECE);
    } catch (error) {
      suspicious = true;
      throw error;
    }
  };

  const flush = async (): Promise<number> => {
    if (!options.redis.isReady) return 0;
    await trust();
    const sent = await send(DUE);
    if (sent < BATCH && performance.now() >= nextResend) {
      nextResend = performance.now() + (resend * 1000) / RESENDS;
      await send(LATE, resend);
    }
    return sent;
  };

  const send = async (what: string, ...values: readonly unknown[]): Promise<number> => {
    const rows = await options.db.rows<DueRow>(
      `update outbox set sent_at = now() where id = any(array(${what} limit ${BATCH} for update skip locked))
       returning id, kind, channel, name, payload::text, request_id, created_at, traceparent, attempts, greatest(0, extract(epoch from run_at - now()) * 1000)::float8 as delay_ms, turn,
         ${RECALLS} as recalls`,
      values,
    );
    if (rows.length === 0) return 0;
    try {
      await answered(deliver(rows, what === LATE));
    } catch (error) {
      await free(rows);
      throw error;
    }
    return rows.length;
  };

  /** Not sent after all: to be sent at once instead of after the resend interval. */
  const free = (rows: readonly DueRow[]): Promise<number> =>
    options.db.run('update outbox set sent_at = null where id = any($1) and done_at is null', [
      rows.map(({ id }) => id),
    ]);

  const deliver = async (rows: readonly DueRow[], areLate: boolean): Promise<void> => {
    const byQueue = new Map<string, DueRow[]>();
    const events = rows.filter((row) => row.kind === 'event').sort((a, b) => a.id - b.id);
    for (const row of rows) {
      if (row.kind === 'event') continue;
      const group = byQueue.get(row.channel);
      if (group) group.push(row);
      else byQueue.set(row.channel, [row]);
    }
    for (const [name, jobs] of byQueue) {
      jobs.sort((a, b) => a.id - b.id);
      await addTickets(queue(name), jobs);
      if (areLate) await wakeTickets(queue(name), options.redis, jobs);
    }
    const [event] = events;
    if (event) {
      await Promise.all(
        events.map((row) => options.redis.xAdd(streamKey(options.prefix, row.channel), '*', fieldsOf(row))),
      );
      const ids = events.map(({ id }) => id);
      if (!(await markDone(options.db, ids, event.recalls))) {
        await free(events);
        stir();
      }
      const bounds = options.streams ?? STREAM_BOUNDS;
      for (const topic of new Set(events.map(({ channel }) => channel)))
        await trimStream(
          options.redis,
          { key: streamKey(options.prefix, topic), topic },
          bounds,
          options.log,
        ).catch((error: unknown) =>
          logFault(options.log, error, { topic }, 'a stream of domain events could not be shortened'),
        );
    }
  };

  const deafen = options.listener.hear({
    channels: [OUTBOX_CHANNEL],
    onMessage: stir,
    onConnected: suspect,
  });

  const loop = (async () => {
    let complained = false;
    let nextSweep = 0;
    let calmAt = performance.now() + CALM_AFTER_MS;
    while (!stopped) {
      let sent = 0;
      let pause = options.pollMs ?? (performance.now() < calmAt ? POLL_MS : CALM_POLL_MS);
      pending = false;
      try {
        sent = await flush();
        if (sent > 0) calmAt = performance.now() + CALM_AFTER_MS;
        if (performance.now() > nextSweep) {
          nextSweep = performance.now() + 10 * 60_000;
          if (await sweep(options.db)) nextSweep = performance.now() + MORE_MS;
        }
        if (complained) options.log.info('the relay works again');
        complained = false;
      } catch (error) {
        pause = Math.min(pause, RETRY_MS);
        if (!complained) options.log.warn({ err: error as Error }, 'the relay cannot work; trying again');
        complained = true;
      }
      if (sent === BATCH || pending || stopped) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = undefined;
    }
  })();

  return {
    flush,
    stop: async () => {
      stopped = true;
      options.redis.off('ready', suspect);
      wake?.();
      await loop;
      deafen();
      await Promise.all([...queues.values()].map((known) => known.close().catch(() => undefined)));
    },
  };
}

/** What a domain event is in the stream. */
const fieldsOf = (row: DueRow): Record<string, string> => ({
  id: String(row.id),
  payload: row.payload,
  request: row.request_id,
  at: row.created_at,
  ...(row.traceparent !== '' && { traceparent: row.traceparent }),
});

/** Finished rows are kept for a day, for people who ask what happened. Answers whether there is more to take away. */
async function sweep(db: Database): Promise<boolean> {
  const done = `done_at < now() - interval '${KEEP_DONE_HOURS} hours'`;
  const taken = `taken_at < now() - interval '7 days'`;
  const tried = `tried_at < now() - interval '7 days'`;
  const gone = [
    await deletePiece(db, { table: 'outbox', old: done, by: 'done_at' }),
    await deletePiece(db, { table: 'inbox', old: taken, by: 'taken_at' }),
    await deletePiece(db, { table: 'event_tries', old: tried, by: 'tried_at' }),
  ];
  return gone.includes(PIECE);
}
