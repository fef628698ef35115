/**
 * Who runs on a data folder: one process at a time. The claim is the file run.json; it counts for as long as the
 * process named in it lives. It appears whole or not at all, so whoever meets one can read whose it is.
 */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identityOf } from './leftovers';
import type { RunFile } from './run-file';

/** Takes the data folder for this process, or throws when a living one has it. */
export function claim(runFile: string): void {
  const mine = { pid: process.pid, identity: identityOf(process.pid) ?? '' };
  // Process ids repeat between containers that share the folder.
  const draft = `${runFile}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, `${JSON.stringify(mine)}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new Error(`DATA_DIR: cannot write into ${path.dirname(runFile)}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  try {
    for (let attempt = 0; !placed(draft, runFile); attempt += 1) {
      if (attempt > 2) throw new Error(`${runFile} is changed by others all the time. Try again.`);
      const found = textOf(runFile);
      if (found === undefined) continue;
      refuseIfAlive(runFile, found);
      removeStale(runFile, found, `${draft}.old`);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** False when the target exists: a link never replaces. */
function placed(draft: string, target: string): boolean {
  try {
    linkSync(draft, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function refuseIfAlive(runFile: string, text: string): void {
  const holder = parse(text);
  const identity = holder?.pid === undefined ? undefined : identityOf(holder.pid);
  if (holder?.pid === undefined || identity === undefined || identity !== holder.identity) return;
  const where = holder.gateway === undefined ? '' : ` at ${holder.gateway}`;
  throw new Error(
    `Already running${where} on ${path.dirname(runFile)} (process ${holder.pid}). Stop it first, or set another DATA_DIR.`,
  );
}

/**
 * Another start may have removed it already and put its own claim there. So it is compared again, then moved aside,
 * where nobody changes it any more: if another's claim was caught after all, it goes back.
 */
function removeStale(runFile: string, stale: string, aside: string): void {
  if (textOf(runFile) !== stale) return;
  try {
    renameSync(runFile, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (textOf(aside) !== stale) placed(aside, runFile);
  rmSync(aside, { force: true });
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parse(text: string): Partial<RunFile> | undefined {
  try {
    return JSON.parse(text) as Partial<RunFile>;
  } catch {
    return undefined;
  }
}
