/**
 * Whose turn it is where checks of passwords wait. Those who were right lately go first and find room kept for them;
 * strangers wait in lanes, one for each address, and the lanes take turns: a flood from one address fills its own lane
 * and is turned away there, while everybody else's next check comes right after the one that runs.
 */
import { type ApiError, unavailable } from '@sevenfold/chassis/errors';
import { networkOf } from '@sevenfold/chassis/networks';
import { apiError } from '../errors';

export interface Waiting {
  /** Names the lane; undefined for whoever was right lately. */
  readonly lane: string | undefined;
  /** Whoever does not wait any more gives up the place in the line. */
  readonly signal?: AbortSignal;
}

export interface Turns {
  /** Runs the work when its turn has come. Throws 429 when the lane is full, 503 when everything is. */
  take<T>(who: Waiting, work: () => Promise<T>): Promise<T>;
}

export interface Limits {
  /** How many run at once. */
  readonly atOnce: number;
  /** How many of these may be strangers. */
  readonly strangersAtOnce: number;
  readonly waitingInLane: number;
  readonly waitingInLanes: number;
  readonly waitingKnown: number;
}

interface Waiter {
  readonly lane: string | undefined;
  readonly start: () => void;
  readonly refuse: (error: ApiError) => void;
}

export function openTurns(limits: Limits): Turns {
  const known: Waiter[] = [];
  // In the order in which their turns come.
  const lanes = new Map<string, Waiter[]>();
  let waitingInLanes = 0;
  let running = 0;
  let strangers = 0;

  const next = (): Waiter | undefined => {
    const first = known.shift();
    if (first || strangers >= limits.strangersAtOnce) return first;
    const [entry] = lanes;
    if (!entry) return undefined;
    const [lane, line] = entry;
    const waiter = line.shift();
    waitingInLanes -= 1;
    // The others' turns come first now.
    lanes.delete(lane);
    if (line.length > 0) lanes.set(lane, line);
    return waiter;
  };
  const startNext = (): void => {
    while (running < limits.atOnce) {
      const waiter = next();
      if (!waiter) return;
      running += 1;
      if (waiter.lane !== undefined) strangers += 1;
      waiter.start();
    }
  };
  const ended = ({ lane }: Waiting): void => {
    running -= 1;
    if (lane !== undefined) strangers -= 1;
    startNext();
  };

  const leave = (waiter: Waiter): void => {
    const line = waiter.lane === undefined ? known : lanes.get(waiter.lane);
    const at = line?.indexOf(waiter) ?? -1;
    if (!line || at < 0) return;
    line.splice(at, 1);
    if (waiter.lane === undefined) return;
    waitingInLanes -= 1;
    if (line.length === 0) lanes.delete(waiter.lane);
  };
  const join = (waiter: Waiter): void => {
    if (waiter.lane === undefined) {
      if (known.length >= limits.waitingKnown) throw allBusy();
      known.push(waiter);
      return;
    }
    const line = lanes.get(waiter.lane) ?? [];
    if (line.length >= limits.waitingInLane) throw laneBusy();
    if (waitingInLanes >= limits.waitingInLanes) makeRoom(line.length);
    line.push(waiter);
    waitingInLanes += 1;
    lanes.set(waiter.lane, line);
  };
  /** The last one of the longest lane makes way for one whose own lane is shorter. */
  const makeRoom = (own: number): void => {
    let longest: Waiter[] = [];
    for (const line of lanes.values()) if (line.length > longest.length) longest = line;
    const last = longest.at(-1);
    if (!last || longest.length <= own + 1) throw allBusy();
    leave(last);
    last.refuse(laneBusy());
  };

  const myTurn = ({ lane, signal }: Waiting): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(gone());
      const settle = (): void => signal?.removeEventListener('abort', giveUp);
      const waiter: Waiter = {
        lane,
        start: () => {
          settle();
          resolve();
        },
        refuse: (error) => {
          settle();
          reject(error);
        },
      };
      const giveUp = (): void => {
        leave(waiter);
        waiter.refuse(gone());
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      try {
        join(waiter);
      } catch (error) {
        return waiter.refuse(error as ApiError);
      }
      startNext();
    });

  return {
    take: async (who, work) => {
      await myTurn(who);
      try {
        return await work();
      } finally {
        ended(who);
      }
    },
  };
}

const laneBusy = (): ApiError =>
  apiError(
    'rest_too_many_attempts',
    429,
    'Too many credentials of this address wait to be checked. Try again shortly.',
    { headers: { 'Retry-After': '2' } },
  );
/** A bound that held: nothing is away. */
const allBusy = (): ApiError =>
  apiError('service_busy', 503, 'Too many credentials wait to be checked. Try again shortly.', {
    headers: { 'Retry-After': '2' },
  });
const gone = (): ApiError => unavailable('The check of passwords', 2, new Error('nobody waits for it'));

/** Whoever has one address of the newer kind has its whole network of 2^64. */
export const laneOf = (address: string): string => networkOf(address, 32, 64) ?? '';
