/**
 * How much came in the last minute, by name: two windows that follow each other, of which the older one counts by the part
 * that the last minute still covers. In memory, so that counting costs no request a wait; what was counted here and
 * not yet told elsewhere is kept apart (shared.ts). Bounded: whoever was not seen for the longest is forgotten.
 */
import { openLru } from '@sevenfold/chassis/lru';

export const WINDOW_MS = 60_000;

/** Each takes some 200 bytes. */
const MOST = 50_000;

export interface Counter {
  readonly name: string;
  /** Number of the window that `current` counts. */
  window: number;
  current: number;
  previous: number;
  /** Of `current`, what nobody was told. */
  untold: number;
}

export interface Standing {
  /** How many more fit now. */
  readonly left: number;
  /** Until one fits, where none does; otherwise until the window ends. */
  readonly waitMs: number;
}

export interface Counters {
  /** How `limit` and the last minute compare. */
  readonly standing: (name: string, limit: number) => Standing;
  readonly add: (name: string, count?: number) => void;
  /** Counters with something untold, the ones that wait the longest first; they are taken off the list. */
  takeUntold(most: number): Counter[];
}

export function openCounters(now: () => number = Date.now, onUntold?: () => void): Counters {
  const untold = new Set<Counter>();
  const counters = openLru<string, Counter>({
    most: MOST,
    dispose: (counter) => void untold.delete(counter),
  });

  const find = (name: string): Counter | undefined => {
    const counter = counters.get(name);
    if (counter) turn(counter, windowOf(now()));
    return counter;
  };
  return {
    standing: (name, limit) => {
      const counter = find(name);
      return counter ? standingOf(counter, limit, now() % WINDOW_MS) : { left: limit, waitMs: WINDOW_MS };
    },
    add: (name, count = 1) => {
      let counter = find(name);
      if (!counter) {
        counter = { name, window: windowOf(now()), current: 0, previous: 0, untold: 0 };
        counters.set(name, counter);
      }
      const counted = Math.max(count, -counter.current);
      // What is given back may be of the window before. That is not told: elsewhere it fades within the minute.
      counter.previous = Math.max(counter.previous + count - counted, 0);
      if (counted === 0) return;
      counter.current += counted;
      counter.untold += counted;
      untold.add(counter);
      onUntold?.();
    },
    takeUntold: (most) => {
      const taken: Counter[] = [];
      for (const counter of untold) {
        if (taken.length >= most) break;
        untold.delete(counter);
        turn(counter, windowOf(now()));
        if (counter.untold !== 0) taken.push(counter);
      }
      return taken;
    },
  };
}

const windowOf = (ms: number): number => Math.floor(ms / WINDOW_MS);

/** What was not told of a window before it ended stays untold: others see that little less of it. */
function turn(counter: Counter, window: number): void {
  if (counter.window === window) return;
  counter.previous = counter.window === window - 1 ? counter.current : 0;
  counter.window = window;
  counter.current = 0;
  counter.untold = 0;
}

function standingOf({ current, previous }: Counter, limit: number, passed: number): Standing {
  const used = current + previous * (1 - passed / WINDOW_MS);
  const left = Math.max(Math.floor(limit - used), 0);
  if (left > 0) return { left, waitMs: WINDOW_MS - passed };
  const room = limit - 1;
  // When the window has turned, what is current now begins to fade.
  if (current > room) return { left, waitMs: WINDOW_MS - passed + WINDOW_MS * (1 - room / current) };
  return { left, waitMs: Math.max(WINDOW_MS * (1 - (room - current) / previous) - passed, 0) };
}

/** As `Retry-After` wants it: never so early that the answer is the same. */
export const wholeSeconds = (ms: number): number => Math.max(Math.ceil(ms / 1000), 1);
