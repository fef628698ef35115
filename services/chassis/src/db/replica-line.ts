/**
 * The line to a replica: whether it is there, answers, and is a copy of this very database. It is asked twice a second on a
 * connection of its own; when it falls silent whatever waits for it is given up, so that nobody waits for a frozen server.
 */
import type { Client } from 'pg';
import type { Log } from '../log';
import { tellGauge } from '../metrics';
import { within } from '../stop';
import type { Listener } from './listen';
import { KEEP_ALIVE_AFTER_MS } from './pool';
import { Session } from './session';
import type { Db } from './sql';

/** Up to where a standby has replayed the log of its primary; null from a server that is none. */
const REPLAYED = {
  name: 'replayed',
  text: `select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 end as at`,
};

/** Places in the log mean the same on two servers only if one was copied from the other, and their history has not parted. */
const HISTORY = {
  name: 'history',
  text: `select system_identifier::text || '/' || (select timeline_id from pg_control_checkpoint()) as name from pg_control_system()`,
};

const ASK_MS = 500;
/** Also on a busy machine: silence costs no more than that reads go to the primary. */
const SILENCE_MS = 2_000;
const LONGEST_PAUSE_MS = 5_000;

type Asking = Pick<Client, 'query'>;

export interface ReplicaLine {
  isUp(): boolean;
  /** The work, or an error as soon as the line is lost. */
  unlessLost<T>(work: Promise<T>): Promise<T>;
  /** Whether the server behind a connection shows all that was written up to here. Throws where it is no copy of ours. */
  reaches(client: Asking & object, at: number): Promise<boolean>;
  stop(): Promise<void>;
}

export interface LineOptions {
  readonly url: string;
  readonly application: string;
  readonly db: Db;
  readonly listener: Listener;
  readonly log: Log;
}

const LAG = {
  name: 'database_replica_lag_bytes',
  help: 'How much of what was written a replica has not replayed yet; absent while it is away',
  labels: ['pool'],
};

async function replayedBy(client: Asking): Promise<number> {
  const { rows } = await client.query<{ at: number | null }>(REPLAYED);
  const at = rows[0]?.at ?? null;
  if (at === null) throw new Error('the server is no standby');
  return at;
}

export function openReplicaLine({ url, application, db, listener, log }: LineOptions): ReplicaLine {
  const waiting = new Set<(error: Error) => void>();
  /** What each connection is known to have reached, since the last time that our own connection was lost. */
  let reached = new WeakMap<object, number>();
  let history: Promise<string | undefined> | undefined;
  let seen = 0;
  let up = false;
  let told = false;
  let stopped = false;
  let client: Client | undefined;
  let wake: (() => void) | undefined;

  // The primary may be another server from now on.
  const forget = (): void => {
    reached = new WeakMap();
    history = undefined;
  };
  const deafen = listener.hear({ channels: [], onMessage: () => undefined, onLost: forget });

  const requireCopy = async (one: Asking): Promise<void> => {
    history ??= db.first<{ name: string }>(HISTORY.text).then((row) => row?.name);
    const own = history;
    own.catch(() => history === own && (history = undefined));
    const { rows } = await one.query<{ name: string }>(HISTORY);
    if (rows[0]?.name !== (await own))
      throw new Error('the server is no copy of this database, or not any more');
  };
  const reaches: ReplicaLine['reaches'] = async (one, at) => {
    const known = reached.get(one);
    if (known !== undefined && known >= at) return true;
    const then = reached;
    if (known === undefined) await requireCopy(one);
    const now = await replayedBy(one);
    then.set(one, now);
    return now >= at && then === reached;
  };

  const lose = (error: Error): void => {
    const wasUp = up;
    up = false;
    client?.end().catch(() => undefined);
    client = undefined;
    for (const reject of waiting) reject(error);
    if (stopped || (!wasUp && told)) return;
    told = true;
    log.warn({ err: error }, 'the replica cannot be read; all reads go to the primary');
  };
  const connect = async (): Promise<void> => {
    const next = new Session({
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      application_name: `${application}-replica`,
      connectionTimeoutMillis: SILENCE_MS,
    });
    next.on('error', (error) => client === next && lose(error));
    next.on('end', () => client === next && lose(new Error('the replica has closed the connection')));
    client = next;
    await next.connect();
    await requireCopy(next);
  };
  const ask = async (): Promise<true> => {
    if (!client) await connect();
    seen = await replayedBy(client as Client);
    return true;
  };

  const loop = (async (): Promise<void> => {
    let pause = ASK_MS;
    while (!stopped) {
      try {
        if (!(await within(SILENCE_MS, ask()))) throw new Error('the replica does not answer');
        if (!up && !stopped) log.info('reads go to the replica as well');
        up = !stopped;
        told = false;
        pause = ASK_MS;
      } catch (error) {
        lose(error as Error);
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
      if (stopped) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();
  const stopTelling = tellGauge(LAG, async () =>
    up ? [{ labels: { pool: application }, value: Math.max(0, (await listener.position()) - seen) }] : [],
  );

  return {
    isUp: () => up,
    unlessLost: (work) =>
      new Promise((resolve, reject) => {
        waiting.add(reject);
        work.then(resolve, reject).finally(() => waiting.delete(reject));
      }),
    reaches,
    stop: async () => {
      stopped = true;
      stopTelling();
      deafen();
      lose(new Error('the process stops'));
      wake?.();
      await within(SILENCE_MS, loop);
    },
  };
}
