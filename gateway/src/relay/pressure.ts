/**
 * Answers whose client does not keep up hold a place on the way to the service each, and there are so many of those. Nobody
 * waits for one because of them: when all are taken and somebody waits, the answers that have been paused the longest
 * give theirs back. What is left of them is taken into memory, of a few of them and so much of each; the others are cut off.
 */
import type { ServerResponse } from 'node:http';
import type { Way } from './ways';

/** Clients that are merely busy go on sooner than that. */
const PAUSED_MS = 500;
const LOOK_MS = 250;
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
}

interface Coming extends PausedAnswer {
  since: number;
  kept: boolean;
  /** Goes on without the client. */
  keep(): void;
  cut(): void;
}

export interface Pressure {
  /** Somebody waits. */
  wanted(): void;
  ended(answer: PausedAnswer | undefined): void;
  pausable(flow: Flow, response: ServerResponse): PausedAnswer;
}

const known = new WeakMap<Way, Pressure>();

export function pressureOf(way: Way): Pressure {
  let pressure = known.get(way);
  if (!pressure) known.set(way, (pressure = createPressure(way.bulkhead.waiting)));
  return pressure;
}

function createPressure(waiting: () => number): Pressure {
  let kept = 0;
  let timer: NodeJS.Timeout | undefined;
  /** The one paused first stands first. */
  const paused = new Set<Coming>();

  const relieve = (): void => {
    let wanted = waiting();
    const before = performance.now() - PAUSED_MS;
    for (const answer of paused) {
      if (wanted <= 0 || answer.since > before) break;
      paused.delete(answer);
      wanted -= 1;
      if (kept < MOST_KEPT) answer.keep();
      else answer.cut();
    }
    if (waiting() > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const pausable = (flow: Flow, response: ServerResponse): Coming => {
    // Not only the end of the response: that of its connection, which closes it.
    const cut = (): void => void (response.socket ?? response).destroy();
    const answer: Coming = {
      since: 0,
      kept: false,
      pause: () => {
        if (answer.kept) {
          if (response.writableLength > MOST_KEPT_BYTES) cut();
          return;
        }
        answer.since = performance.now();
        paused.add(answer);
        flow.pause();
        response.once('drain', () => {
          if (paused.delete(answer)) flow.resume();
        });
      },
      keep: () => {
        answer.kept = true;
        kept += 1;
        response.once('close', () => (kept -= 1));
        flow.resume();
      },
      cut,
    };
    return answer;
  };

  return {
    wanted: () => void (timer ??= setInterval(relieve, LOOK_MS)),
    ended: (answer) => {
      if (answer) paused.delete(answer as Coming);
    },
    pausable,
  };
}
