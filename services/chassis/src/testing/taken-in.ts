/** Waits until nothing of what a service announced is on its way to itself any more: what follows hears of what follows only. */
import { createClient } from '@redis/client';
import type { Db } from '../db/sql';
import { streamKey } from '../queue/forgotten';
import { until } from './until';

interface Announcing {
  readonly db: Db;
  readonly config: { readonly REDIS_URL: string; readonly REDIS_PREFIX: string };
}

export async function allTakenIn({ db, config }: Announcing): Promise<void> {
  const redis = createClient({ url: config.REDIS_URL });
  redis.on('error', () => undefined);
  await redis.connect();
  const isTakenIn = async (stream: string): Promise<boolean> =>
    (await redis.xInfoGroups(stream)).every(({ lag, pending }) => lag === 0 && pending === 0);
  try {
    await until(async () => {
      if (await db.first(`select 1 from outbox where kind = 'event' and done_at is null`)) return false;
      const streams = await redis.keys(streamKey(config.REDIS_PREFIX, '*'));
      return (await Promise.all(streams.map(isTakenIn))).every(Boolean);
    });
  } finally {
    redis.destroy();
  }
}
