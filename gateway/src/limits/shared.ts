/**
 * What all gateways of a site count together, in Redis: four times a second each tells what it has counted since, in one
 * command, and hears what all have. No request waits for that. So the gateways together let pass what is allowed, and
 * beyond it only what the others let pass since they last spoke. While Redis is away, slow or empty, each goes by what
 * it has counted itself and heard before. Windows begin by the clock, which the gateways of a site share closely enough
 * to know each other's signatures.
 */
import type { Log } from '@sevenfold/chassis/log';
import { logOutage } from '@sevenfold/chassis/outages';
import type { RedisClient } from '@sevenfold/chassis/queue/redis';
import { within } from '@sevenfold/chassis/stop';
import type { Config } from '../config';
import { type Counter, type Counters, WINDOW_MS, openCounters } from './counters';

const TELL_MS = 250;
/** Whoever stops tells what it still has. */
const FAREWELL_MS = 500;
/** In one command, which Redis works on for a millisecond or two; what is left goes with the next. */
const MOST_TOLD = 2_000;

/** Keys come in pairs, of the window and of the one before it; so do the answers. */
const TELL = `
local told = {}
for i = 1, #KEYS, 2 do
  told[i] = redis.call('incrby', KEYS[i], ARGV[(i + 1) / 2 + 1])
  redis.call('pexpire', KEYS[i], ARGV[1])
  told[i + 1] = tonumber(redis.call('get', KEYS[i + 1]) or '0')
end
return told`;

export interface SharedCounters extends Pick<Counters, 'standing' | 'add'> {
  close(): Promise<void>;
}

export function openShared(
  { REDIS_PREFIX }: Pick<Config, 'REDIS_PREFIX'>,
  redis: RedisClient | undefined,
  log: Log,
): SharedCounters {
  if (!redis) return { ...openCounters(), close: () => Promise.resolve() };
  let timer: NodeJS.Timeout | undefined;
  let telling = false;
  let closed = false;
  const wake = (): void => {
    if (closed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void tell();
    }, TELL_MS).unref();
  };
  const counters = openCounters(Date.now, wake);
  const keyOf = (window: number, name: string): string => `${REDIS_PREFIX}:limit:${window}:${name}`;

  const tell = async (): Promise<void> => {
    // A Redis that is frozen owes one answer, never more.
    if (telling || !redis.isReady) return;
    const told = counters.takeUntold(MOST_TOLD).map((counter) => {
      const { window, untold } = counter;
      counter.untold = 0;
      return { counter, window, count: untold };
    });
    if (told.length === 0) return;
    telling = true;
    try {
      const answer = (await redis.eval(TELL, {
        keys: told.flatMap(({ counter, window }) => [
          keyOf(window, counter.name),
          keyOf(window - 1, counter.name),
        ]),
        arguments: [2 * WINDOW_MS, ...told.map(({ count }) => count)].map(String),
      })) as number[];
      told.forEach(({ counter, window }, at) =>
        hear(counter, window, answer[2 * at] as number, answer[2 * at + 1] as number),
      );
    } catch (error) {
      // Whether it was counted is not known; here it was.
      logOutage(log, 'Limits cannot be shared.', { err: error as Error });
    } finally {
      telling = false;
    }
    wake();
  };
  return {
    standing: counters.standing,
    add: counters.add,
    close: async () => {
      await within(FAREWELL_MS, tell());
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** A Redis that has forgotten makes nothing here forgotten. */
function hear(counter: Counter, window: number, all: number, before: number): void {
  if (counter.window === window) {
    counter.current = Math.max(counter.current, all + counter.untold);
    counter.previous = Math.max(counter.previous, before);
  } else if (counter.window === window + 1) counter.previous = Math.max(counter.previous, all);
}
