/**
 * The line of pictures that are to be drawn: as many at a time as there is memory for, people in turn. A request waits in it until its
 * time is over, or its client gone, and of one person only so many wait: each holds a place for uploads in the gateway,
 * where everybody's come by. Jobs, for which nobody waits, have neither limit.
 */
import { type ApiError, busy } from '@sevenfold/chassis/errors';
import { joined } from '@sevenfold/chassis/joined-signals';
import { openTally } from '@sevenfold/chassis/tally';
import { openTurn } from '@sevenfold/chassis/turn';

/** Who brought a picture, and whether he still waits for it. */
export interface For {
  readonly owner?: number;
  readonly signal?: AbortSignal;
  /** When a request gives up standing in line, by the clock of `performance`. */
  readonly until?: number;
}

export type DrawingLine = <T>(bytes: number, whose: For, draw: () => Promise<T>) => Promise<T>;

const MOST_AT_A_TIME = 2;
/** Half of the places that the gateway has for uploads (UPLOADS_AT_ONCE): more than a person sends who waits for them. */
const MOST_OF_ONE = 16;

export function openDrawingLine(roomBytes: number): DrawingLine {
  const turn = openTurn(roomBytes);
  const inside = openTally<number>();
  /** A large picture waits until there is room for it, and those behind it until then. */
  const inTurn: DrawingLine = (bytes, { owner = 0, signal }, draw) =>
    turn(draw, {
      places: Math.max(Math.min(bytes, roomBytes), roomBytes / MOST_AT_A_TIME),
      of: owner,
      signal,
    });

  return async (bytes, whose, draw) => {
    const { owner = 0, signal, until } = whose;
    if (until === undefined) return inTurn(bytes, whose, draw);
    if (inside.of(owner) >= MOST_OF_ONE) throw tooMany();
    inside.add(owner);
    const waiting = joined([signal]);
    const timer = setTimeout(() => waiting.abort(tooMany()), until - performance.now());
    try {
      return await inTurn(bytes, { owner, signal: waiting.signal }, () => {
        clearTimeout(timer);
        return draw();
      });
    } finally {
      clearTimeout(timer);
      waiting.leave();
      inside.add(owner, -1);
    }
  };
}

const tooMany = (): ApiError => busy('Too many pictures wait to be drawn. Try again shortly.');
