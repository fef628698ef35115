/**
 * Finds a Redis server to run: on the PATH, in our cache, or from the Debian packages, which apt-get fetches
 * and checks and dpkg unpacks into the cache. Never installs anything into the system and needs no rights.
 */
import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isAlive } from '@sevenfold/chassis/alive';
import { pidIn } from './leftovers';

const run = promisify(execFile);

const PROGRAMS = ['redis-server', 'valkey-server'];
/** Nobody downloads 4 MB for longer than this; a lock that old was left by a killed start. */
const FETCH_TIMEOUT = 180_000;

export interface RedisBinary {
  readonly command: string;
  /** What to add to the environment so that it finds its libraries. */
  readonly env: NodeJS.ProcessEnv;
  /** Such as "7.0.15". */
  readonly version: string;
}

/** Throws an Error that says what to install when there is no way to a server. */
export async function findRedis(env: NodeJS.ProcessEnv, log: (line: string) => void): Promise<RedisBinary> {
  for (const program of PROGRAMS) {
    const found = onPath(program, env);
    const binary = found && (await usable(found, {}));
    if (binary) return binary;
  }
  const cache = env.SEVENFOLD_CACHE
    ? path.resolve(env.SEVENFOLD_CACHE)
    : path.join(homedir(), '.cache', 'sevenfold');
  // Another release of the system has other libraries, and a home may be shared by several machines.
  const folder = path.join(cache, 'redis', `${systemName()}-${process.arch}`);
  const cached = await unpacked(folder);
  if (cached) return cached;

  let reason: string;
  try {
    return await underLock(
      folder,
      async () => (await unpacked(folder)) ?? (await fetchPackages(folder, env, log)),
    );
  } catch (error) {
    reason = firstLine(error);
  }
  throw new Error(
    'Redis is needed and was not found: no redis-server or valkey-server on the PATH, ' +
      `none in ${folder}, and fetching it with apt-get failed (${reason}). ` +
      'Install it ("apt-get install redis-server"; on macOS "brew install redis"), or set REDIS_URL to a running server.',
  );
}

function onPath(program: string, env: NodeJS.ProcessEnv): string | undefined {
  for (const folder of (env.PATH ?? '').split(path.delimiter).filter((part) => part !== '')) {
    const file = path.join(folder, program);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // Not here.
    }
  }
  return undefined;
}

async function usable(command: string, env: NodeJS.ProcessEnv): Promise<RedisBinary | undefined> {
  try {
    const { stdout } = await run(command, ['--version'], {
      env: { ...process.env, ...env },
      timeout: 10_000,
    });
    const version = /\bv=(\d[\d.]*)/.exec(stdout)?.[1];
    return version === undefined ? undefined : { command, env, version };
  } catch {
    return undefined;
  }
}

/** The server in an unpacked folder, if it runs. */
async function unpacked(folder: string): Promise<RedisBinary | undefined> {
  const command = path.join(folder, 'redis-server');
  if (!existsSync(command)) return undefined;
  return usable(command, { LD_LIBRARY_PATH: libraryFolders(folder).join(':') });
}

function libraryFolders(folder: string): string[] {
  const found: string[] = [];
  for (const base of ['usr/lib', 'lib']) {
    const lib = path.join(folder, base);
    if (!existsSync(lib)) continue;
    const folders = [lib, ...readdirSync(lib).map((name) => path.join(lib, name))].filter((at) =>
      statSync(at).isDirectory(),
    );
    found.push(...folders.filter((at) => readdirSync(at).some((name) => name.includes('.so'))));
  }
  return found;
}

async function fetchPackages(
  folder: string,
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<RedisBinary> {
  const aptGet = onPath('apt-get', env);
  const dpkg = onPath('dpkg', env);
  if (!aptGet || !dpkg) throw new Error('apt-get and dpkg are not on the PATH');
  log('Redis: not installed, fetching the Debian packages (about 4 MB, only this once)');

  const work = `${folder}.${process.pid}.new`;
  rmSync(work, { recursive: true, force: true });
  const root = path.join(work, 'root');
  for (const part of ['lists/partial', 'cache/archives/partial', 'debs', 'root'])
    mkdirSync(path.join(work, part), { recursive: true });
  try {
    const apt = {
      get: aptGet,
      cache: path.join(path.dirname(aptGet), 'apt-cache'),
      dpkg,
      debs: path.join(work, 'debs'),
      env,
    };
    const common = [
      '-o',
      `Dir::Cache=${work}/cache`,
      '-o',
      'Debug::NoLocking=true',
      '-o',
      'APT::Sandbox::User=root',
      '-o',
      'Acquire::Retries=3',
    ];
    const own = [...common, '-o', `Dir::State::lists=${work}/lists`, '-o', 'Acquire::http::Timeout=20'];
    try {
      // The system's package lists are there and fresh on most machines, but not in a new container.
      await download(apt, common);
    } catch {
      await run(aptGet, [...own, '-q', 'update'], { env: { ...env, LC_ALL: 'C' }, timeout: FETCH_TIMEOUT });
      await download(apt, own);
    }
    for (const file of readdirSync(apt.debs))
      await run(dpkg, ['-x', path.join(apt.debs, file), root], { env });

    // Debian keeps the one program under the name redis-check-rdb and goes by the name it is called by.
    const program = ['redis-server', 'redis-check-rdb']
      .map((name) => path.join(root, 'usr/bin', name))
      .find((file) => existsSync(file));
    if (program === undefined) throw new Error('the packages hold no server');
    copyFileSync(realpathSync(program), path.join(root, 'redis-server'));
    if (!(await unpacked(root))) throw new Error('the server from the packages does not run here');

    rmSync(folder, { recursive: true, force: true });
    renameSync(root, folder);
    const binary = await unpacked(folder);
    if (!binary) throw new Error('the server from the packages does not run here');
    return binary;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface Apt {
  readonly get: string;
  readonly cache: string;
  readonly dpkg: string;
  readonly debs: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Downloads the server and those libraries of it that the system does not have. */
async function download(apt: Apt, options: string[]): Promise<void> {
  const settings = {
    env: { ...apt.env, LC_ALL: 'C' },
    cwd: apt.debs,
    timeout: FETCH_TIMEOUT,
    maxBuffer: 1 << 24,
  };
  const leaveOut = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances', 'pre-depends'];
  const [dependencies, installed] = await Promise.all([
    run(
      apt.cache,
      [...options, 'depends', '--recurse', ...leaveOut.map((kind) => `--no-${kind}`), 'redis-server'],
      settings,
    ),
    run(
      path.join(path.dirname(apt.dpkg), 'dpkg-query'),
      ['-W', '-f', '${db:Status-Abbrev}${Package}\n'],
      settings,
    ),
  ]);
  const present = new Set(Array.from(installed.stdout.matchAll(/^ii\s*(\S+)$/gm), (match) => match[1]));
  const libraries = dependencies.stdout
    .split('\n')
    // The C library must be the system's own; elogind stands in for systemd only where systemd is missing.
    .filter((name) => /^(lib|lua)[a-z0-9.+-]*$/.test(name) && !/^(libc6|libc-|libelogind)/.test(name))
    .filter((name) => !present.has(name));
  await run(
    apt.get,
    [...options, '-q', 'download', 'redis-server', 'redis-tools', ...new Set(libraries)],
    settings,
  );
}

/**
 * One fetch at a time. The lock only saves a second download: every fetch unpacks into a folder of its own and
 * renames it, so even a lock taken over by mistake does no harm.
 */
async function underLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(path.dirname(folder), { recursive: true });
  const lock = `${folder}.lock`;
  for (;;) {
    try {
      writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = pidIn(lock);
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    // A lock without a process id was created this moment and is about to be written.
    if (age > 2 * FETCH_TIMEOUT || (holder === undefined ? age > 5_000 : !isAlive(holder)))
      rmSync(lock, { force: true });
    else await sleep(100);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function systemName(): string {
  try {
    const text = readFileSync('/etc/os-release', 'utf8');
    const value = (key: string): string => new RegExp(`^${key}="?([\\w.-]+)"?$`, 'm').exec(text)?.[1] ?? '';
    return `${value('ID')}${value('VERSION_ID')}` || process.platform;
  } catch {
    return process.platform;
  }
}

function firstLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  const lines = (stderr ?? '').split('\n').filter((line) => line.startsWith('E: '));
  return lines[0] ?? message.split('\n')[0]!;
}
