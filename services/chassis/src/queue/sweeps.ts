/** Work that repeats: periodic reconciliation, each by one process of all replicas at any moment. */
import type { Database } from '../db/sql';
import type { Log } from '../log';
import { logFault } from '../outages';
import { backoffSeconds } from './back-off';

export interface Sweep<D> {
  readonly name: string;
  readonly everySeconds: number;
  readonly run: (deps: D) => Promise<void>;
}

export interface Sweeper {
  stop(): Promise<void>;
}

const SWEEPS_AT_ONCE = 2;
/** Most take milliseconds: side by side, they would only keep more sessions of PostgreSQL open. One that lasts holds up nobody. */
const SLOW_MS = 500;
/** Well below the time after which PostgreSQL ends a transaction that idles (db/pool.ts). */
const BEAT_MS = 5_000;

/** `slowMs`: after which time another one runs beside; for tests. */
export function startSweeps<D>(
  sweeps: readonly Sweep<D>[],
  deps: D,
  db: Database,
  log: Log,
  slowMs = SLOW_MS,
): Sweeper {
  const running = new Set<Promise<void>>();
  /** Answers whether it failed. */
  const run = async (sweep: Sweep<D>): Promise<boolean> => {
    try {
      await db.transaction(async (tx) => {
        const free = await tx.first<{ free: boolean }>(
          'select pg_try_advisory_xact_lock(hashtext($1)) as free',
          [`sweep:${sweep.name}`],
        );
        if (!free?.free) return;
        // The lock is all this transaction is for. It would end for idling while the work goes on elsewhere, and it does end where
        // the process is stopped or cut off: the others would never do this work again.
        const beat = setInterval(() => void tx.run('select 1').catch(() => undefined), BEAT_MS);
        await sweep.run(deps).finally(() => clearInterval(beat));
      });
      return false;
    } catch (error) {
      logFault(log, error, { sweep: sweep.name }, 'a sweep failed; it runs again');
      return true;
    }
  };
  // Each sweep holds a connection for its lock and takes another one for its work: all of them at once would leave none
  // for anybody else. One that still waits or runs when its time comes again is not started twice.
  const waiting = new Map<string, Sweep<D>>();
  const active = new Set<string>();
  const slow = new Set<string>();
  let stopped = false;
  const start = (sweep: Sweep<D>): void => {
    if (!active.has(sweep.name)) waiting.set(sweep.name, sweep);
    next();
  };
  const next = (): void => {
    const [first] = waiting.values();
    if (!first || active.size >= SWEEPS_AT_ONCE || active.size > slow.size) return;
    waiting.delete(first.name);
    active.add(first.name);
    const patience = setTimeout(() => {
      slow.add(first.name);
      next();
    }, slowMs);
    const work = run(first).then((failed) => {
      clearTimeout(patience);
      running.delete(work);
      active.delete(first.name);
      slow.delete(first.name);
      settle(first, failed);
      next();
    });
    running.add(work);
  };
  // One that failed does not wait for its whole time, which may be a day: what it needs may be there in a moment.
  const failures = new Map<string, number>();
  const retries = new Map<string, NodeJS.Timeout>();
  const settle = (sweep: Sweep<D>, failed: boolean): void => {
    clearTimeout(retries.get(sweep.name));
    retries.delete(sweep.name);
    const times = failed ? (failures.get(sweep.name) ?? 0) + 1 : 0;
    failures.set(sweep.name, times);
    if (!failed || stopped) return;
    const wait = backoffSeconds(times);
    if (wait < sweep.everySeconds)
      retries.set(
        sweep.name,
        setTimeout(() => start(sweep), wait * 1000),
      );
  };
  const timers = sweeps.map((sweep) => {
    start(sweep);
    return setInterval(() => start(sweep), sweep.everySeconds * 1000);
  });
  return {
    stop: async () => {
      stopped = true;
      timers.forEach(clearInterval);
      retries.forEach(clearTimeout);
      waiting.clear();
      await Promise.all(running);
    },
  };
}
