/**
 * Tells a cache on the way what it has to drop: keys of news, gathered for a moment, some at a time, one call after the
 * other. What could not be told waits behind the rest and is told later, however long that takes; nothing here waits for it,
 * and what waits is bounded: where too much is to be said, whole services are dropped instead.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { noteAnswered, outgoingSpan } from '@sevenfold/chassis/http/spans';
import type { Log } from '@sevenfold/chassis/log';
import { limited } from '@sevenfold/chassis/time-limit';
import { arrive } from '@sevenfold/chassis/tracing/tracing';
import { Counter, Gauge } from 'prom-client';
import { request } from 'undici';
import { serviceOf } from './keys';

/** How a cache is asked: `surrogate-key` as Fastly takes it, `xkey` and `ban` as Varnish does, `json` by a list of tags. */
export const purgeStyles = ['surrogate-key', 'xkey', 'ban', 'json'] as const;
export type PurgeStyle = (typeof purgeStyles)[number];

export interface PurgeOptions {
  readonly url: string;
  readonly style: PurgeStyle;
  /** Empty where none is asked for. */
  readonly token: string;
  readonly log: Log;
}

export interface Purge {
  add(keys: readonly string[]): void;
  /** What waits is left. */
  close(): Promise<void>;
}

const GATHER_MS = 25;
const CALL_MS = 5_000;
/** Services take 100 to 256 in one call. */
const MOST_KEYS = 100;
const MOST_WAITING = 5_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

const calls = new Counter({
  name: 'gateway_purge_calls_total',
  help: 'Calls to the cache on the way: done, or failed (and made again)',
  labelNames: ['result'],
});
for (const result of ['done', 'failed']) calls.inc({ result }, 0);
const queues = new Set<ReadonlySet<string>>();
new Gauge({
  name: 'gateway_purge_keys_waiting',
  help: 'Keys that the cache on the way has not been told yet',
  collect() {
    this.set([...queues].reduce((sum, { size }) => sum + size, 0));
  },
});

export function openPurge(options: PurgeOptions): Purge {
  const { log } = options;
  const waiting = new Set<string>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;
  queues.add(waiting);

  const keep = (keys: readonly string[]): void => {
    for (const key of keys) waiting.add(key);
    if (waiting.size <= MOST_WAITING) return;
    const whole = new Set([...waiting].map(serviceOf));
    waiting.clear();
    for (const service of whole) waiting.add(service);
  };
  let pause = FIRST_PAUSE_MS;
  const give = async (keys: readonly string[]): Promise<void> => {
    try {
      await call(options, keys, signal);
      calls.inc({ result: 'done' });
      if (pause > LONGEST_PAUSE_MS) log.info('a cache on the way is told again what is old');
      pause = FIRST_PAUSE_MS;
    } catch (error) {
      if (signal.aborted) throw error;
      calls.inc({ result: 'failed' });
      keep(keys);
      await sleep(Math.min(pause, LONGEST_PAUSE_MS), undefined, { signal });
      if (pause > LONGEST_PAUSE_MS) return;
      pause *= 2;
      // One line for each time that it is away.
      if (pause > LONGEST_PAUSE_MS)
        log.error({ err: error as Error }, 'a cache on the way cannot be told what is old; trying on');
    }
  };
  const work = async (): Promise<void> => {
    // What one commit made old comes in several messages.
    await sleep(GATHER_MS, undefined, { signal });
    while (waiting.size > 0) {
      const keys = [...waiting].slice(0, MOST_KEYS);
      // Whatever becomes old while they are on their way is told again.
      for (const key of keys) waiting.delete(key);
      await give(keys);
    }
  };
  const start = (): void => {
    running ??= work()
      .catch(() => undefined)
      .finally(() => {
        running = undefined;
        if (waiting.size > 0 && !signal.aborted) start();
      });
  };

  return {
    add: (keys) => {
      keep(keys);
      if (!signal.aborted) start();
    },
    close: async () => {
      stopping.abort();
      queues.delete(waiting);
      await running;
    },
  };
}

interface Call {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
/** What means something in an expression stands for itself. */
const escaped = (key: string): string => key.replace(/[^\w:/-]/g, '\\$&');

const styles: Readonly<Record<PurgeStyle, { call: (keys: readonly string[]) => Call; sign: typeof bearer }>> =
  {
    'surrogate-key': {
      call: (keys) => ({ method: 'POST', headers: { 'Surrogate-Key': keys.join(' ') } }),
      sign: (token) => ({ 'Fastly-Key': token }),
    },
    xkey: { call: (keys) => ({ method: 'PURGE', headers: { 'xkey-purge': keys.join(' ') } }), sign: bearer },
    ban: {
      call: (keys) => ({
        method: 'BAN',
        headers: { 'X-Ban-Keys': `(^|[ ,])(${keys.map(escaped).join('|')})([ ,]|$)` },
      }),
      sign: bearer,
    },
    json: {
      call: (keys) => ({
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ tags: keys }),
      }),
      sign: bearer,
    },
  };

async function call(
  { url, style, token }: PurgeOptions,
  keys: readonly string[],
  stopping: AbortSignal,
): Promise<void> {
  const row = styles[style];
  const { method, headers, body } = row.call(keys);
  // A trace of its own: what is told at once was made old by many.
  await arrive(outgoingSpan(method, new URL(url).hostname), '', async (span) => {
    const status = await limited(CALL_MS, stopping, async (signal) => {
      const answer = await request(url, {
        method: method as 'POST',
        headers: { Accept: 'application/json', ...headers, ...(token === '' ? {} : row.sign(token)) },
        body,
        signal,
      });
      await answer.body.dump();
      // Of a body that was cut off it says nothing.
      signal.throwIfAborted();
      return answer.statusCode;
    });
    noteAnswered(span, status);
    if (status < 200 || status > 299) throw Object.assign(new Error(`answered ${status}`), { code: status });
  });
}
