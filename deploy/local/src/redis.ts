/**
 * Starts a Redis server of our own in a folder, and stops it. It holds queues, so it writes every second what
 * it was told and refuses to forget anything for lack of memory; a cache belongs into another server.
 * Listens on 127.0.0.1 only, and serves one user with a password of its own: other accounts of the machine reach the
 * port as well.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { ForeignInstance, instanceKey, redisIn } from '@sevenfold/chassis/instance';
import { describeExit, startChild, type Child, type StopStep } from './child';
import { stopOwners } from './leftovers';
import { freePort } from '@sevenfold/chassis/ports';
import { findRedis } from './redis-binaries';

/** Reading back a large append-only file takes a while; until then Redis answers LOADING. */
const START_TIMEOUT = 120_000;
const STOP_STEPS: readonly StopStep[] = [['SIGTERM', 10_000]];
const ATTEMPTS = 5;
const LONGEST_REPLY = 16_384;
const OWNER_TIMEOUT = 5_000;
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

/** Everything but the running of the server, of which the settings may be read. The password goes in as its hash. */
function usersOf(password: string): string {
  const hash = createHash('sha256').update(password).digest('hex');
  return `user default off\nuser ${USER} on #${hash} ~* &* +@all -@admin +config|get\n`;
}

/** Throws an Error that says what came instead of PONG. */
export async function pingRedis(url: string, timeout = 2_000, ca?: Buffer): Promise<void> {
  await ask(url, ['PING'], /^\+PONG\r\n/m, timeout, ca);
}

/** Throws ForeignInstance when the keys with this prefix are another site's; changes nothing. */
export async function checkRedisOwner(url: string, prefix: string, id: string, ca?: Buffer): Promise<void> {
  // An empty value cannot be: whoever wrote one wrote an id.
  const owner = await ask(url, ['GET', instanceKey(prefix)], /^\$(?:-1|\d+\r\n(.*))\r\n/, OWNER_TIMEOUT, ca);
  if (owner !== '' && owner !== id) throw new ForeignInstance(redisIn(prefix), owner, id);
}

/** Writes whose they are where nothing is written, as after a loss. Throws as the above does. */
export async function claimRedisOwner(url: string, prefix: string, id: string, ca?: Buffer): Promise<void> {
  await ask(url, ['SET', instanceKey(prefix), id, 'NX'], /^(?:\+OK|\$-1|_)\r\n/, OWNER_TIMEOUT, ca);
  await checkRedisOwner(url, prefix, id, ca);
}

/** Logs in if the URL names a password, sends one command, and answers the first group of the expected reply. */
function ask(url: string, words: string[], expected: RegExp, timeout: number, ca?: Buffer): Promise<string> {
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const target = { host, port: Number(port || 6379) };
  const name = decodeURIComponent(username);
  const first =
    password === '' ? [] : [['AUTH', ...(name === '' ? [] : [name]), decodeURIComponent(password)]];
  if (/^\/\d+$/.test(pathname)) first.push(['SELECT', pathname.slice(1)]);
  const welcome = '+OK\r\n'.repeat(first.length);
  return new Promise((resolve, reject) => {
    const socket =
      protocol === 'rediss:'
        ? tls.connect({ ...target, ca, servername: net.isIP(host) ? undefined : host })
        : net.connect(target);
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    let answer = '';
    socket.setTimeout(timeout, () => fail(new Error(`no answer within ${timeout} ms`)));
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the connection was closed')));
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const fault = /^-(.*)\r\n/m.exec(answer);
      const match = answer.startsWith(welcome) && expected.exec(answer.slice(welcome.length));
      if (fault) fail(new Error(fault[1]));
      else if (answer.length > LONGEST_REPLY) fail(new Error('this is not a Redis server'));
      else if (match) {
        socket.destroy();
        resolve(match[1] ?? '');
      }
    });
    socket.write([...first, words].map(command).join(''));
  });
}

function command(words: string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
}

/** Undefined once the server answers, else why not. */
async function answering(child: Child, url: string): Promise<string | undefined> {
  let last = 'no answer';
  for (const end = Date.now() + START_TIMEOUT; Date.now() < end; await sleep(20)) {
    const exit = child.exit();
    if (exit) return describeExit(exit);
    try {
      await pingRedis(url);
      // Another Redis may have the port: ours would be about to end, and must not be taken for the other.
      const pid = Number(await ask(url, ['INFO', 'server'], /^process_id:(\d+)\r\n/m, 2_000));
      if (pid === child.pid) return undefined;
      last = `another Redis server (process ${pid}) has the port`;
    } catch (error) {
      last = (error as Error).message;
    }
  }
  return `${last} within ${START_TIMEOUT / 1000} seconds`;
}
