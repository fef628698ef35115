/**
 * Files in a folder of this machine. A file is written beside its place and linked into it when it is complete:
 * nobody ever reads half a file, and linking, unlike renaming, refuses a name that is taken.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { hasCode } from '../errors';
import { syncName } from './names';
import {
  PathTakenError,
  type Source,
  type Storage,
  type StoredFile,
  isStorablePath,
  requireStorablePath,
} from './storage';

const UNFINISHED = '.unfinished';
/** Well beyond what writing any file may take. */
const FORGOTTEN_MS = 60 * 60_000;

export function openFolder(folder: string): Storage {
  const root = path.resolve(folder);
  const place = (name: string): string => path.join(root, ...name.split('/'));

  return {
    async write(name, source) {
      requireStorablePath(name);
      const target = place(name);
      const unfinished = path.join(root, UNFINISHED, randomUUID());
      const made = await mkdir(path.dirname(target), { recursive: true });
      await mkdir(path.dirname(unfinished), { recursive: true });
      try {
        await fill(unfinished, source);
        await link(unfinished, target);
        await syncName(target, made);
      } catch (error) {
        if (hasCode(error, ['EEXIST'])) throw new PathTakenError(name);
        throw error;
      } finally {
        await rm(unfinished, { force: true });
      }
    },
    async find(name) {
      if (!isStorablePath(name)) return undefined;
      const file = place(name);
      try {
        const found = await stat(file);
        return found.isFile() ? storedFile(file, found.size, found.mtime) : undefined;
      } catch (error) {
        if (hasCode(error, ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'])) return undefined;
        throw error;
      }
    },
    async remove(name) {
      requireStorablePath(name);
      await rm(place(name), { force: true });
    },
    // Also whole files, whose writer was killed behind the link: they would outlive their removal here.
    async removeUnfinished() {
      const before = Date.now() - FORGOTTEN_MS;
      for (const name of await namesIn(path.join(root, UNFINISHED))) {
        const file = path.join(root, UNFINISHED, name);
        const found = await stat(file).catch(() => undefined);
        if (found && found.mtimeMs < before) await rm(file, { force: true });
      }
    },
    close: async () => undefined,
  };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return [];
    throw error;
  }
}

async function fill(target: string, source: Source): Promise<void> {
  if (!Buffer.isBuffer(source)) await copyFile(source.file, target);
  const handle = await open(target, Buffer.isBuffer(source) ? 'wx' : 'r+');
  try {
    if (Buffer.isBuffer(source)) await handle.writeFile(source);
    // A row that names this file is committed next: the bytes must survive a power cut as the row does.
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const storedFile = (file: string, size: number, modified: Date): StoredFile => ({
  size,
  modified,
  read: (range) => opened(file, range),
});

/** The stream after its file is open, so that a file that went meanwhile is an error of `read` and not of the stream. */
function opened(file: string, range?: { start: number; end: number }): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const stream = createReadStream(file, range);
    stream.once('open', () => resolve(stream));
    stream.once('error', reject);
  });
}
