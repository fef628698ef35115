/**
 * Starts a Redis server of our own in a folder, and stops it. It holds queues, so it writes every second what
 * it was told and refuses to forget anything for lack of memory; a cache belongs into another server.
 * Listens on 127.0.0.1 only, and serves one user with a password of its own: other accounts of the machine reach the
 * port as well.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkRedis, claimRedis } from '@sevenfold/chassis/instance';
import { answered } from '@sevenfold/chassis/queue/answered';
import { describeExit, startChild, type Child, type StopStep } from './child';
import { stopOwners } from './leftovers';
import { freePort } from '@sevenfold/chassis/ports';
import { findRedis } from './redis-binaries';
import { withRedis } from './redis-client';

/** Reading back a large append-only file takes a while; until then Redis answers LOADING. */
const START_TIMEOUT = 120_000;
const STOP_STEPS: readonly StopStep[] = [['SIGTERM', 10_000]];
const ATTEMPTS = 5;
const USER = 'sevenfold';

export interface RedisOptions {
  /** Everything of this server is kept below: data and log. */
  readonly dir: string;
  readonly port?: number;
  /** Of the one user; default: a new one at each start. */
  readonly password?: string;
  /** false: nothing is written to disk. For tests. */
  readonly durable?: boolean;
  /** Delete `dir` when this process is killed. For tests. */
  readonly temporary?: boolean;
  /** Where PATH and SEVENFOLD_CACHE are looked up. */
  readonly env?: NodeJS.ProcessEnv;
  readonly log?: (line: string) => void;
}

export interface RedisServer {
  readonly port: number;
  readonly pid: number;
  /** Such as "7.0.15". */
  readonly version: string;
  readonly url: string;
  /** Settles when the server has ended, wanted or not, with the reason in words. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

/** Throws an Error with one message for people: what to install, or the last lines of the server's log. */
export async function startRedis(options: RedisOptions): Promise<RedisServer> {
  const log = options.log ?? (() => undefined);
  const env = options.env ?? process.env;
  const dir = path.resolve(options.dir);
  const binary = await findRedis(env, log);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const pidFile = path.join(dir, 'redis.pid');
  const stopped = await stopOwners({ dir, program: /^(redis|valkey)-/, pidFile }, STOP_STEPS);
  if (stopped > 0) log('Redis: stopped a server left behind by an earlier start');

  const password = options.password ?? randomBytes(24).toString('base64url');
  const aclFile = path.join(dir, 'users.acl');
  writeFileSync(aclFile, usersOf(password), { mode: 0o600 });
  const persistence =
    options.durable === false ? ['--appendonly', 'no'] : ['--appendonly', 'yes', '--appendfsync', 'everysec'];
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    const child = startChild({
      command: binary.command,
      args: [
        ...[
          '--port',
          String(port),
          '--bind',
          '127.0.0.1',
          '--dir',
          dir,
          '--daemonize',
          'no',
          '--pidfile',
          pidFile,
        ],
        ...['--aclfile', aclFile],
        ...['--maxmemory-policy', 'noeviction', '--save', '', ...persistence],
      ],
      cwd: dir,
      env: { PATH: env.PATH, LC_ALL: 'C', ...binary.env },
      logFile: path.join(dir, 'redis.log'),
      signalOnLoss: 'SIGTERM',
      removeOnLoss: options.temporary ? dir : undefined,
    });
    const url = `redis://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
    const fault = await answering(child, url);
    if (fault === undefined) {
      return {
        port,
        pid: child.pid!,
        version: binary.version,
        url,
        exited: child.exited.then(describeExit),
        stop: () => child.stop(STOP_STEPS),
      };
    }
    await child.stop(STOP_STEPS);
    const lines = child.lastLines();
    if (
      attempt < ATTEMPTS &&
      options.port === undefined &&
      /Address already in use/i.test(lines.join('\n'))
    ) {
      log('Redis: another program took the port first, trying another one');
      continue;
    }
    throw new Error(
      [`Redis in ${dir} does not start (${fault}).`, ...lines.map((line) => `  ${line}`)].join('\n'),
    );
  }
}

/**
 * Everything but the running of the server, of which the settings may be read. The password goes in as its hash. Nobody can be the
 * default user, but Redis 7 reads its file of writes as that one, and leaves out each transaction that it may not run: all that
 * scripts wrote, which is queues and news.
 */
function usersOf(password: string): string {
  const hash = createHash('sha256').update(password).digest('hex');
  return `user default off ~* &* +@all\nuser ${USER} on #${hash} ~* &* +@all -@admin +config|get\n`;
}

/** Throws an Error that says what came instead of PONG. */
export const pingRedis = (url: string, ca?: Buffer): Promise<void> =>
  withRedis({ url, ca }, async (redis) => void (await answered(redis.ping())));

/** Throws ForeignInstance when the keys with this prefix are another site's; changes nothing. */
export const checkRedisOwner = (url: string, prefix: string, id: string, ca?: Buffer): Promise<void> =>
  withRedis({ url, ca }, (redis) => checkRedis(redis, prefix, id));

/** Writes whose they are where nothing is written, as after a loss. Throws as the above does. */
export const claimRedisOwner = (url: string, prefix: string, id: string, ca?: Buffer): Promise<void> =>
  withRedis({ url, ca }, (redis) => claimRedis(redis, prefix, id));

/** Undefined once the server answers, else why not. */
async function answering(child: Child, url: string): Promise<string | undefined> {
  let last = 'no answer';
  for (const end = Date.now() + START_TIMEOUT; Date.now() < end; await sleep(20)) {
    const exit = child.exit();
    if (exit) return describeExit(exit);
    try {
      // Another Redis may have the port: ours would be about to end, and must not be taken for the other.
      const pid = await withRedis({ url }, async (redis) => {
        await answered(redis.ping());
        return Number(/^process_id:(\d+)/m.exec(await answered(redis.info('server')))?.[1]);
      });
      if (pid === child.pid) return undefined;
      last = `another Redis server (process ${pid}) has the port`;
    } catch (error) {
      last = (error as Error).message;
    }
  }
  return `${last} within ${START_TIMEOUT / 1000} seconds`;
}
