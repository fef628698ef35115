/**
 * How a process goes down: step by step, and in bounded time. A step may wait for something that never comes (a
 * database that hangs, a connection that an abandoned job still holds); whoever asked for the stop must not.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from './log';

/** What is waited for, as the log names it, and how it is brought about. */
export type StopStep = readonly [name: string, run: () => unknown];

/**
 * For closing what is left once the running requests and jobs have had their time. Together with the default of
 * SHUTDOWN_SECONDS in a local stack it stays below the time after which the supervisor kills.
 */
const CLOSING_MS = 1_000;

/**
 * How a process leaves before it goes down: it says that it is not ready, and that whoever keeps a connection is to make the next one elsewhere, but
 * goes on answering until nobody is sent to it any more. Clients of ours that find a connection idle for nearly as long close
 * it themselves, so that none is closed under a request.
 */
export async function leave(seconds: number, http: { letGo(): void }): Promise<void> {
  http.letGo();
  if (seconds > 0) await wait(seconds * 1000);
}

/** Resolves when all steps are done, or `graceMs` and a second later with the rest undone and a line in the log. */
export async function stopInTime(graceMs: number, log: Log, steps: readonly StopStep[]): Promise<void> {
  let current = '';
  const work = async (): Promise<true> => {
    for (const [name, run] of steps) {
      current = name;
      await run();
    }
    return true;
  };
  const done = await within(graceMs + CLOSING_MS, work());
  if (done) log.info('stopped');
  else log.warn({ step: current }, 'stopped without finishing: the time was over');
}

/** The outcome of the work, or undefined when it takes longer than `ms`. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** One graceful stop, however often it is asked for; the process ends when it is done. */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const once = (): void => {
    if (stopping) return;
    stopping = true;
    void stop().finally(() => process.exit(0));
  };
  process.on('SIGTERM', once);
  process.on('SIGINT', once);
  process.on('disconnect', once);
}
