/**
 * Listens to PostgreSQL's notifications: one connection for the whole process, shared by all who want to hear, opened
 * when the first one does, and opened again for as long as it takes. What was said while it was away is lost:
 * `onConnected` is the place to assume the worst (drop caches, look for work).
 */
import { Client, escapeIdentifier } from 'pg';
import { askedTogether } from '../asked-together';
import type { Log } from '../log';
import { tellGauge } from '../metrics';
import { KEEP_ALIVE_AFTER_MS } from './pool';

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
  /** Resolves when the server answers on the connection; rejects where there is none. */
  probe(): Promise<void>;
  /**
   * Whether all that was committed before the call has been told to the hearers; false where nobody can say. PostgreSQL
   * tells a session what it listens for before it answers it, so one question does for all who wait for it.
   */
  readonly caughtUp: () => Promise<boolean>;
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

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
    lost.client.end().catch(() => undefined);
    if (stopped) return;
    timer = setTimeout(() => void connect(), pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    for (const [hearing, told] of hearers) {
      hearers.set(hearing, false);
      if (told) tell(hearing.onLost);
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
      log.debug({ err: error as Error }, 'cannot listen to the database yet');
      return lose(open);
    }
    if (stopped || line !== open || !hearers.has(hearing)) return;
    hearers.set(hearing, true);
    tell(hearing.onConnected);
  };

  const connect = async (): Promise<void> => {
    const client = new Client({
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
      for (const { channels, onMessage } of hearers.keys())
        if (channels.includes(channel)) tell(() => onMessage(channel, payload ?? ''));
    });
    try {
      await client.connect();
    } catch (error) {
      log.debug({ err: error as Error }, 'cannot listen to the database yet');
      return lose(next);
    }
    next.isOpen = true;
    pause = FIRST_PAUSE_MS;
    await Promise.all([...hearers.keys()].map((hearing) => attend(next, hearing)));
  };

  const stopTelling = tellGauge(LISTENING, () =>
    hearers.size === 0 ? [] : [{ labels: { pool: application }, value: line?.isOpen ? 1 : 0 }],
  );

  return {
    hear: (hearing) => {
      // Each hearing is one of its own, also of the same callbacks.
      const own = { ...hearing };
      hearers.set(own, false);
      if (line?.isOpen) void attend(line, own);
      else if (!line && !timer && !stopped) void connect();
      return () => void hearers.delete(own);
    },
    probe: async () => {
      const probed = line;
      if (!probed?.isOpen) throw new Error('there is no connection to the database to listen on');
      const answered = probed.turn.then(() => probed.client.query('select 1'));
      probed.turn = answered.then(
        () => undefined,
        () => undefined,
      );
      await answered;
    },
    caughtUp: askedTogether((answered) => {
      const asked = line;
      if (!asked?.isOpen || asked.isAsked) return answered(false);
      asked.isAsked = true;
      // Without words there is nothing to plan or to describe.
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
