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
  /** Best effort; quick where the version is that of before. */
  keep(name: string, version: string, text: () => string): Promise<void>;
  close(): Promise<void>;
}

const PATIENCE_MS = 500;
/** Whether Redis still has a copy; gateways that hear the service say it sooner than one starts without. */
const LOOK_AGAIN_MS = 5_000;
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
  const kept = new Map<string, { readonly version: string; readonly lookAt: number }>();
  const bounded = <T>(work: () => Promise<T>): Promise<T | undefined> =>
    redis.isReady ? within(PATIENCE_MS, work()).catch(() => undefined) : Promise.resolve(undefined);
  return {
    find: async (name) => (await bounded(() => redis.hGet(key, name))) ?? undefined,
    keep: async (name, version, text) => {
      const before = kept.get(name);
      const isNews = before?.version !== version;
      if (!isNews && Date.now() < before.lookAt) return;
      const done = await bounded(async () => {
        // What Redis has forgotten meanwhile is written again; a copy of somebody who heard of a change first stays.
        if (!isNews) return (await redis.hExists(key, name)) === 1 || redis.hSetNX(key, name, text());
        await redis.hSet(key, name, text());
        return redis.expire(key, KEPT_SECONDS);
      });
      if (done !== undefined) kept.set(name, { version, lookAt: Date.now() + LOOK_AGAIN_MS });
    },
    close: () => closeRedis(redis),
  };
}
