/**
 * Connections of their own for reads that may cost much, few of them, with a short line of those who wait: what many
 * strangers ask at once can not take the database from everything else. Whoever finds the line full, or whose statement
 * takes too long, gets a 503 that says when to come again. It is an answer, so nobody takes the service for dead.
 */
import type { Pool } from 'pg';
import { type Actor, isLoggedIn } from '../actor';
import { type ApiError, type CommonCode, apiError, isPostgresError } from '../errors';
import type { Log } from '../log';
import { isPastItsTurn } from './connect';
import { type InTurn, openInTurn } from './in-turn';
import { openDatabase } from './pool';
import type { Standby } from './replica';
import type { Database, Db } from './sql';

const RETRY_AFTER_SECONDS = 2;
/** Of a line of strangers: who is not served by then comes again. */
const WAIT_MS = 5_000;

export interface Lane extends Db {
  close(): Promise<void>;
}

export interface LaneOptions {
  readonly url: string;
  readonly application: string;
  readonly log: Log;
  readonly atOnce: number;
  readonly mostWaiting?: number;
  readonly longestMs?: number;
  /** Longest time in the line. */
  readonly waitMs?: number;
  readonly standby?: Standby;
}

/** A second for a statement: well above what a bounded search takes on a quiet machine, to be right on a busy one too. */
export const openSearches = (options: LaneOptions): Lane =>
  openLane('searches', 'rest_search_busy', { mostWaiting: 30, longestMs: 1_000, ...options });

/** For the lists of strangers that no index brings at once (`Reads`). */
export const openLists = (options: LaneOptions): Lane =>
  openLane('lists', 'rest_list_busy', { mostWaiting: 100, longestMs: 2_000, ...options });

/** Where the statements of a list go. */
export interface Reads {
  /** What an index brings. */
  readonly quick: Db;
  /** What counts, sorts or passes by many rows. */
  readonly costly: Db;
}

/** Users have a name to be asked about it: they wait for the usual limit, on half of the usual connections, and take turns there. */
export const readsOf = (
  { db, lists }: { readonly db: Database; readonly lists: Db },
  actor: Actor,
): Reads => ({
  quick: db,
  costly: isLoggedIn(actor) ? inTurns(db) : lists,
});

/** By the pool, which is the same for each request that a replica reads for. */
const turns = new WeakMap<Pool, InTurn>();

function inTurns(db: Database): Db {
  const { options } = db.pool;
  const inTurn =
    turns.get(db.pool) ??
    openInTurn(Math.max(1, Math.floor(options.max / 2)), options.connectionTimeoutMillis ?? WAIT_MS);
  turns.set(db.pool, inTurn);
  return {
    rows: (...query) => inTurn(() => db.rows(...query)),
    first: (...query) => inTurn(() => db.first(...query)),
    run: (...query) => inTurn(() => db.run(...query)),
  };
}

function openLane(
  what: 'searches' | 'lists',
  code: CommonCode,
  options: LaneOptions & Required<Pick<LaneOptions, 'mostWaiting' | 'longestMs'>>,
): Lane {
  const { url, application, log, atOnce, mostWaiting, longestMs, waitMs = WAIT_MS, standby } = options;
  const connections = {
    size: atOnce,
    application: `${application}-${what}`,
    statementTimeoutMs: longestMs,
    // Enough to remember each matching row of a large table, rather than whole pages that are to be read again; plans for
    // the workers of one query would take the cores from others.
    settings: ['work_mem=32MB', 'max_parallel_workers_per_gather=0'],
  };
  const db = openDatabase({ ...connections, url, log, waitMs });
  const busy = (message: string, cause?: unknown): ApiError =>
    apiError(code, 503, message, { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) }, cause });
  const tookTooLong = (error: unknown): ApiError =>
    busy('This took too long and was stopped. Narrow it down, or try again.', error);
  const bounded = async <T>(read: () => Promise<T>): Promise<T> => {
    if (isFull(db.pool, mostWaiting)) throw busy(`Too many ${what} are going on.`);
    try {
      return await read();
    } catch (error) {
      if (isPostgresError(error) && error.code === '57014') throw tookTooLong(error);
      if (isPastItsTurn(error)) throw busy(`Too many ${what} are going on.`, error);
      throw error;
    }
  };
  const lane: Lane = {
    rows: (...query) => bounded(() => db.rows(...query)),
    first: (...query) => bounded(() => db.first(...query)),
    run: (...query) => bounded(() => db.run(...query)),
    close: () => db.close(),
  };
  standby?.accompany(lane, { ...connections, mostWaiting, tell: tookTooLong });
  return lane;
}

const isFull = (pool: Pool, mostWaiting: number): boolean => pool.waitingCount >= mostWaiting;
