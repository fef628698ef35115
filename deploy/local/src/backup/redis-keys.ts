/** The keys of a site in a Redis server that is not ours to throw away. */
import { ForeignInstance, instanceKey, redisIn } from '@sevenfold/chassis/instance';
import { withRedis } from '../redis-client';

export interface RedisPlace {
  readonly url: string;
  readonly prefix: string;
  readonly ca?: Buffer;
}

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
