/** The folder of all data. */
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Others may pass through, but see nothing: as root, PostgreSQL may have to run as another account below it. */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolder(path.dirname(dataDir), 0o755);
    makeFolder(dataDir, 0o711);
  } catch (error) {
    throw new Error(`DATA_DIR: cannot make the folder ${dataDir}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Level by level: Node's own `recursive` tries for ever where a file system has no room for folders, such as /proc. */
function makeFolder(folder: string, mode: number): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  makeFolder(path.dirname(folder), 0o755);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another start has made it in the meantime.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
