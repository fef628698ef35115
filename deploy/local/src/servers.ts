/**
 * The servers of a stack: those that its settings name, or ones that are started in its folder, started again when they die,
 * and stopped with it.
 */
import path from 'node:path';
import type { readRedisCa } from '@sevenfold/chassis/tls';
import { checkDatabase } from './databases';
import { startPostgres } from './postgres';
import { type Hooks, keepServer } from './processes';
import { pingRedis, startRedis } from './redis';
import type { StackSettings } from './settings';

interface Hosting {
  readonly settings: StackSettings;
  readonly env: NodeJS.ProcessEnv;
  /** false: they do not write to disk in time. */
  readonly durable: boolean;
  readonly say: (line: string) => void;
  readonly hooks: Hooks;
  /** What takes down again what was started here, first to last. */
  readonly closers: (() => Promise<void> | void)[];
  /** Process ids of what was started here. */
  readonly serverPids: Record<string, () => number>;
}

/** The address of an administrator. */
export async function provideDatabase(hosting: Hosting): Promise<string> {
  const { settings, durable, say, hooks, closers, serverPids } = hosting;
  if (settings.DATABASE_URL !== '') {
    const { version, address } = await checkDatabase(settings.DATABASE_URL).catch((error: Error) => {
      throw new Error(`DATABASE_URL: ${error.message}`);
    });
    say(`PostgreSQL ${version} at ${address} (DATABASE_URL)`);
    return settings.DATABASE_URL;
  }
  const dir = path.join(settings.dataDir, 'postgres');
  const first = await startPostgres({ dir, durable, log: say });
  const kept = keepServer(
    'PostgreSQL',
    first,
    () => startPostgres({ dir, durable, port: first.port, log: say }),
    hooks,
  );
  closers.push(async () => {
    say('stopping PostgreSQL');
    await kept.stop();
  });
  serverPids.postgres = () => kept.current().pid;
  say(`PostgreSQL ${first.version} on 127.0.0.1:${first.port}`);
  return first.nearUrl;
}

/** Its address, with the password. */
export async function provideRedis(
  hosting: Hosting,
  password: string,
  redisCa: ReturnType<typeof readRedisCa>,
): Promise<string> {
  const { settings, durable, say, hooks, closers, serverPids } = hosting;
  if (settings.REDIS_URL !== '') {
    const address = new URL(settings.REDIS_URL).host;
    await pingRedis(settings.REDIS_URL, redisCa).catch((error: Error) => {
      throw new Error(
        `REDIS_URL: cannot use the Redis server at ${address}: ${error.message || 'no connection'}`,
      );
    });
    say(`Redis at ${address} (REDIS_URL)`);
    return settings.REDIS_URL;
  }
  const dir = path.join(settings.dataDir, 'redis');
  const env = { ...hosting.env, SEVENFOLD_CACHE: settings.SEVENFOLD_CACHE };
  const first = await startRedis({ dir, env, password, durable, log: say });
  const kept = keepServer(
    'Redis',
    first,
    () => startRedis({ dir, env, password, durable, port: first.port, log: say }),
    hooks,
  );
  closers.push(async () => {
    say('stopping Redis');
    await kept.stop();
  });
  serverPids.redis = () => kept.current().pid;
  say(`Redis ${first.version} on 127.0.0.1:${first.port}`);
  return first.url;
}
