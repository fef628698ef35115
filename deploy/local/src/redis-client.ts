/** A connection to Redis for as long as one piece of work takes. */
import { once } from 'node:events';
import { createLog } from '@sevenfold/chassis/log';
import { type RedisClient, closeRedis, openRedis } from '@sevenfold/chassis/queue/redis';

const CONNECT_MS = 10_000;

export async function withRedis<T>(
  { url, ca }: { readonly url: string; readonly ca?: Buffer },
  work: (redis: RedisClient) => Promise<T>,
): Promise<T> {
  const redis = openRedis(url, createLog('redis', 'cli', 'silent'), ca);
  try {
    if (!redis.isReady) await once(redis, 'ready', { signal: AbortSignal.timeout(CONNECT_MS) });
    return await work(redis);
  } catch (error) {
    if ((error as Error).name === 'AbortError')
      throw new Error('The Redis server does not answer.', { cause: error });
    throw error;
  } finally {
    await closeRedis(redis);
  }
}
