/**
 * Servers that an earlier, killed start left running on a data folder. Two servers on one folder destroy it,
 * so these are found and stopped first. Refuses to touch a process unless it is a program of the expected
 * name working in exactly this folder: a process id in an old file may belong to anybody by now.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '@sevenfold/chassis/alive';
import type { StopStep } from './child';

export interface Owner {
  /** The folder the server works in: PostgreSQL and Redis both change into their data folder. */
  readonly dir: string;
  readonly program: RegExp;
  /** Its first line is the process id of the main process. */
  readonly pidFile: string;
}

/** The ids of the processes that own the folder; the main process, where known, comes first. */
export function ownersOf(owner: Owner): number[] {
  const main = pidIn(owner.pidFile);
  if (process.platform !== 'linux') {
    return main !== undefined && isAlive(main) && owner.program.test(programOf(main)) ? [main] : [];
  }
  let dir: string;
  try {
    dir = realpathSync(owner.dir);
  } catch {
    return [];
  }
  const owners = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && owner.program.test(programOf(pid)) && folderOf(pid) === dir);
  return owners.sort((a, b) => Number(b === main) - Number(a === main));
}

/** Stops the owners of the folder: `steps` to the main process, SIGKILL to whatever is left. */
export async function stopOwners(owner: Owner, steps: readonly StopStep[]): Promise<number> {
  const found = ownersOf(owner);
  if (found.length === 0) return 0;
  const main = pidIn(owner.pidFile);
  const targets = main !== undefined && found.includes(main) ? [main] : found;
  for (const [signal, wait] of steps) {
    for (const pid of targets) send(pid, signal);
    if (await goneWithin(owner, wait)) return found.length;
  }
  for (const pid of ownersOf(owner)) send(pid, 'SIGKILL');
  await goneWithin(owner, 5_000);
  return found.length;
}

export function pidIn(file: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What tells a process from a later one with the same id (ids repeat after a reboot, and in containers always):
 * the moment it started. Undefined when there is no such process.
 */
export function identityOf(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') {
      return (
        execFileSync('ps', ['-p', String(pid), '-o', 'lstart='], {
          encoding: 'utf8',
          stdio: 'pipe',
        }).trim() || undefined
      );
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program name in brackets may hold spaces; field 22 (start time) is the 20th after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; only its parent has not looked yet.
    if (fields[0] === 'Z') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

async function goneWithin(owner: Owner, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(50)) {
    if (ownersOf(owner).length === 0) return true;
  }
  return false;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

function folderOf(pid: number): string | undefined {
  const link = `/proc/${pid}/cwd`;
  try {
    return readlinkSync(link);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES' || process.getuid?.() !== 0) return undefined;
  }
  try {
    // In a container even root may not look at the processes of others; the others may look at their own.
    const { uid, gid } = statSync(`/proc/${pid}`);
    return execFileSync('readlink', ['-n', link], { uid, gid, cwd: '/', encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return undefined;
  }
}

function programOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    const command = execFileSync('ps', ['-p', String(pid), '-o', 'comm='], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return path.basename(command.trim());
  } catch {
    return '';
  }
}
