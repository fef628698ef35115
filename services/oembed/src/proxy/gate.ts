/** How many errands run at once, to one host and in all, and how many may wait: who finds the room full is told to come again. */
import { ApiError, apiError } from '@sevenfold/chassis/errors';
import limiter, { type Limit } from 'p-limit';

const AT_ONCE = 16;
const AT_ONCE_PER_HOST = 4;
const MOST_WAITING = 64;
// Two slow hosts leave room for the others.
const MOST_INSIDE_PER_HOST = 32;

export type Gate = <T>(host: string, run: () => Promise<T>) => Promise<T>;

export function openGate(): Gate {
  const all = limiter(AT_ONCE);
  const hosts = new Map<string, { readonly limit: Limit; users: number }>();
  let inside = 0;
  return async (host, run) => {
    const lane = hosts.get(host) ?? { limit: limiter(AT_ONCE_PER_HOST), users: 0 };
    if (inside >= AT_ONCE + MOST_WAITING || lane.users >= MOST_INSIDE_PER_HOST) throw full();
    hosts.set(host, lane);
    lane.users++;
    inside++;
    try {
      // First the host's own line: waiting there takes nobody else's place.
      return await lane.limit(() => all(run));
    } finally {
      inside--;
      if (--lane.users === 0) hosts.delete(host);
    }
  };
}

export const isFull = (error: unknown): boolean => error instanceof ApiError && error.code === BUSY;

const BUSY = 'service_busy';
const full = (): ApiError =>
  apiError(BUSY, 503, 'Too much is fetched from other sites at the moment. Try again shortly.', {
    headers: { 'Retry-After': '5' },
  });
