/**
 * Starts a PostgreSQL server of our own in a folder, and stops it. The data survives restarts and crashes of
 * either side: what a killed earlier start left behind is cleared away first. Listens on 127.0.0.1 only, and at a Unix
 * socket in its folder where the path is short enough for one. It is for one machine, not for clusters.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { describeExit, startChild, type Child, type StopStep } from './child';
import { isAlive } from '@sevenfold/chassis/alive';
import { ownersOf, pidIn, stopOwners, type Owner } from './leftovers';
import { freePort } from '@sevenfold/chassis/ports';
import { decideAccount, findPostgres, isSocket, socketOf, type Account } from './postgres-binaries';
import { writePrivate } from './secrets';

const run = promisify(execFile);

/** Replaying the log after a crash under load takes tens of seconds, so this is generous. */
const START_TIMEOUT = 120_000;
/** SIGINT disconnects clients and writes a checkpoint; SIGQUIT leaves the work to the next start. */
const STOP_STEPS: readonly StopStep[] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
];
const ATTEMPTS = 5;

const forgetful = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Shared memory as files in the data folder: what a killed server leaves behind goes away with the folder.
  dynamic_shared_memory_type: 'mmap',
};

export interface PostgresOptions {
  /** Everything of this server is kept below: data, password, log. */
  readonly dir: string;
  readonly port?: number;
  /** false: no flushing to disk. For tests, where a power cut loses nothing of worth. */
  readonly durable?: boolean;
  /** What its configuration says besides. For tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Delete `dir` when this process is killed. For tests. */
  readonly temporary?: boolean;
  readonly log?: (line: string) => void;
}

export interface PostgresServer {
  readonly port: number;
  readonly pid: number;
  /** Such as "18.4". */
  readonly version: string;
  /** Connects as the superuser, over TCP. */
  readonly adminUrl: string;
  /** The same through the socket, where there is one: each statement takes both sides some 30 µs less. */
  readonly nearUrl: string;
  url(database: string, user: string, password: string): string;
  /** Settles when the server has ended, wanted or not, with the reason in words. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

/** Throws an Error with one message for people, the last lines of the server's log included. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const log = options.log ?? (() => undefined);
  const dir = path.resolve(options.dir);
  const binaries = await findPostgres(majorOf(path.join(dir, 'data')));
  const account = await decideAccount(dir, binaries, log);
  const data = path.join(account.home, 'data');
  const owner: Owner = { dir: data, program: /^postgres$/, pidFile: path.join(data, 'postmaster.pid') };

  await clearLeftovers(account, owner, log);
  const password = superuserPassword(account);
  if (!existsSync(path.join(data, 'PG_VERSION'))) await initialise(account, options.durable ?? true);

  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    const child = startServer(account, port, options);
    const adminUrl = urlOf(port, 'postgres', 'postgres', password);
    const fault = await connectable(child, adminUrl, owner.pidFile);
    if (fault === undefined) {
      return {
        port,
        pid: child.pid!,
        version: binaries.version,
        adminUrl,
        nearUrl: throughSocket(adminUrl, account, port),
        url: (database, user, secret) => urlOf(port, database, user, secret),
        exited: child.exited.then(describeExit),
        stop: () => child.stop(STOP_STEPS),
      };
    }
    await child.stop(STOP_STEPS);
    const lines = child.lastLines();
    const text = lines.join('\n');
    if (attempt < ATTEMPTS && /pre-existing shared memory|lock file .* already exists/.test(text)) {
      // Backends of a killed server still hold its memory: they end by themselves, or are ended here.
      await clearLeftovers(account, owner, log);
      await sleep(200);
    } else if (
      attempt < ATTEMPTS &&
      options.port === undefined &&
      /could not bind|Address already in use/i.test(text)
    ) {
      log('PostgreSQL: another program took the port first, trying another one');
    } else {
      throw new Error(
        [
          `PostgreSQL in ${account.home} does not start (${fault}).`,
          ...lines.map((line) => `  ${line}`),
        ].join('\n'),
      );
    }
  }
}

function majorOf(data: string): string | undefined {
  try {
    return readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim();
  } catch {
    return undefined;
  }
}

async function clearLeftovers({ home }: Account, owner: Owner, log: (line: string) => void): Promise<void> {
  if ((await stopOwners(owner, STOP_STEPS)) > 0)
    log('PostgreSQL: stopped a server left behind by an earlier start');
  // Normally PostgreSQL sees by itself that the file is old, but not when its process id has gone to another
  // program in the meantime.
  const pid = pidIn(owner.pidFile);
  if (pid !== undefined && isAlive(pid) && ownersOf(owner).length === 0)
    rmSync(owner.pidFile, { force: true });
  // The lock beside a socket names a process, too.
  for (const name of readdirSync(home)) if (isSocket(name)) rmSync(path.join(home, name), { force: true });
}

function superuserPassword(account: Account): string {
  const file = path.join(account.home, 'superuser-password');
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  // An empty one, which a full disk left to an earlier version, is nobody's: initdb takes none.
  if (kept !== '') return kept;
  const password = randomBytes(24).toString('base64url');
  const { uid, gid } = account;
  writePrivate(file, password, uid === undefined ? undefined : { uid, gid: gid! });
  return password;
}

/** Builds the data folder beside its place and renames it: a start killed half-way leaves nothing half-made. */
async function initialise(account: Account, durable: boolean): Promise<void> {
  const data = path.join(account.home, 'data');
  const half = `${data}.new`;
  rmSync(half, { recursive: true, force: true });
  rmSync(data, { recursive: true, force: true });
  mkdirSync(half, { mode: 0o700 });
  if (account.uid !== undefined) chownSync(half, account.uid, account.gid!);
  // C.UTF-8 sorts by code point, everywhere the same, and knows all letters. macOS has no such locale.
  const locale =
    process.platform === 'darwin' ? ['--locale=C', '--lc-ctype=en_US.UTF-8'] : ['--locale=C.UTF-8'];
  const [command, ...args] = [
    ...account.prefix,
    path.join(account.bin, 'initdb'),
    `--pgdata=${half}`,
    '--username=postgres',
    `--pwfile=${path.join(account.home, 'superuser-password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...locale,
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    await run(command!, args, { cwd: '/', env: serverEnvironment(), uid: account.uid, gid: account.gid });
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    const output = `${(error as { stderr?: string }).stderr ?? ''}`.trim() || (error as Error).message;
    const lines = output.split('\n').slice(-10);
    // It calls the programs beside it through a shell, in double quotes.
    if (/["$`\\]/.test(account.bin))
      lines.push(
        `Its programs are in ${account.bin}, and may not work in a folder with any of " $ \` \\ in its name: move them to another, or set DATABASE_URL.`,
      );
    throw new Error(`PostgreSQL cannot create its data folder ${data}:\n  ${lines.join('\n  ')}`, {
      cause: error,
    });
  }
  renameSync(half, data);
}

function startServer(account: Account, port: number, options: PostgresOptions): Child {
  const durable = options.durable ?? true;
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: hasSocket(account, port) ? account.home : '',
    unix_socket_permissions: '0700',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] %d ',
    // Both assume disks and queries unlike ours: compiling costs more than it saves on short queries, and
    // random reads from solid-state disks or memory cost about as much as sequential ones.
    jit: 'off',
    random_page_cost: '1.1',
    shared_buffers: durable ? '256MB' : '64MB',
    // Searches of frequent words remember the rows they found, not just the pages.
    work_mem: '16MB',
    // A request that was given up must not keep a backend busy.
    client_connection_check_interval: '1s',
    ...(durable ? { fsync: 'on' } : forgetful),
    ...options.settings,
  };
  const [command, ...args] = [
    ...account.prefix,
    path.join(account.bin, 'postgres'),
    '-D',
    path.join(account.home, 'data'),
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  return startChild({
    command: command!,
    args,
    cwd: '/',
    env: serverEnvironment(),
    uid: account.uid,
    gid: account.gid,
    logFile: path.join(account.home, 'postgres.log'),
    signalOnLoss: 'SIGINT',
    removeOnLoss: options.temporary ? account.home : undefined,
  });
}

/**
 * Of glibc, which otherwise raises both to twice the largest piece that was ever freed: a backend that held 16 MB for
 * a statement would keep 32 until it ends.
 */
const MEMORY_GIVEN_BACK = { MALLOC_TRIM_THRESHOLD_: '1048576', MALLOC_MMAP_THRESHOLD_: '1048576' };

/** Nothing of the caller's PG… and LC_… variables may change how the server behaves. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C',
    ...MEMORY_GIVEN_BACK,
  };
}

/** The server writes what it is at into the eighth line of the file with its process id. */
function saysReady(pidFile: string): boolean {
  try {
    return readFileSync(pidFile, 'utf8').split('\n')[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/** Undefined once a real connection works, else why not. */
async function connectable(child: Child, url: string, pidFile: string): Promise<string | undefined> {
  let last = 'no answer';
  for (const end = Date.now() + START_TIMEOUT; Date.now() < end; await sleep(20)) {
    const ended = child.exit();
    if (ended) return describeExit(ended);
    // Whoever knocks too early is an error in its log.
    if (!saysReady(pidFile)) continue;
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
      if (!child.exit()) return undefined;
    } catch (error) {
      last = (error as Error).message;
      // Wrong password: the file beside the data is not the one the data was made with. Waiting changes nothing.
      if ((error as { code?: string }).code === '28P01') return last;
    } finally {
      await client.end().catch(() => undefined);
    }
    const exit = child.exit();
    if (exit) return describeExit(exit);
  }
  return `${last} within ${START_TIMEOUT / 1000} seconds`;
}

/** Says itself that there is no TLS: a PGSSLMODE of the caller's is about other servers. */
function urlOf(port: number, database: string, user: string, password: string): string {
  return `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}?sslmode=disable`;
}

/** The least of what systems take for the path of a socket: macOS 104 bytes with the one that ends it, Linux 108. */
const LONGEST_SOCKET = 103;

/** A comma begins another folder. */
const hasSocket = ({ home }: Account, port: number): boolean =>
  Buffer.byteLength(path.join(home, socketOf(port))) <= LONGEST_SOCKET && !/[,"]/.test(home);

function throughSocket(url: string, account: Account, port: number): string {
  if (!hasSocket(account, port)) return url;
  const result = new URL(url);
  // Goes before the host of the address, for libpq as well.
  result.searchParams.set('host', account.home);
  return result.href;
}
