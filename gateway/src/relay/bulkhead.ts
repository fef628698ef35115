/**
 * How much of one kind of work runs at once on the way to one service, and how much may wait for it, for a short time.
 * Beyond that it is refused at once: what is too much of one kind takes nothing from the others, neither connections nor
 * memory, and whoever waits waits for something that is about to be his turn.
 */
import { openTally } from '@sevenfold/chassis/tally';
import { whenLate } from './late';
import { type Waiting, networkOf } from './shares';

export interface Bulkhead {
  readonly atOnce: number;
  readonly running: () => number;
  readonly waiting: () => number;
  /** Those who wait, in their order. */
  readonly line: () => readonly Waiting[];
  /** The next places are for these. */
  readonly bringForward: (these: readonly Waiting[]) => void;
  /** One of the two is called, once, after `enter`; unless the place is left before. */
  place(turn: Turn): Place;
}

export interface Turn {
  /** Of the client, where there is one. */
  readonly address?: string;
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

interface Waiter extends Waiting {
  readonly turn: Turn;
  /** As connections are counted; known of those who wait. */
  network?: string;
  stopClock?: () => void;
}

export function createBulkhead({ atOnce, mostWaiting, waitMs, onRefused }: BulkheadOptions): Bulkhead {
  let running = 0;
  /** The one that came first stands first. */
  const line = new Set<Waiter>();
  /** How many of each network wait. */
  const networks = openTally<string>();

  const remove = (waiter: Waiter): boolean => {
    waiter.stopClock?.();
    if (!line.delete(waiter)) return false;
    networks.add(waiter.network as string, -1);
    return true;
  };
  /** The last one of the network that has the most of the line, where it would have more than the newcomer's even so. */
  const whoGoes = (network: string): Waiter | undefined => {
    let [most, largest] = [networks.of(network) + 1, ''];
    for (const [name, many] of networks.all()) if (many > most) [most, largest] = [many, name];
    return largest === '' ? undefined : [...line].reverse().find((waiter) => waiter.network === largest);
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
    line: () => [...line],
    bringForward: (these) => {
      if (these.length === 0) return;
      const chosen = new Set(these);
      const others = [...line].filter((waiter) => !chosen.has(waiter));
      const first = [...line].filter((waiter) => chosen.has(waiter));
      line.clear();
      for (const waiter of [...first, ...others]) line.add(waiter);
    },
    place: (turn) => {
      let state: 'outside' | 'waiting' | 'inside' | 'gone' = 'outside';
      const waiter: Waiter = {
        address: turn.address ?? '',
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
          const network = networkOf(waiter.address);
          if (line.size >= mostWaiting) {
            // Whoever fills the line as well as the places would let nobody wait for his share of them.
            const goes = whoGoes(network);
            if (goes) remove(goes);
            refuse((goes ?? waiter).turn);
            if (!goes) return false;
          }
          state = 'waiting';
          waiter.network = network;
          line.add(waiter);
          networks.add(network);
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
