/**
 * The folders of files, held as they are at the moment of a backup. A stored file never changes, it only comes and goes:
 * links to all of them keep what goes while the backup is written, and cost no space.
 */
import { constants, rmSync } from 'node:fs';
import { copyFile, link, mkdir, open, opendir, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { KeptFile } from './archive';
import { isAlive } from '@sevenfold/chassis/alive';

/** Hidden names are of files that are still being written. */
const isHidden = (name: string): boolean => name.startsWith('.');
const HELD = 'held-for-backup.';

export interface HeldFolders {
  /** Links what is there now and was not there before. */
  again(): Promise<void>;
  /** Relative to the folders' parent, with forward slashes. */
  files(): AsyncGenerator<KeptFile & { readonly name: string }>;
  release(): Promise<void>;
}

/** `folders` by the name they have in the backup; the links are kept in `dataDir`. */
export async function holdFolders(
  dataDir: string,
  folders: Readonly<Record<string, string>>,
): Promise<HeldFolders> {
  await releaseAbandoned(dataDir);
  const held = path.join(dataDir, `${HELD}${process.pid}`);
  await mkdir(held, { mode: 0o700 });
  const again = async (): Promise<void> => {
    for (const [name, folder] of Object.entries(folders)) await linkAll(folder, path.join(held, name));
  };
  const forget = (): void => rmSync(held, { recursive: true, force: true });
  // For an end that asks nobody, as by Ctrl-C.
  process.once('exit', forget);
  const release = async (): Promise<void> => {
    process.off('exit', forget);
    await rm(held, { recursive: true, force: true });
  };
  try {
    await again();
  } catch (error) {
    await release();
    throw error;
  }
  return { again, release, files: () => filesBelow(held, '') };
}

/** Links of a backup that was killed. It may have had our id: in a container each command has the same. */
async function releaseAbandoned(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(HELD)) continue;
    const pid = Number(name.slice(HELD.length));
    if (pid === process.pid || !isAlive(pid))
      await rm(path.join(dataDir, name), { recursive: true, force: true });
  }
}

async function linkAll(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (isHidden(entry.name)) continue;
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await linkAll(source, target).catch(unlessGone);
    else if (entry.isFile()) await keep(source, target).catch(unlessGone);
  }
}

async function keep(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    // Folders of another file system, or one without links.
    if (code !== 'EXDEV' && code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EMLINK') throw error;
    const { mtime } = await stat(source);
    await copyFile(source, target, constants.COPYFILE_FICLONE);
    await utimes(target, mtime, mtime);
  }
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function* filesBelow(root: string, below: string): AsyncGenerator<KeptFile & { name: string }> {
  for await (const entry of await opendir(path.join(root, below))) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(root, name);
    else {
      const file = path.join(root, name);
      const { size, mtimeMs } = await stat(file);
      yield { name, file, size, modifiedMs: Math.round(mtimeMs) };
    }
  }
}

/** Writes one below `root`, which nothing gets out of. */
export async function putFile(
  root: string,
  name: string,
  modifiedMs: number,
  source: Readable,
): Promise<void> {
  if (name.split('/').some((part) => part === '' || isHidden(part) || /[\\\0]/.test(part)))
    throw new Error(`The backup names a file '${name}', which cannot be.`);
  const file = path.join(root, ...name.split('/'));
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'wx', 0o600);
  try {
    // From where the last piece ended, and all of it.
    for await (const chunk of source as AsyncIterable<Buffer>) await handle.writeFile(chunk);
    await handle.utimes(modifiedMs / 1000, modifiedMs / 1000);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
