/**
 * Who runs on a data folder: one process at a time. The claim is the file run.json; it counts for as long as the
 * process named in it lives. It appears whole or not at all, so whoever meets one can read whose it is.
 */
import { createHash, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identityOf } from './leftovers';
import { type RunFile, parseRunFile } from './run-file';

/** Whoever replaces a claim takes a few steps, and may have to wait for each of them. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 10;

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
    const end = performance.now() + PATIENCE_MS;
    while (!placed(draft, runFile)) {
      const found = textOf(runFile);
      if (found !== undefined) {
        refuseIfAlive(runFile, found);
        if (replaced(runFile, found, draft)) break;
      }
      if (performance.now() > end)
        throw new Error(`${runFile} is changed by others all the time. Try again.`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
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
  const holder = livingOf(text);
  if (!holder) return;
  const where = holder.gateway === undefined ? '' : ` at ${holder.gateway}`;
  throw new Error(
    `Already running${where} on ${path.dirname(runFile)} (process ${holder.pid}). Stop it first, or set another DATA_DIR.`,
  );
}

/**
 * Puts the draft in place of what a process that is gone left. Between looking at it and replacing it another start may do
 * the same, so first comes the right to it: a file named after what is to be replaced, which only one can make. What it
 * holds is the draft, so the right of one who was killed passes on in the same way. False: somebody else is at it.
 */
function replaced(runFile: string, stale: string, draft: string): boolean {
  const rights: string[] = [];
  for (let left: string | undefined = stale; ; left = textOf(rights.at(-1) as string)) {
    if (left === undefined || (rights.length > 0 && livingOf(left))) return false;
    rights.push(rightTo(runFile, left, rights.length));
    if (placed(draft, rights.at(-1) as string)) break;
  }
  // The right may have been used and given back since the claim was looked at.
  const isMine = textOf(runFile) === stale;
  if (isMine) renameSync(draft, runFile);
  for (const right of isMine ? rights : rights.slice(-1)) rmSync(right, { force: true });
  return isMine;
}

/** A disk that lost its power may have left empty files in a row, which are not the same. */
const rightTo = (runFile: string, left: string, depth: number): string =>
  `${runFile}.${createHash('sha256').update(`${depth} ${left}`).digest('hex').slice(0, 16)}`;

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whose claim it is, if that lives. */
function livingOf(text: string): Partial<RunFile> | undefined {
  const holder = parseRunFile(text);
  const identity = holder?.pid === undefined ? undefined : identityOf(holder.pid);
  return identity !== undefined && identity === holder?.identity ? holder : undefined;
}
