/**
 * The PostgreSQL pool of a process. Every session gets limits, so that no abandoned query runs on: a statement
 * time-out, an idle-in-transaction time-out, and a watch on the client's connection. Dates come as text in UTC
 * (`2030-01-31 18:00:00`), big integers as numbers: ids stay below 2^53.
 */
import { Socket } from 'node:net';
import { type Client, type ClientConfig, Pool, types } from 'pg';
import { whenCalm } from '../calm';
import type { Log } from '../log';
import { type Sample, tellGauge } from '../metrics';
import { logFault } from '../outages';
import { smallReader } from '../small-reads';
import { openInTurn } from './in-turn';
import { renewIdle } from './renew';
import { Session } from './session';
import { type Database, dbOf, inTransaction } from './sql';
import { hearNews } from './told';

const INT8 = 20;
const INT8_ARRAY = 1016;
const NUMERIC = 1700;
const DATE = 1082;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;

// Lists of ids have one dimension and no nulls: quicker than the general reader, which would answer text.
const numberList = (text: string): number[] =>
  text === '{}' ? [] : text.slice(1, -1).split(',').map(Number);
const asText = (text: string): string => text;
// In UTC sessions the zone of a timestamptz is always +00: the rest is the form the interface speaks.
const withoutZone = (text: string): string => text.replace(/\+00$/, '');

/** Quiet connections are asked whether they live: the system's own patience is two hours. */
export const KEEP_ALIVE_AFTER_MS = 10_000;

/** Below the time that the gateway gives a service (REQUEST_TIMEOUT_SECONDS), so that the answer is ours. */
const WAIT_MS = 20_000;
/** A server that is there answers within it on a busy machine, too. */
const CONNECT_MS = 10_000;

/**
 * Each connection is a process of the server with 2 to 5 MB of its own: those of a busy moment go soon after it. One of each
 * pool that was ever used stays, so that whoever comes now and then does not wait for a new one.
 */
const IDLE_MS = 15_000;

/** Of the connections of a pool, to those who want no transaction, such as readers; of fewer than that there are none to be left. */
const LEFT_TO_STATEMENTS = 2;
const LEAST_SHARED = 4;

const SETTINGS = [
  'timezone=UTC',
  'datestyle=ISO',
  'random_page_cost=1.1',
  'jit=off',
  'client_connection_check_interval=2s',
];

export interface PoolOptions {
  readonly url: string;
  readonly size: number;
  readonly application: string;
  readonly log: Log;
  /** Milliseconds; default 15 s. Workers with long set-based writes ask for more. */
  readonly statementTimeoutMs?: number;
  /** What is set for each session besides, as `name=value`. */
  readonly settings?: readonly string[];
  /** Longest time in the line for a connection, also a request's in all of its lines together (connect.ts); default 20 s. */
  readonly waitMs?: number;
  /** Longest time that making one may take; default 10 s. */
  readonly connectMs?: number;
  /** How long a connection that is not the last one stays without work; default 15 s. */
  readonly idleMs?: number;
  /** Told of an idle connection that died; by default it is an outage. */
  readonly onIdleError?: (error: Error) => void;
}

export function openDatabase(options: PoolOptions): Database {
  const statementTimeout = options.statementTimeoutMs ?? 15_000;
  const pool = new Pool({
    connectionString: options.url,
    max: options.size,
    application_name: options.application,
    connectionTimeoutMillis: options.waitMs ?? WAIT_MS,
    stream: socketOf,
    Client: clientsWithin(options.connectMs ?? CONNECT_MS),
    idleTimeoutMillis: options.idleMs ?? IDLE_MS,
    min: 1,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    statement_timeout: statementTimeout,
    // The server ends it first; this frees the caller when the server itself is gone.
    query_timeout: statementTimeout + 5_000,
    idle_in_transaction_session_timeout: 30_000,
    options: [...SETTINGS, ...(options.settings ?? [])].map((setting) => `-c ${setting}`).join(' '),
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
        switch (oid) {
          case INT8:
          case NUMERIC:
            return Number;
          case INT8_ARRAY:
            return numberList;
          case DATE:
          case TIMESTAMP:
            return asText;
          case TIMESTAMPTZ:
            return withoutZone;
          default:
            return types.getTypeParser(oid, format) as unknown;
        }
      }) as typeof types.getTypeParser,
    },
  });
  // An idle connection that dies (server restart) must not take the process with it: the pool opens another.
  pool.on('error', options.onIdleError ?? ((error) => logFault(options.log, error, { connection: 'idle' })));
  // As a connection passes to who waited for it nobody listens, and its end may be read together with the answer before: who has it then
  // hears of it by the next statement.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('connect', hearNews);
  const stopTelling = tellPool(pool, options.application);
  const keepAsItIs = whenCalm(() => void renewIdle(pool));
  const inTurn = openInTurn(
    options.size < LEAST_SHARED ? options.size : options.size - LEFT_TO_STATEMENTS,
    options.waitMs ?? WAIT_MS,
  );
  return {
    ...dbOf(pool),
    pool,
    transaction: (work) => inTurn(() => inTransaction(pool, work)),
    close: () => {
      stopTelling();
      keepAsItIs();
      return pool.end();
    },
  };
}

/** Of an encrypted connection somebody else reads. */
const socketOf = ({ ssl }: ClientConfig = {}): Socket => (ssl ? new Socket() : smallReader());

/** The pool knows one limit for both, and who waits in the line may wait for longer than for a server that is away. */
const clientsWithin = (connectMs: number): typeof Client =>
  class extends Session {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionTimeoutMillis: connectMs });
    }
  };

const connections = {
  name: 'database_connections',
  help: 'PostgreSQL connections of a pool: busy, idle, and the most that it opens',
  labels: ['pool', 'state'],
};
const waiting = {
  name: 'database_waiting',
  help: 'Statements and transactions that wait for a connection of a pool',
  labels: ['pool'],
};

function tellPool(pool: Pool, name: string): () => void {
  const of = (state: string, value: number): Sample => ({ labels: { pool: name, state }, value });
  const stops = [
    tellGauge(connections, () => [
      of('busy', pool.totalCount - pool.idleCount),
      of('idle', pool.idleCount),
      of('most', pool.options.max),
    ]),
    tellGauge(waiting, () => [{ labels: { pool: name }, value: pool.waitingCount }]),
  ];
  return () => stops.forEach((stop) => stop());
}
