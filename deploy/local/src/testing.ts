/**
 * A PostgreSQL and a Redis for one run of the test-suite: quick, forgetful, in a temporary folder that vanishes
 * with them. Never for data of worth: neither server writes to disk in time.
 */
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres } from './postgres';
import { startRedis } from './redis';

export interface TestServers {
  /** Connects as the superuser. */
  readonly adminUrl: string;
  readonly redisUrl: string;
  readonly stop: () => Promise<void>;
}

/** PostgreSQL alone takes 40 MB when empty; a container's /dev/shm often has 64 MB. */
const MEMORY_NEEDED = 2 * 1024 ** 3;

export async function startTestServers(): Promise<TestServers> {
  const dir = newFolder(quickFolder(), 'sevenfold-test-');
  const pids: number[] = [];
  // For the end that asks nobody: an uncaught error, process.exit. A kill -9 is seen to by the servers' watchers.
  const atExit = (): void => {
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  process.once('exit', atExit);

  const postgresStart = startPostgres({ dir: path.join(dir, 'postgres'), durable: false, temporary: true });
  const redisStart = startRedis({ dir: path.join(dir, 'redis'), durable: false, temporary: true });
  const started = await Promise.allSettled([postgresStart, redisStart]);
  const servers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  pids.push(...servers.map((server) => server.pid));
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
    process.off('exit', atExit);
    rmSync(dir, { recursive: true, force: true });
  };

  const [postgres, redis] = started;
  if (postgres.status === 'fulfilled' && redis.status === 'fulfilled') {
    return { adminUrl: postgres.value.adminUrl, redisUrl: redis.value.url, stop };
  }
  await stop();
  throw new Error(
    started
      .flatMap((result) => (result.status === 'rejected' ? [(result.reason as Error).message] : []))
      .join('\n'),
  );
}

/**
 * A new temporary folder that others may pass through, not look into: root's PostgreSQL may have to run as somebody
 * else, and would keep its data elsewhere if it could not get to it.
 */
export function newFolder(base: string, prefix: string): string {
  const folder = mkdtempSync(path.join(base, prefix));
  chmodSync(folder, 0o711);
  return folder;
}

/** In memory where there is room for it. */
export function quickFolder(): string {
  try {
    accessSync('/dev/shm', constants.W_OK);
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (bavail * bsize >= MEMORY_NEEDED) return '/dev/shm';
  } catch {
    // Not there on macOS.
  }
  return tmpdir();
}
