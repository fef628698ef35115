/** A PostgreSQL database and a connection to Redis, for tests of the queue. */
import { openDatabase } from '../db/pool';
import type { Database } from '../db/sql';
import { createLog } from '../log';
import { type RedisClient, closeRedis, openRedis } from '../queue/redis';
import { createTestDatabase } from './database';
import { sampleService } from './sample';
import { testServers } from './servers';
import { until } from './until';

export interface TestStores {
  readonly databaseUrl: string;
  readonly db: Database;
  readonly redis: RedisClient;
  stop(): Promise<void>;
}

/** The database is of this call alone, with the tables of the sample service; `size` connections to it. */
export async function openTestStores(size: number): Promise<TestStores> {
  const log = createLog('stores', 'test', 'silent');
  const database = await createTestDatabase(sampleService.migrations as string);
  const db = openDatabase({ url: database.url, size, application: 'test', log });
  const redis = openRedis(testServers().redisUrl, log);
  await until(() => redis.isReady);
  return {
    databaseUrl: database.url,
    db,
    redis,
    stop: async () => {
      await closeRedis(redis);
      await db.close();
      await database.drop();
    },
  };
}
