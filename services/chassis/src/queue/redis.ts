/**
 * Connections to Redis, by an address of a server or of Sentinels (address.ts). It is never a store of record: commands fail
 * fast while it is away, and callers fall back to what PostgreSQL holds.
 */
import { createClient } from '@redis/client';
import type { Log } from '../log';
import { logOutage } from '../outages';
import { readRedisAddress } from './address';
import { roadToMaster } from './sentinel';

export type RedisClient = ReturnType<typeof newClient>;

// eslint-disable-next-line @typescript-eslint/explicit-function-return-type -- the library's type is inferred from the options
const newClient = (url: string, log: Log, ca?: Buffer) => {
  const { sentinels, ...account } = readRedisAddress(url);
  return createClient({
    ...(sentinels ? account : { url }),
    disableOfflineQueue: true,
    socket: {
      ...(sentinels && { path: roadToMaster(sentinels, ca, log) }),
      ...(ca && url.startsWith('rediss:') && { tls: true, ca }),
      connectTimeout: 2_000,
      reconnectStrategy: (tries) => Math.min(50 * 2 ** Math.min(tries, 6), 2_000),
    },
  });
};

/** Connects in the background and keeps trying; the client is usable at once, failing commands until it is connected. */
export function openRedis(url: string, log: Log, ca?: Buffer): RedisClient {
  const client = newClient(url, log, ca);
  client.on('error', (error: Error) => logOutage(log, 'Redis cannot be reached.', { err: error }));
  client.connect().catch(() => undefined);
  return client;
}

export async function closeRedis(client: RedisClient): Promise<void> {
  if (client.isOpen) client.destroy();
}
