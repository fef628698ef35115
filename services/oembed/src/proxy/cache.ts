/**
 * What was resolved, in Redis, for all processes: for as long as its provider says, within bounds, and longer for when the
 * provider is away. Redis is no store of record: while it is away, or slow, nothing is known and everything is asked anew. Jobs and
 * events go through the same server, which forgets nothing by itself, and whoever may write chooses the addresses: there are so
 * many places, and what comes to one that is taken replaces what was there.
 */
import { createHash } from 'node:crypto';
import type { Log } from '@sevenfold/chassis/log';
import { logOutage } from '@sevenfold/chassis/outages';
import type { RedisClient } from '@sevenfold/chassis/queue/redis';
import type { Embed } from './reduce';

export interface Kept {
  /** Undefined: nobody provides anything there. */
  readonly embed?: Embed;
  /** Unix milliseconds, as the next one. */
  readonly freshUntil: number;
  /** How long the embed can still stand in for a provider that is away; from its last answer on. */
  readonly staleUntil: number;
}

export interface EmbedCache {
  find(key: string): Promise<Kept | undefined>;
  keep(key: string, kept: Kept): Promise<void>;
}

/** A Redis that hangs costs no more than this. */
const PATIENCE_MS = 500;
/** Of so many bytes each: 128 MB in all. */
const PLACES = 2_048;
const MOST_BYTES = 64 * 1024;

export function openCache(redis: RedisClient, prefix: string, log: Log, places = PLACES): EmbedCache {
  const placeOf = (key: string): { readonly name: string; readonly id: string } => {
    const digest = createHash('sha256').update(key).digest();
    return {
      name: `${prefix}:oembed:${digest.readUInt32BE(0) % places}`,
      id: digest.toString('base64url'),
    };
  };
  const within = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('Redis does not answer')), PATIENCE_MS);
    });
    try {
      const working = work();
      working.catch(() => undefined);
      return await Promise.race([working, late]);
    } catch (error) {
      logOutage(log, 'Redis cannot be asked for embeds.', { err: error as Error });
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    find: async (key) => {
      const { name, id } = placeOf(key);
      const text = await within(() => redis.get(name));
      const found = text ? (JSON.parse(text) as Kept & { readonly id: string }) : undefined;
      return found?.id === id ? found : undefined;
    },
    keep: async (key, kept) => {
      const until = Math.max(kept.freshUntil, kept.staleUntil);
      const milliseconds = Math.max(1, Math.ceil(until - Date.now()));
      const { name, id } = placeOf(key);
      const text = JSON.stringify({ ...kept, id });
      if (Buffer.byteLength(text) <= MOST_BYTES)
        await within(() => redis.set(name, text, { PX: milliseconds }));
    },
  };
}
