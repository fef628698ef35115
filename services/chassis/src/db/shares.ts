/**
 * How the connections of a process to its database are shared out. It opens DATABASE_POOL of them at most, all told: one
 * listens, some stand apart for what must neither wait for the rest nor hold it up, and what is left is the usual pool.
 * A server that takes 100 connections is enough for a whole site with the numbers that the services declare.
 */
import { ConfigError } from '../config';
import type { Log } from '../log';
import { type Lane, openLists, openSearches } from './lanes';
import { openDatabase } from './pool';
import type { Standby } from './replica';
import type { Database } from './sql';

export type Role = 'api' | 'worker' | 'all';

/** As a service declares it: the most that one process of each kind opens. */
export interface Connections {
  readonly api: number;
  readonly worker: number;
  /** Of those of an api process, how many stand apart, by what they are for. */
  readonly apart?: Readonly<Record<string, number>>;
}

/** What is enough for a service that says nothing. */
const USUAL: Connections = { api: 5, worker: 7 };

const LISTENING = 1;
const LEAST_TO_SERVE = 2;
/** One for the relay, one for domain events, two for the locks of sweeps, and one that is free for all of their work. */
const LEAST_TO_WORK = 5;

export interface Shares {
  /** All of them together. */
  readonly most: number;
  /** The pool that everything uses that has none of its own. */
  readonly usual: number;
  readonly apart: Readonly<Record<string, number>>;
}

/** `given` is DATABASE_POOL; 0 stands for what the service declares. Throws ConfigError where too few are left. */
export function shareOut(declared: Connections | undefined, role: Role, given = 0): Shares {
  const { api, worker, apart = {} } = declared ?? USUAL;
  const declaredMost = { api, worker, all: api + worker - LISTENING }[role];
  const most = given === 0 ? declaredMost : given;
  const own = role === 'worker' ? {} : apart;
  const taken = LISTENING + Object.values(own).reduce((sum, one) => sum + one, 0);
  const least = role === 'api' ? LEAST_TO_SERVE : LEAST_TO_WORK;
  if (most - taken < least)
    throw new ConfigError([
      `DATABASE_POOL: must be at least ${taken + least} for this process (got "${most}")`,
    ]);
  return { most, usual: most - taken, apart: own };
}

/** Opens what stands apart. A process that serves nobody has no such thing: there it is the usual connections. */
export interface Apart {
  searches(): Lane;
  lists(longestMs: number): Lane;
  database(name: string): Database;
}

export interface ApartOptions {
  readonly url: string;
  readonly application: string;
  readonly log: Log;
  readonly db: Database;
  readonly shares: Pick<Shares, 'apart'>;
  readonly waitMs?: number;
  readonly standby?: Standby;
}

export function apartOf({ url, application, log, db, shares, waitMs, standby }: ApartOptions): Apart {
  const none = Object.keys(shares.apart).length === 0;
  const usual: Database = { ...db, close: () => Promise.resolve() };
  const shareOf = (name: string): number => {
    const share = shares.apart[name];
    if (share === undefined) throw new Error(`the service declares no connections apart for ${name}`);
    return share;
  };
  return {
    searches: () =>
      none ? usual : openSearches({ url, application, log, standby, atOnce: shareOf('searches') }),
    lists: (longestMs) =>
      none ? usual : openLists({ url, application, log, standby, atOnce: shareOf('lists'), longestMs }),
    database: (name) =>
      none
        ? usual
        : openDatabase({ url, size: shareOf(name), application: `${application}-${name}`, log, waitMs }),
  };
}
