/** Files and folders of this machine that whoever calls a command names. */
import { existsSync, statSync } from 'node:fs';

/** Undefined where there is nothing. */
const isFolder = (path: string): boolean | undefined =>
  existsSync(path) ? statSync(path).isDirectory() : undefined;

/** Whatever can be read as a file, a pipe too. */
export function mustBeFile(path: string): void {
  if (isFolder(path) !== false) throw new Error(`There is no file ${path}.`);
}

export function mustBeFolder(path: string): void {
  if (isFolder(path) !== true) throw new Error(`There is no folder ${path}.`);
}
