/** Files that are there whole or not at all: they are written beside their place, by a process that may be killed at it. */
import { rmSync } from 'node:fs';
import { open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { isAlive } from '@sevenfold/chassis/alive';
import { cannotWrite } from './secrets';

/** What the name of half a file ends with. Several machines may write into one folder, each with processes of its own. */
const halfOf = (pid: number): string => `.${hostname()}.${pid}.part`;

/** Halves that this process writes. */
const writing = new Set<string>();

/**
 * Halves of writers that were killed: all secrets of a site may be in them. One may have had our id: in a container each command has
 * the same.
 */
async function removeAbandoned(folder: string): Promise<void> {
  // A folder that cannot be looked into may well be written to.
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = Number(/\.(\d+)\.part$/.exec(name)?.[1]);
    const half = path.resolve(folder, name);
    if (!name.endsWith(halfOf(pid)) || (pid === process.pid ? writing.has(half) : isAlive(pid))) continue;
    // What another account left in a common folder is not ours to remove.
    await rm(half, { force: true }).catch(() => undefined);
  }
}

/** `write` makes the half and puts it in its place. Throws what it throws, and leaves nothing then. */
export async function writeBeside(file: string, write: (half: string) => Promise<void>): Promise<void> {
  await removeAbandoned(path.dirname(file));
  const half = `${file}${halfOf(process.pid)}`;
  const forget = (): void => rmSync(half, { force: true });
  // For an end that asks nobody, as by Ctrl-C.
  process.once('exit', forget);
  writing.add(path.resolve(half));
  try {
    await write(half);
  } catch (error) {
    forget();
    throw error;
  } finally {
    writing.delete(path.resolve(half));
    process.off('exit', forget);
  }
}

/**
 * Replaces what was there by text that comes piece by piece; for its owner alone, unless that was for others. What is no file, as a
 * pipe, takes it as it comes.
 */
export async function writeWhole(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  const told = (error: Error): never => {
    throw cannotWrite(file, error);
  };
  if (found && !found.isFile()) {
    for await (const text of pieces) await writeFile(file, text, { flag: 'a' }).catch(told);
    return;
  }
  // A link goes on to lead to it.
  const place = found ? await realpath(file) : file;
  await writeBeside(place, async (half) => {
    const handle = await open(half, 'wx', 0o600).catch(told);
    try {
      if (found) await handle.chmod(found.mode & 0o777).catch(told);
      for await (const text of pieces) await handle.writeFile(text).catch(told);
      await handle.sync().catch(told);
    } finally {
      await handle.close();
    }
    await rename(half, place).catch(told);
  });
}
