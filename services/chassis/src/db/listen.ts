/**
 * Listens to PostgreSQL's notifications: one connection for the whole process, shared by all who want to hear, opened
 * when the first one does, and opened again for as long as it takes. What was said while it was away is lost:
 * `onConnected` is the place to assume the worst (drop caches, look for work).
 */
import { setImmediate } from 'node:timers/promises';
import { type Client, escapeIdentifier } from 'pg';
import { askedTogether } from '../asked-together';
import type { Log } from '../log';
import { tellGauge } from '../metrics';
import { within } from '../stop';
import { KEEP_ALIVE_AFTER_MS } from './pool';
import { Session } from './session';

export interface Hearing {
  readonly channels: readonly string[];
  readonly onMessage: (channel: string, payload: string) => void;
  /** From now on nothing is missed: after the first connection and every later one. */
  readonly onConnected?: () => void;
  /** When a connection that worked is lost. */
  readonly onLost?: () => void;
}

export interface Listener {
  /** Answers how to stop hearing. What a callback throws is logged and reaches nobody else. */
  hear(hearing: Hearing): () => void;
  /** Resolves when the server answers on the connection; rejects where there is none, or no answer comes: then it is lost. */
  probe(): Promise<void>;
  /**
   * Whether all that was committed before the call has been told to the hearers; false where nobody can say. PostgreSQL
   * tells a session what it listens for before it answers it, so one question does for all who wait for it.
   */
  readonly caughtUp: () => Promise<boolean>;
  /** Where the server's log of changes ends: behind everything that was told before. Rejects where there is no connection. */
  position(): Promise<number>;
  /** Counts what was told and when something may have been missed; what was asked before the number changed may be old. */
  told(): number;
  /** The server does not tell what it should: the connection is lost, whatever it seems to be. */
  readonly giveUp: () => void;
  /** What this process wrote counts as told, before the server tells it. */
  noteOwn(): void;
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/**
 * A machine that is gone ends no connection, and the system tries a quarter of an hour to bring it what was asked. Of a server that
 * stands still for so long another connection is no worse.
 */
const SILENT_MS = 5_000;

/** What commits is written out before it can be seen; only where that is not waited for, it may be seen before. */
const POSITION = `select pg_wal_lsn_diff(case current_setting('synchronous_commit') when 'off'
  then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end, '0/0')::float8 as at`;

interface Line {
  readonly client: Client;
  isOpen: boolean;
  /** Whether the question of `caughtUp` has no answer yet. */
  isAsked?: boolean;
  /** A connection takes one query at a time. */
  turn: Promise<void>;
}

export interface ListenerOptions {
  readonly url: string;
  /** Of the process that listens, for whoever looks at the server's connections. */
  readonly application: string;
  readonly log: Log;
}

const LISTENING = {
  name: 'database_listening',
  help: 'Whether the one connection on which a process hears of commits is up',
  labels: ['pool'],
};

export function openListener({ url, application, log }: ListenerOptions): Listener {
  // Whether each has been told that it hears everything.
  const hearers = new Map<Hearing, boolean>();
  let line: Line | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let pause = FIRST_PAUSE_MS;
  let told = 0;
  let isDeaf = false;

  // Nothing fails for want of it, and nobody would ask why all is slower. A connection that is made anew at once is no news.
  const deaf = (error: unknown): void => {
    const fields = { err: error as Error };
    if (stopped || isDeaf) return log.debug(fields, 'cannot listen to the database yet');
    isDeaf = true;
    log.warn(
      fields,
      'cannot listen to the database; until it can, little is kept in memory and jobs begin later',
    );
  };

  const tell = (call: (() => void) | undefined): void => {
    try {
      call?.();
    } catch (error) {
      log.error({ err: error as Error }, 'news of the database could not be taken in');
    }
  };

  const lose = (lost: Line): void => {
    if (line !== lost) return;
    line = undefined;
    told += 1;
    lost.client.end().catch(() => undefined);
    if (stopped) return;
    timer = setTimeout(() => void connect(), pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    for (const [hearing, knows] of hearers) {
      hearers.set(hearing, false);
      if (knows) tell(hearing.onLost);
    }
  };

  const attend = (open: Line, hearing: Hearing): Promise<void> =>
    (open.turn = open.turn.then(() => ask(open, hearing)));
  const ask = async (open: Line, hearing: Hearing): Promise<void> => {
    try {
      // Without a channel there is only the connection itself to hear of.
      if (hearing.channels.length > 0)
        await open.client.query(
          hearing.channels.map((channel) => `listen ${escapeIdentifier(channel)}`).join('; '),
        );
    } catch (error) {
      deaf(error);
      return lose(open);
    }
    if (stopped || line !== open || !hearers.has(hearing)) return;
    hearers.set(hearing, true);
    tell(hearing.onConnected);
  };

  const connect = async (): Promise<void> => {
    const client = new Session({
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      application_name: `${application}-listener`,
      connectionTimeoutMillis: 5_000,
    });
    const next: Line = { client, isOpen: false, turn: Promise.resolve() };
    line = next;
    client.on('error', () => lose(next));
    client.on('end', () => lose(next));
    client.on('notification', ({ channel, payload }) => {
      told += 1;
      for (const { channels, onMessage } of hearers.keys())
        if (channels.includes(channel)) tell(() => onMessage(channel, payload ?? ''));
    });
    try {
      await client.connect();
    } catch (error) {
      deaf(error);
      return lose(next);
    }
    next.isOpen = true;
    await Promise.all([...hearers.keys()].map((hearing) => attend(next, hearing)));
    // Of a server that lets nobody listen, as a standby does, the next connection would be no better.
    if (line !== next) return;
    pause = FIRST_PAUSE_MS;
    if (isDeaf) log.info('the database is listened to again');
    isDeaf = false;
  };

  const stopTelling = tellGauge(LISTENING, () =>
    hearers.size === 0 ? [] : [{ labels: { pool: application }, value: line?.isOpen ? 1 : 0 }],
  );

  const answerOf = async <T extends object>(text: string): Promise<T> => {
    const asked = line;
    if (!asked?.isOpen) throw new Error('there is no connection to the database to listen on');
    const answered = asked.turn.then(() => asked.client.query<T>(text));
    asked.turn = answered.then(
      () => undefined,
      () => undefined,
    );
    return (await answered).rows[0] as T;
  };

  return {
    told: () => told,
    giveUp: () => {
      if (line?.isOpen) lose(line);
    },
    noteOwn: () => {
      told += 1;
    },
    position: async () => (await answerOf<{ at: number }>(POSITION)).at,
    hear: (hearing) => {
      // Each hearing is one of its own, also of the same callbacks.
      const own = { ...hearing };
      hearers.set(own, false);
      if (line?.isOpen) void attend(line, own);
      else if (!line && !timer && !stopped) void connect();
      return () => void hearers.delete(own);
    },
    probe: async () => {
      const asked = line;
      // Without words there is nothing to plan or to describe.
      let isAnswered = false;
      await within(
        SILENT_MS,
        answerOf('').then(() => void (isAnswered = true)),
      );
      // After a standstill of the process the time is over before what came meanwhile is read.
      if (!isAnswered) await setImmediate();
      if (isAnswered) return;
      if (asked) lose(asked);
      throw new Error('the database does not answer');
    },
    caughtUp: askedTogether((answered) => {
      const asked = line;
      if (!asked?.isOpen || asked.isAsked) return answered(false);
      asked.isAsked = true;
      asked.client.query('', (error: Error | null) => {
        asked.isAsked = false;
        answered(!error && line === asked);
      });
    }),
    stop: async () => {
      stopped = true;
      stopTelling();
      clearTimeout(timer);
      await line?.client.end().catch(() => undefined);
    },
  };
}
