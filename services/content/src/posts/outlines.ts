/**
 * Outlines of lists in memory: totals, and which posts come first. A count over many rows costs more than the page it
 * belongs to, and is asked again with every page. The copies are dropped whenever PostgreSQL says that a commit changed posts (channel `posts`, from a
 * trigger), after this process's own writes at once, and in any case after half a minute. While the connection that
 * would say so is away, nothing is kept.
 */
import { type Listener, listen } from '@sevenfold/chassis/db/listen';
import type { Log } from '@sevenfold/chassis/log';

export interface Outline {
  readonly total: number;
  /** Ids of the first rows, in order; absent where walking along the order finds them as fast. */
  readonly first?: readonly number[];
  /** Of searches: there are more than the total says. */
  readonly more?: boolean;
  /** Of searches: only the newest rows were looked at. */
  readonly newestOnly?: boolean;
  /** Of searches of a large table: which part of how many rows matches, as a sample tells. */
  readonly matching?: number;
  readonly rows?: number;
}

export interface PostOutlines {
  /** The outline that `key` names: remembered, being made, or made now. */
  get(key: string, make: () => Promise<Outline>): Promise<Outline>;
  /** Forgets everything; whoever wrote posts calls it after the commit, so that this process sees its own write. */
  forget(): void;
  stop(): Promise<void>;
}

const POSTS_CHANNEL = 'posts';

const LIFETIME_MS = 30_000;
const MOST_KEYS = 1000;

interface Entry {
  readonly outline: Promise<Outline>;
  readonly until: number;
}

/** `onBreak` is called when the connection to the database was lost: it may be another one afterwards. */
export function openOutlines(options: { databaseUrl: string; log: Log; onBreak?: () => void }): PostOutlines {
  let entries = new Map<string, Entry>();
  let live = false;
  // A new map rather than an empty one: an outline that began before a write must not be joined, or kept, after it.
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
    get: (key, make) => {
      const known = entries.get(key);
      const now = Date.now();
      if (known && known.until > now) return known.outline;
      const outline = make();
      if (!live) return outline;
      const home = entries;
      if (home.size >= MOST_KEYS) home.delete(home.keys().next().value as string);
      home.delete(key);
      home.set(key, { outline, until: now + LIFETIME_MS });
      outline.catch(() => home.delete(key));
      return outline;
    },
    forget,
    stop: () => listener.stop(),
  };
}
