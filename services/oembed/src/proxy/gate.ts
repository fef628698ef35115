/**
 * How many errands run at once, to one host and in all, and how many may wait, and for how long: who finds the room full, or waits in
 * vain, is told to come again. Nobody has all of it.
 */
import { ApiError, busy } from '@sevenfold/chassis/errors';
import { openTally } from '@sevenfold/chassis/tally';
import limiter, { type Limit } from 'p-limit';

const AT_ONCE = 16;
const AT_ONCE_PER_HOST = 4;
const MOST_WAITING = 64;
// Two slow hosts leave room for the others.
const MOST_INSIDE_PER_HOST = 32;
const MOST_INSIDE_PER_ASKER = 16;
/** With the errand itself (fetch.ts), well within what a gateway waits: else a slow site would count as a service that is silent. */
const PATIENCE_MS = 10_000;

export interface Errands {
  /** Id of the user who asks; 0: a service. */
  readonly asker: number;
  readonly host: string;
}

export type Gate = <T>(errands: Errands, run: () => Promise<T>) => Promise<T>;

export function openGate(patienceMs = PATIENCE_MS): Gate {
  const all = limiter(AT_ONCE);
  const hosts = new Map<string, { readonly limit: Limit; users: number }>();
  const askers = openTally<number>();
  let inside = 0;

  /** First the host's own line: waiting there takes nobody else's place. */
  const inTurn = async <T>(lane: Limit, run: () => Promise<T>): Promise<T> => {
    let isLate = false;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true;
        reject(full());
      }, patienceMs);
    });
    const begin = (): Promise<T> => {
      if (isLate) throw full();
      clearTimeout(timer);
      return run();
    };
    const work = lane(() => (isLate ? Promise.reject(full()) : all(begin)));
    work.catch(() => undefined);
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  };

  return async ({ asker, host }, run) => {
    const lane = hosts.get(host) ?? { limit: limiter(AT_ONCE_PER_HOST), users: 0 };
    if (
      inside >= AT_ONCE + MOST_WAITING ||
      lane.users >= MOST_INSIDE_PER_HOST ||
      (asker !== 0 && askers.of(asker) >= MOST_INSIDE_PER_ASKER)
    )
      throw full();
    hosts.set(host, lane);
    askers.add(asker);
    lane.users++;
    inside++;
    try {
      return await inTurn(lane.limit, run);
    } finally {
      inside--;
      if (--lane.users === 0) hosts.delete(host);
      askers.add(asker, -1);
    }
  };
}

export const isFull = (error: unknown): boolean => error instanceof ApiError && error.code === 'service_busy';

const full = (): ApiError => busy('Too much is fetched from other sites at the moment. Try again shortly.');
