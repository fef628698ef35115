/**
 * Totals of lists in memory. A count over many rows costs more than the page it belongs to, and is asked again with
 * every page. The copies are dropped whenever PostgreSQL says that a commit changed posts (channel `posts`, from a
 * trigger), after this process's own writes at once, and in any case after half a minute. While the connection that
 * would say so is away, nothing is kept.
 */
import { type Listener, listen } from '@sevenfold/chassis/db/listen';
import type { Log } from '@sevenfold/chassis/log';

export interface PostTotals {
  /** The total that `key` names: remembered, being counted, or counted now. */
  get(key: string, count: () => Promise<number>): Promise<number>;
  /** Forgets everything; whoever wrote posts calls it after the commit, so that this process sees its own write. */
  forget(): void;
  stop(): Promise<void>;
}

export const POSTS_CHANNEL = 'posts';

const LIFETIME_MS = 30_000;
const MOST_KEYS = 1000;

interface Entry {
  readonly total: Promise<number>;
  readonly until: number;
}

/** `onBreak` is called when the connection to the database was lost: it may be another one afterwards. */
export function openTotals(options: { databaseUrl: string; log: Log; onBreak?: () => void }): PostTotals {
  let entries = new Map<string, Entry>();
  let live = false;
  // A new map rather than an empty one: a count that began before a write must not be joined, or kept, after it.
  const forget = (): void => {
    entries = new Map();
  };
  const listener: Listener = listen({
    url: options.databaseUrl,
    channels: [POSTS_CHANNEL],
    log: options.log,
    onMessage: forget,
    onConnected: () => {
      live = true;
      forget();
    },
    onLost: () => {
      live = false;
      forget();
      options.onBreak?.();
    },
  });
  return {
    get: (key, count) => {
      const known = entries.get(key);
      const now = Date.now();
      if (known && known.until > now) return known.total;
      const total = count();
      if (!live) return total;
      const home = entries;
      if (home.size >= MOST_KEYS) home.delete(home.keys().next().value as string);
      home.delete(key);
      home.set(key, { total, until: now + LIFETIME_MS });
      total.catch(() => home.delete(key));
      return total;
    },
    forget,
    stop: () => listener.stop(),
  };
}
