/**
 * Listens to PostgreSQL's notifications on a connection of its own, and reconnects for as long as it takes. What was
 * said while it was away is lost: `onConnected` is the place to assume the worst (drop caches, look for work).
 */
import { Client } from 'pg';
import type { Log } from '../log';
import { KEEP_ALIVE_AFTER_MS } from './pool';

export interface ListenOptions {
  readonly url: string;
  readonly channels: readonly string[];
  readonly log: Log;
  readonly onMessage: (channel: string, payload: string) => void;
  /** After every successful connection, the first included. */
  readonly onConnected?: () => void;
  /** When a connection that worked is lost. */
  readonly onLost?: () => void;
}

export interface Listener {
  stop(): Promise<void>;
}

const LONGEST_PAUSE_MS = 5_000;

export function listen(options: ListenOptions): Listener {
  let stopped = false;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pause = 100;

  const connect = async (): Promise<void> => {
    const next = new Client({
      connectionString: options.url,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      application_name: 'listener',
      connectionTimeoutMillis: 5_000,
    });
    client = next;
    let live = false;
    let ended = false;
    const lost = (): void => {
      if (ended) return;
      ended = true;
      next.end().catch(() => undefined);
      if (stopped) return;
      if (live) options.onLost?.();
      timer = setTimeout(() => void connect(), pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    };
    next.on('error', lost);
    next.on('end', lost);
    next.on('notification', (message) => options.onMessage(message.channel, message.payload ?? ''));
    try {
      await next.connect();
      for (const channel of options.channels) await next.query(`listen ${next.escapeIdentifier(channel)}`);
      live = true;
      pause = 100;
      if (!stopped) options.onConnected?.();
    } catch (error) {
      options.log.debug({ err: error as Error }, 'cannot listen to the database yet');
      lost();
    }
  };
  void connect();

  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
