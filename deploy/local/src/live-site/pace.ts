/**
 * How fast another site is asked: so many requests at once, so many a second, and none at all for as long as it says that it
 * has enough (`Retry-After`).
 */
import { setTimeout as wait } from 'node:timers/promises';

interface Pace {
  /** Runs the work when its turn comes. */
  turn<T>(work: () => Promise<T>): Promise<T>;
  /** Nobody's turn comes before that. */
  rest(ms: number): void;
}

export function openPace({
  parallel,
  perSecond,
  signal,
}: {
  readonly parallel: number;
  readonly perSecond: number;
  readonly signal?: AbortSignal;
}): Pace {
  let free = parallel;
  const waiting: (() => void)[] = [];
  let next = 0;
  const leave = (): void => {
    const first = waiting.shift();
    if (first) first();
    else free += 1;
  };
  const enter = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    // A rest may be asked for while this one waits.
    for (let now = performance.now(); now < next; now = performance.now())
      await wait(next - now, undefined, { signal });
    next = performance.now() + 1_000 / perSecond;
  };
  return {
    turn: async (work) => {
      try {
        await enter();
        signal?.throwIfAborted();
        return await work();
      } finally {
        leave();
      }
    },
    rest: (ms) => {
      next = Math.max(next, performance.now() + ms);
    },
  };
}
