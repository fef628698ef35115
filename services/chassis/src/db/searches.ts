/**
 * Connections of their own for searches, few of them, with a short line of those who wait: what many search at once can
 * not take the database from everything else. Whoever finds the line full, or whose search takes too long, gets a 503
 * that says when to come again.
 */
import type { Pool } from 'pg';
import { type ApiError, apiError, isPostgresError } from '../errors';
import type { Log } from '../log';
import { openDatabase } from './pool';
import type { Db } from './sql';

const AT_ONCE = 3;
const MOST_WAITING = 30;
/** Well above what a bounded search takes on a quiet machine (a quarter of a second), to be right on a busy one too. */
const LONGEST_MS = 1_000;
const RETRY_AFTER_SECONDS = 2;

export interface Searches extends Db {
  close(): Promise<void>;
}

export function openSearches(options: {
  readonly url: string;
  readonly application: string;
  readonly log: Log;
  readonly atOnce?: number;
  readonly mostWaiting?: number;
  readonly longestMs?: number;
}): Searches {
  const {
    url,
    application,
    log,
    atOnce = AT_ONCE,
    mostWaiting = MOST_WAITING,
    longestMs = LONGEST_MS,
  } = options;
  const db = openDatabase({
    url,
    size: atOnce,
    application: `${application}-searches`,
    log,
    statementTimeoutMs: longestMs,
    // Enough to remember each matching row of a large table, rather than whole pages that are to be read again; plans for
    // the workers of one query would take the cores from others.
    settings: ['work_mem=32MB', 'max_parallel_workers_per_gather=0'],
  });
  const bounded = async <T>(search: () => Promise<T>): Promise<T> => {
    if (isFull(db.pool, mostWaiting)) throw busy('Too many searches are going on.');
    try {
      return await search();
    } catch (error) {
      if (isPostgresError(error) && error.code === '57014')
        throw busy('The search took too long and was stopped. Narrow it down, or try again.', error);
      throw error;
    }
  };
  return {
    rows: (...query) => bounded(() => db.rows(...query)),
    first: (...query) => bounded(() => db.first(...query)),
    run: (...query) => bounded(() => db.run(...query)),
    close: () => db.close(),
  };
}

const isFull = (pool: Pool, mostWaiting: number): boolean => pool.waitingCount >= mostWaiting;

const busy = (message: string, cause?: unknown): ApiError =>
  apiError('rest_search_busy', 503, message, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    cause,
  });
