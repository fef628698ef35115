/**
 * One process at a time: whoever has the file works, others wait. The file appears whole or not at all, and counts for as long as
 * the process named in it lives. (Plain JavaScript, as it runs before anything is compiled.)
 */
import { createHash, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 200;

/** Throws after `patienceMs`. */
export async function alone(file, work, { onWait, patienceMs = 10 * 60_000 }) {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, ownerOf(process.pid), { flag: 'wx' });
  try {
    const until = Date.now() + patienceMs;
    for (let waited = false; !placed(draft, file); waited = true) {
      if (replacedStale(file, draft)) break;
      if (!waited) onWait();
      if (Date.now() > until)
        throw new Error(`Another build does not end. If there is none, remove ${file}.`);
      await sleep(LOOK_EVERY_MS);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** A process id and when it began: ids repeat, in containers always. */
function ownerOf(pid) {
  const stat = textOf(`/proc/${pid}/stat`);
  const began = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  const boot = textOf('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  return `${pid} ${boot} ${began}`;
}

function isAlive(owner) {
  const pid = Number(owner.split(' ')[0]);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return ownerOf(pid) === owner;
}

/** False where there is one: a link never replaces. */
function placed(draft, target) {
  try {
    linkSync(draft, target);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Puts the draft in place of what a process that is gone left. Others may be about to do the same: first comes the right to it, a file
 * named after what is to be replaced, which only one can make; that of one who was killed passes on in the same way (deploy/local/src/claim.ts).
 */
function replacedStale(file, draft) {
  const stale = textOf(file);
  const rights = [];
  for (let left = stale; ; left = textOf(rights.at(-1))) {
    if (left === undefined || isAlive(left)) return false;
    rights.push(rightTo(file, left, rights.length));
    if (placed(draft, rights.at(-1))) break;
  }
  // The right may have been used and given back since the file was looked at.
  const isMine = textOf(file) === stale;
  if (isMine) renameSync(draft, file);
  for (const right of isMine ? rights : rights.slice(-1)) rmSync(right, { force: true });
  return isMine;
}

const rightTo = (file, left, depth) =>
  `${file}.${createHash('sha256').update(`${depth} ${left}`).digest('hex').slice(0, 16)}`;

function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
