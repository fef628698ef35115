/**
 * Reads whose client does not keep up hold a connection to the service each, and there are so many of those. Nobody
 * waits for one because of them: when all are taken and somebody waits, the reads that have been paused the longest
 * give theirs back. What is left of their answers is taken into memory, of a few of them and so much of each; the
 * others are cut off.
 */
import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Upstream } from './upstreams';

/** Clients that are merely busy go on sooner than that. */
const PAUSED_MS = 500;
const LOOK_MS = 250;
/** Together 64 MiB for each service at most. */
const MOST_KEPT = 32;
const MOST_KEPT_BYTES = 2 * 1024 * 1024;

export interface PausedRead {
  /** Called whenever the client has not taken the last piece. */
  pause(): void;
}

interface Read extends PausedRead {
  since: number;
  kept: boolean;
  /** Goes on without the client. */
  keep(): void;
  cut(): void;
}

export interface Pressure {
  /** Somebody waits. */
  wanted(): void;
  ended(read: PausedRead | undefined): void;
  pausable(controller: Dispatcher.DispatchController, response: ServerResponse): PausedRead;
}

const known = new WeakMap<Upstream, Pressure>();

export function pressureOf(upstream: Upstream): Pressure {
  let pressure = known.get(upstream);
  if (!pressure) known.set(upstream, (pressure = createPressure(upstream.ways.reads.bulkhead.waiting)));
  return pressure;
}

function createPressure(waiting: () => number): Pressure {
  let kept = 0;
  let timer: NodeJS.Timeout | undefined;
  /** The one paused first stands first. */
  const paused = new Set<Read>();

  const relieve = (): void => {
    let wanted = waiting();
    const before = performance.now() - PAUSED_MS;
    for (const read of paused) {
      if (wanted <= 0 || read.since > before) break;
      paused.delete(read);
      wanted -= 1;
      if (kept < MOST_KEPT) read.keep();
      else read.cut();
    }
    if (waiting() > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const pausable = (controller: Dispatcher.DispatchController, response: ServerResponse): Read => {
    // Not only the end of the response: that of its connection, which closes it.
    const cut = (): void => void (response.socket ?? response).destroy();
    const read: Read = {
      since: 0,
      kept: false,
      pause: () => {
        if (read.kept) {
          if (response.writableLength > MOST_KEPT_BYTES) cut();
          return;
        }
        read.since = performance.now();
        paused.add(read);
        controller.pause();
        response.once('drain', () => {
          if (paused.delete(read)) controller.resume();
        });
      },
      keep: () => {
        read.kept = true;
        kept += 1;
        response.once('close', () => (kept -= 1));
        controller.resume();
      },
      cut,
    };
    return read;
  };

  return {
    wanted: () => void (timer ??= setInterval(relieve, LOOK_MS)),
    ended: (read) => {
      if (read) paused.delete(read as Read);
    },
    pausable,
  };
}
