/**
 * How much of one kind of work runs at once on the way to one service, and how much may wait for it, for a short time.
 * Beyond that it is refused at once: what is too much of one kind takes nothing from the others, neither connections nor
 * memory, and whoever waits waits for something that is about to be his turn.
 */
import { whenLate } from './late';

export interface Bulkhead {
  readonly atOnce: number;
  readonly running: () => number;
  readonly waiting: () => number;
  /** One of the two is called, once, after `enter`; unless the place is left before. */
  place(turn: Turn): Place;
}

export interface Turn {
  readonly start: () => void;
  readonly refuse: () => void;
}

export interface Place {
  /** Starts at once where there is room; false where the turn is still to come, or was refused. */
  enter(): boolean;
  /** Makes room; again and too early do no harm. */
  leave(): void;
}

export interface BulkheadOptions {
  readonly atOnce: number;
  readonly mostWaiting: number;
  readonly waitMs: number;
  readonly onRefused: () => void;
}

interface Waiter {
  readonly turn: Turn;
  stopClock?: () => void;
}

export function createBulkhead({ atOnce, mostWaiting, waitMs, onRefused }: BulkheadOptions): Bulkhead {
  let running = 0;
  /** The one that came first stands first. */
  const line = new Set<Waiter>();

  const remove = (waiter: Waiter): boolean => {
    waiter.stopClock?.();
    return line.delete(waiter);
  };
  const refuse = (turn: Turn): void => {
    onRefused();
    turn.refuse();
  };
  const next = (): void => {
    for (const waiter of line) {
      if (running >= atOnce) return;
      remove(waiter);
      running += 1;
      waiter.turn.start();
    }
  };

  return {
    atOnce,
    running: () => running,
    waiting: () => line.size,
    place: (turn) => {
      let state: 'outside' | 'waiting' | 'inside' | 'gone' = 'outside';
      const waiter: Waiter = {
        turn: {
          start: () => {
            state = 'inside';
            turn.start();
          },
          refuse: () => {
            state = 'gone';
            turn.refuse();
          },
        },
      };
      return {
        enter: () => {
          if (running < atOnce) {
            running += 1;
            waiter.turn.start();
            return true;
          }
          if (line.size >= mostWaiting) {
            refuse(waiter.turn);
            return false;
          }
          state = 'waiting';
          line.add(waiter);
          waiter.stopClock = whenLate(waitMs, () => remove(waiter) && refuse(waiter.turn));
          return false;
        },
        leave: () => {
          const before = state;
          state = 'gone';
          if (before === 'waiting') remove(waiter);
          if (before !== 'inside') return;
          running -= 1;
          next();
        },
      };
    },
  };
}
