/**
 * Whose turn it is where passwords are checked and hashed. Everybody waits in lanes, strangers in one for each address, those who were
 * right lately and those who are logged in in one for each of them, and the lanes take turns: a flood fills its own lane, and
 * everybody else's next work comes right after what runs. The known go first, and yet neither of the two takes all of the room:
 * not the strangers of many addresses, and not somebody with one account who has it hashed without end.
 */
import { type ApiError, busy, unavailable } from '@sevenfold/chassis/errors';
import { subscriberOf } from '@sevenfold/chassis/networks';
import { apiError } from '../errors';

export interface Waiting {
  /** Whose turn it is. */
  readonly lane: string;
  /** Was right lately, or is logged in. */
  readonly isKnown: boolean;
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
  /** How many of these may be strangers; while some wait, so many are left to them. */
  readonly strangersAtOnce: number;
  readonly waitingInLane: number;
  readonly waitingInLanes: number;
  /** In all of their lanes, or in one of them. */
  readonly waitingKnown: number;
}

interface Waiter {
  readonly lane: string;
  readonly start: () => void;
  readonly refuse: (error: ApiError) => void;
}

/** Lanes that take turns. */
interface Crowd {
  /** In the order in which their turns come. */
  readonly lanes: Map<string, Waiter[]>;
  readonly mostInLane: number;
  readonly most: number;
  waiting: number;
  running: number;
}

const crowdOf = (mostInLane: number, most: number): Crowd => ({
  lanes: new Map(),
  mostInLane,
  most,
  waiting: 0,
  running: 0,
});

export function openTurns(limits: Limits): Turns {
  const known = crowdOf(limits.waitingKnown, limits.waitingKnown);
  const strangers = crowdOf(limits.waitingInLane, limits.waitingInLanes);

  const whoseTurn = (): Crowd | undefined => {
    const mayBeStranger = strangers.waiting > 0 && strangers.running < limits.strangersAtOnce;
    const hasItsShare = known.running >= limits.atOnce - limits.strangersAtOnce;
    if (known.waiting > 0 && !(mayBeStranger && hasItsShare)) return known;
    return mayBeStranger ? strangers : undefined;
  };
  const startNext = (): void => {
    while (known.running + strangers.running < limits.atOnce) {
      const crowd = whoseTurn();
      if (!crowd) return;
      crowd.running += 1;
      next(crowd).start();
    }
  };

  const myTurn = ({ lane, isKnown, signal }: Waiting): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(gone());
      const crowd = isKnown ? known : strangers;
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
        leave(crowd, waiter);
        waiter.refuse(gone());
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      try {
        join(crowd, waiter);
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
        (who.isKnown ? known : strangers).running -= 1;
        startNext();
      }
    },
  };
}

/** Of one in which somebody waits. */
function next(crowd: Crowd): Waiter {
  const [first] = crowd.lanes;
  const [lane, line] = first as [string, Waiter[]];
  const waiter = line.shift() as Waiter;
  crowd.waiting -= 1;
  // The others' turns come first now.
  crowd.lanes.delete(lane);
  if (line.length > 0) crowd.lanes.set(lane, line);
  return waiter;
}

function join(crowd: Crowd, waiter: Waiter): void {
  const line = crowd.lanes.get(waiter.lane) ?? [];
  if (line.length >= crowd.mostInLane) throw laneBusy();
  if (crowd.waiting >= crowd.most) makeRoom(crowd, line.length);
  line.push(waiter);
  crowd.waiting += 1;
  crowd.lanes.set(waiter.lane, line);
}

/** The last one of the longest lane makes way for one whose own lane is shorter. */
function makeRoom(crowd: Crowd, own: number): void {
  let longest: Waiter[] = [];
  for (const line of crowd.lanes.values()) if (line.length > longest.length) longest = line;
  const last = longest.at(-1);
  if (!last || longest.length <= own + 1) throw allBusy();
  leave(crowd, last);
  last.refuse(laneBusy());
}

function leave(crowd: Crowd, waiter: Waiter): void {
  const line = crowd.lanes.get(waiter.lane);
  const at = line?.indexOf(waiter) ?? -1;
  if (!line || at < 0) return;
  line.splice(at, 1);
  crowd.waiting -= 1;
  if (line.length === 0) crowd.lanes.delete(waiter.lane);
}

const laneBusy = (): ApiError =>
  apiError(
    'rest_too_many_attempts',
    429,
    'Too many passwords of this address, or of this user, wait for their turn. Try again shortly.',
    { headers: { 'Retry-After': '2' } },
  );
const allBusy = (): ApiError => busy('Too many passwords wait for their turn. Try again shortly.', 2);
const gone = (): ApiError => unavailable('The check of passwords', 2, new Error('nobody waits for it'));

/** Whoever has one address of the newer kind has its whole network of 2^64. */
export const laneOf = (address: string): string => subscriberOf(address) ?? '';

/** By the name that he logs in with, as the content service takes it. */
export const laneOfUser = (name: string): string => name.toLowerCase();
