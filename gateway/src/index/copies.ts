/**
 * Copies of what the services say of themselves, kept in Redis for gateways that start while a service is away. They are
 * of this site's address, as the links in them are. Redis may be away, slow or forget: every gateway that hears a
 * service keeps its copy again, and one that finds none has to wait for the service.
 */
import type { Log } from '@sevenfold/chassis/log';
import { closeRedis, openRedis } from '@sevenfold/chassis/queue/redis';
import { within } from '@sevenfold/chassis/stop';
import { readRedisCa } from '@sevenfold/chassis/tls';
import type { Config } from '../config';

export interface Copies {
  /** Undefined where there is none, or none can be had in time. */
  find(name: string): Promise<string | undefined>;
  /** Best effort; quick where nothing has changed. */
  keep(name: string, text: string): Promise<void>;
  close(): Promise<void>;
}

const PATIENCE_MS = 500;
/** A site that was not run for so long has other worries; one whose address changed leaves nothing behind for ever. */
const KEPT_SECONDS = 90 * 24 * 3600;

const none: Copies = {
  find: () => Promise.resolve(undefined),
  keep: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

export function openCopies(
  config: Pick<Config, 'REDIS_URL' | 'REDIS_TLS_CA' | 'REDIS_PREFIX' | 'SITE_URL'>,
  log: Log,
): Copies {
  if (config.REDIS_URL === '') return none;
  const redis = openRedis(config.REDIS_URL, log, readRedisCa(config));
  const key = `${config.REDIS_PREFIX}:described:${config.SITE_URL}`;
  const kept = new Map<string, string>();
  const bounded = <T>(work: () => Promise<T>): Promise<T | undefined> =>
    redis.isReady ? within(PATIENCE_MS, work()).catch(() => undefined) : Promise.resolve(undefined);
  return {
    find: async (name) => (await bounded(() => redis.hGet(key, name))) ?? undefined,
    keep: async (name, text) => {
      // What Redis has forgotten meanwhile is written again; a copy of somebody who heard of a change first stays.
      const isNews = kept.get(name) !== text;
      const done = await bounded(async () => {
        if (!isNews) return redis.hSetNX(key, name, text);
        await redis.hSet(key, name, text);
        return redis.expire(key, KEPT_SECONDS);
      });
      if (isNews && done !== undefined) kept.set(name, text);
    },
    close: () => closeRedis(redis),
  };
}
