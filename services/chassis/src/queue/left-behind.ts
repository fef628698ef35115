/**
 * Streams of which events were read that could not be taken in, since something is away: the database, or a neighbour that is
 * asked for each. Nothing more is read of them until something of what was read is taken in. Otherwise an outage would read the
 * whole stream, and what is read and not taken comes back only after a claim.
 */
import type { Piece, StreamMessage, StreamReader } from './stream-reader';

/** So many in a row are no fault of each of them. */
export const AWAY_IN_A_ROW = 3;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Whether what the events need is there: false where none of them, or not all of them, could be tried. */
export type TakeAll = (
  stream: string,
  messages: readonly StreamMessage[],
  how?: {
    /** The default. */
    readonly untilAway?: boolean;
    /** They were given to some process before. */
    readonly isAgain?: boolean;
  },
) => Promise<boolean>;

export interface LeftBehind {
  add(stream: string): void;
  has(stream: string): boolean;
  readonly size: number;
  /** Milliseconds until it is worth to try again, whole ones: Redis takes no others. */
  pause(): number;
  /** Tries a few of each stream where it is time to, and all that was left of it where one of them is taken in. */
  retry(takeAll: TakeAll): Promise<void>;
}

export function openLeftBehind(reader: Pick<StreamReader, 'own'>): LeftBehind {
  /** By stream, the id behind which the next few are tried: the same ones each time may have a fault of their own. */
  const places = new Map<string, string>();
  let pauseMs = FIRST_PAUSE_MS;
  let nextAt = 0;
  const wait = (ms: number): void => {
    pauseMs = ms;
    nextAt = performance.now() + ms;
  };

  const few = async (stream: string): Promise<Piece> => {
    const next = await reader.own(stream, places.get(stream) ?? '', AWAY_IN_A_ROW);
    return next.messages.length < AWAY_IN_A_ROW ? reader.own(stream, '', AWAY_IN_A_ROW) : next;
  };
  const retryOf = async (stream: string, takeAll: TakeAll): Promise<void> => {
    const { messages, last = '' } = await few(stream);
    places.set(stream, last);
    if (!(await takeAll(stream, messages))) return;
    for (let after: string | undefined = ''; after !== undefined;) {
      const left: Piece = await reader.own(stream, after);
      await takeAll(stream, left.messages, { untilAway: false });
      after = left.last;
    }
    places.delete(stream);
  };

  return {
    add: (stream) => {
      if (places.size === 0) wait(FIRST_PAUSE_MS);
      places.set(stream, '');
    },
    has: (stream) => places.has(stream),
    get size() {
      return places.size;
    },
    pause: () => Math.max(1, Math.ceil(nextAt - performance.now())),
    retry: async (takeAll) => {
      if (places.size === 0 || performance.now() < nextAt) return;
      for (const stream of [...places.keys()]) await retryOf(stream, takeAll);
      wait(Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
    },
  };
}
