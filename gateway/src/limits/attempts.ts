/**
 * How often an address, or whoever else is counted, may be wrong: as many checks of credentials that were not right before run at once as it has
 * attempts left, and the next waits until one of them was right. So a thousand guesses that are sent together are not
 * more than a thousand that are sent one after the other, and nobody who is right is refused for it.
 */
import { ApiError } from '@sevenfold/chassis/errors';
import { errors } from '../edge/errors';
import { type Counters, wholeSeconds } from './counters';

export interface Attempts {
  /** Runs the check. Throws 429 where too many of the same were wrong. */
  run<T>(who: string, check: () => Promise<T>): Promise<T>;
}

export interface AttemptsOptions {
  readonly counters: Pick<Counters, 'standing' | 'add'>;
  /** In a minute; 0 for none. */
  readonly limit: number;
  readonly nameOf: (who: string) => string;
  readonly onRefused: () => void;
}

/** Of the same. */
const MOST_WAITING = 64;

interface Line {
  /** All that run or wait. */
  users: number;
  running: number;
  readonly waiting: (() => void)[];
}

export function openAttempts({ counters, limit, nameOf, onRefused }: AttemptsOptions): Attempts {
  const lines = new Map<string, Line>();

  const refuse = (waitMs: number): never => {
    onRefused();
    throw errors.tooManyAttempts(wholeSeconds(waitMs));
  };
  const enter = async (name: string, line: Line): Promise<void> => {
    for (;;) {
      const { left, waitMs } = counters.standing(name, limit);
      if (left === 0) return refuse(waitMs);
      if (line.running < left) break;
      if (line.waiting.length >= MOST_WAITING) return refuse(0);
      await new Promise<void>((resolve) => line.waiting.push(resolve));
    }
    line.running += 1;
  };
  const runIn = async <T>(name: string, line: Line, check: () => Promise<T>): Promise<T> => {
    await enter(name, line);
    try {
      return await check();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) counters.add(name);
      throw error;
    } finally {
      line.running -= 1;
      for (const go of line.waiting.splice(0)) go();
    }
  };

  return {
    run: async (who, check) => {
      if (limit === 0) return check();
      const name = nameOf(who);
      let line = lines.get(name);
      if (!line) lines.set(name, (line = { users: 0, running: 0, waiting: [] }));
      line.users += 1;
      try {
        return await runIn(name, line, check);
      } finally {
        line.users -= 1;
        if (line.users === 0) lines.delete(name);
      }
    },
  };
}
