/** What may be sent again, and after how long: pure functions of what is known of a request and its answer. */
import { objectOf } from './errors.ts';

export interface RetryOptions {
  /** How often a request is sent again, at most. Default 3. */
  readonly retries?: number;
  /** Longest pause that is waited for; where the site asks for a longer one, its refusal is thrown. Default 60,000. */
  readonly longestPauseMs?: number;
}

export const RETRIES = 3;
export const LONGEST_PAUSE_MS = 60_000;

const FIRST_PAUSE_MS = 250;
const LONGEST_BACK_OFF_MS = 5_000;
/** Of the pause: those who were refused together do not come again together. */
const SPREAD = 0.25;

/** Sent twice, they do what they do once. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

export const isRepeatable = (method: string): boolean => REPEATABLE.has(method);

/**
 * 429 is said before anything is done. 503 may come from a write that was cut off after it was done: then only what may
 * be done twice is sent again, unless the answer says that nothing was done.
 */
export function maySendAgain(repeatable: boolean, status: number, body: unknown): boolean {
  if (status === 429) return true;
  if (status !== 503) return false;
  return repeatable || objectOf(objectOf(body).data).done === false;
}

/** Before the next try, of which `tries` came before; undefined where the site asks for too long a pause. */
export function pauseMs(
  tries: number,
  retryAfterMs: number | undefined,
  longest: number,
): number | undefined {
  const asked = retryAfterMs ?? Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_BACK_OFF_MS);
  return asked > longest ? undefined : asked * (1 + Math.random() * SPREAD);
}

/** Timers know no longer time: what is longer, or `Infinity`, would be over at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const startTimer = (act: () => void, ms: number): ReturnType<typeof setTimeout> =>
  setTimeout(act, Math.min(ms, LONGEST_TIMER_MS));

/** Rejects with the reason of the signal as soon as it is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = startTimer(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** What others wait for as well goes on when one of them is aborted. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    // In any case: what fails with nobody to hear of it ends a program.
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
  });
}
