/**
 * Answers whose client does not keep up hold a place on the way to the service each, and there are so many of those. Nobody
 * waits for one because of them: when all are taken and somebody waits, those that have been paused for a while give theirs back, and
 * those of whoever holds more than a fair share (shares.ts), paused or not. What is left of them is taken into memory, of a few of them and so much
 * of each; the others are cut off.
 */
import type { ServerResponse } from 'node:http';
import type { Way } from './ways';

/** Clients that are merely busy go on sooner than that. */
const PAUSED_MS = 500;
/** For so long after a pause an answer is one whose client does not keep up. */
const BEHIND_MS = 2_000;
/** Together 64 MiB for each way at most. */
const MOST_KEPT = 32;
const MOST_KEPT_BYTES = 2 * 1024 * 1024;

/** What comes from the service. */
interface Flow {
  pause(): void;
  resume(): void;
}

export interface PausedAnswer {
  /** Called whenever the client has not taken the last piece. */
  pause(): void;
  /** All of it has come from the service. */
  ended(): void;
}

/** How many answers of a way are taken into memory. */
const keptOf = new WeakMap<Way, number>();

/** An answer that comes in pieces, to the client at this address. */
export function pausable(way: Way, flow: Flow, response: ServerResponse, address: string): PausedAnswer {
  let release: (() => void) | undefined;
  let since = 0;
  let isPaused = false;
  /** Of those it may be given, where it goes on without its client. */
  let mostBytes: number | undefined;

  /** With what waits to be taken. */
  const given = (): number => response.socket?.bytesWritten ?? 0;
  const addKept = (more: number): void => void keptOf.set(way, (keptOf.get(way) ?? 0) + more);
  // Not only the end of the response: that of its connection, which closes it.
  const cut = (): void => void (response.socket ?? response).destroy();
  const goOn = (): void => {
    if (!isPaused) return;
    isPaused = false;
    flow.resume();
  };
  /** Goes on without the client. */
  const keep = (): void => {
    // Its close has been told already.
    if (response.closed) return;
    mostBytes = given() + MOST_KEPT_BYTES;
    addKept(1);
    response.once('close', () => addKept(-1));
    goOn();
  };
  const hold = (): (() => void) =>
    way.givingWay.hold({
      address,
      moved: () => given() - response.writableLength,
      isClients: () => isPaused || performance.now() - since < BEHIND_MS,
      isStuck: () => isPaused && performance.now() - since >= PAUSED_MS,
      giveWay: () => ((keptOf.get(way) ?? 0) < MOST_KEPT ? keep() : cut()),
    });

  return {
    pause: () => {
      // However fast it is taken: who holds a place for long gives none back.
      if (mostBytes !== undefined) return given() > mostBytes ? cut() : undefined;
      release ??= hold();
      isPaused = true;
      since = performance.now();
      flow.pause();
      response.once('drain', goOn);
    },
    ended: () => {
      isPaused = false;
      release?.();
    },
  };
}
