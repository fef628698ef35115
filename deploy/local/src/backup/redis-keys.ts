/** The keys of a site in a Redis server that is not ours to throw away. */
import { once } from 'node:events';
import { ForeignInstance, instanceKey, redisIn } from '@sevenfold/chassis/instance';
import { createLog } from '@sevenfold/chassis/log';
import { type RedisClient, closeRedis, openRedis } from '@sevenfold/chassis/queue/redis';

export interface RedisPlace {
  readonly url: string;
  readonly prefix: string;
  readonly ca?: Buffer;
}

const CONNECT_MS = 10_000;
const BATCH = 1_000;

/** Whether a site has been here. Throws ForeignInstance where it has another id than these. */
export const isRedisUsed = (place: RedisPlace, ids: readonly string[]): Promise<boolean> =>
  withRedis(place, async (redis) => {
    const owner = await redis.get(instanceKey(place.prefix));
    if (owner !== null && !ids.includes(owner))
      throw new ForeignInstance(redisIn(place.prefix), owner, String(ids[0]));
    return owner !== null;
  });

export const emptyRedis = (place: RedisPlace): Promise<void> =>
  withRedis(place, async (redis) => {
    for await (const keys of redis.scanIterator({ MATCH: `${place.prefix}:*`, COUNT: BATCH }))
      if (keys.length > 0) await redis.unlink(keys);
  });

async function withRedis<T>(place: RedisPlace, work: (redis: RedisClient) => Promise<T>): Promise<T> {
  const redis = openRedis(place.url, createLog('restore', 'cli', 'silent'), place.ca);
  try {
    if (!redis.isReady) await once(redis, 'ready', { signal: AbortSignal.timeout(CONNECT_MS) });
    return await work(redis);
  } catch (error) {
    if ((error as Error).name === 'AbortError')
      throw new Error('REDIS_URL: the Redis server does not answer.', { cause: error });
    throw error;
  } finally {
    await closeRedis(redis);
  }
}
