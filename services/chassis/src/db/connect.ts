/**
 * The line for a connection of a pool. Whoever asked is waited for as a whole: a request that waits here and there waits no longer
 * than once, and nothing is begun for somebody who gave up, unless others may have joined him (`forMany`). The pool itself only knows a
 * limit for each wait.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { type ConfigOf, ConfigError } from '../config';
import { isPostgresError } from '../errors';
import { type databaseVariables } from '../variables';
import { type Asker, waitedFor } from '../request-id';

/** What is left to each wait, however long the request has taken: what goes on for minutes (exports, streams) waits, too. */
const LEAST_MS = 5_000;

/** By so much a request may be waited for longer. */
const SLACK_MS = 250;

/** What the pool says to those whose time in the line has ended. */
const PAST_ITS_TURN = 'timeout exceeded when trying to connect';

export const pastItsTurn = (): Error => new Error(PAST_ITS_TURN);

export const isPastItsTurn = (error: unknown): boolean =>
  error instanceof Error && error.message === PAST_ITS_TURN;

/**
 * How long whoever serves waits, where configuration says so. Throws ConfigError where the gateway would have answered by
 * then: its 504 says nothing of when to come again.
 */
export function connectionWaitMs({
  ROLE,
  DATABASE_WAIT_SECONDS: wait,
  REQUEST_TIMEOUT_SECONDS: timeout = Infinity,
}: ConnectionWait): number | undefined {
  if (wait === undefined) return undefined;
  if (ROLE !== 'worker' && wait >= timeout)
    throw new ConfigError([
      `DATABASE_WAIT_SECONDS: must be less than REQUEST_TIMEOUT_SECONDS, which is "${timeout}" (got "${wait}")`,
    ]);
  return wait * 1000;
}

type ConnectionWait = { readonly ROLE: string } & Partial<
  Pick<ConfigOf<typeof databaseVariables>, 'DATABASE_WAIT_SECONDS' | 'REQUEST_TIMEOUT_SECONDS'>
>;

/** Whether a connection is not to be had at once. */
export const mustWait = (pool: Pool): boolean =>
  pool.totalCount >= pool.options.max && pool.idleCount <= pool.waitingCount;

/** What PostgreSQL says to whoever comes new: its disk is full, so that it cannot note what a session starts with, or so are its places. */
const NO_ROOM = ['53100', '53300'];
const AGAIN_MS = 50;
const TRIES = 20;

/**
 * What failed with `error` is asked again where PostgreSQL opened no session for it: nothing was done, and the sessions that are
 * open serve as well, as soon as one is free. Those who only read would otherwise suffer from what they do not need.
 */
export async function elsewhere<T>(error: unknown, ask: () => Promise<T>): Promise<T> {
  let last = error;
  for (let tries = 0; isClosedDoor(last) && tries < TRIES; tries++) {
    await sleep(AGAIN_MS);
    try {
      return await ask();
    } catch (next) {
      last = next;
    }
  }
  throw last;
}

const isClosedDoor = (error: unknown): boolean =>
  isPostgresError(error) && error.severity === 'FATAL' && NO_ROOM.includes(error.code ?? '');

/** How much longer somebody waits who has been served for so long already. */
export const leftOf = (longestMs: number, forMs: number): number =>
  Math.max(longestMs - forMs, Math.min(longestMs, LEAST_MS));

/** Rejects where there is none in time. */
export function connect(pool: Pool): Promise<PoolClient> {
  return take(pool).catch((error: unknown) => elsewhere(error, () => take(pool)));
}

function take(pool: Pool): Promise<PoolClient> {
  const waiting = mustWait(pool) ? waitedFor() : undefined;
  if (!waiting) return pool.connect();
  const { asker, forMs } = waiting;
  // Most wait once, for a moment: for them the limit of the pool is near enough, and nothing is made.
  if (forMs < SLACK_MS) return pool.connect().then((client) => turnOf(asker, client));
  const longest = pool.options.connectionTimeoutMillis ?? 0;
  return inLine(pool, asker.signal(), leftOf(longest, forMs));
}

function turnOf(asker: Asker, client: PoolClient): PoolClient {
  if (!asker.isGone()) return client;
  client.release();
  throw pastItsTurn();
}

function inLine(pool: Pool, signal: AbortSignal, ms: number): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    let left = false;
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    };
    const leave = (): void => {
      left = true;
      settle();
      reject(pastItsTurn());
    };
    const timer = setTimeout(leave, ms);
    signal.addEventListener('abort', leave, { once: true });
    pool.connect().then(
      (client) => {
        // The pool keeps the place of whoever left: his turn is the next one's.
        if (left) return client.release();
        settle();
        resolve(client);
      },
      (error: Error) => {
        settle();
        reject(error);
      },
    );
    if (signal.aborted) leave();
  });
}
