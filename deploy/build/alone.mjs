/**
 * One process at a time: whoever has the file works, others wait. The file appears whole or not at all, and counts for as long as
 * the process named in it lives. (Plain JavaScript, as it runs before anything is compiled.)
 */
import { randomBytes } from 'node:crypto';
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
      removeStale(file, `${draft}.old`);
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

/** Moved aside, where nobody changes it, and looked at again: if another's was caught, it goes back. */
function removeStale(file, aside) {
  const found = textOf(file);
  if (found === undefined || isAlive(found)) return;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (textOf(aside) !== found) placed(aside, file);
  rmSync(aside, { force: true });
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
