/**
 * Names of files on the disk. A name is an entry of its folder and no part of the file: until the folder is written as well a power cut
 * may take it from bytes that are there.
 */
import { open } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '../errors';

/** Said by file systems that have nothing to write there. */
const NOTHING_TO_WRITE = ['EBADF', 'EINVAL', 'ENOTSUP'];

/** Waits until the name is on the disk, and those of the folders that were made for it: `made` is what `mkdir` answered. */
export async function syncName(file: string, made: string | undefined): Promise<void> {
  const top = path.resolve(path.dirname(made ?? file));
  let folder = path.resolve(file);
  do {
    folder = path.dirname(folder);
    await syncFolder(folder);
  } while (folder.length > top.length);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (!hasCode(error, NOTHING_TO_WRITE)) throw error;
  } finally {
    await handle.close();
  }
}
