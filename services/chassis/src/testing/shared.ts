/**
 * The interface's contract and the real data lie in a folder `shared` beside the repository, not in it. Tests that
 * read them are left out where it is missing, and the run says so.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../../..');

/** The path of a file of `../shared`, or nothing (with a word on the console) where it is not there. */
export function sharedFile(name: string): string | undefined {
  const file = path.join(root, '../shared', name);
  if (existsSync(file)) return file;
  console.warn(`${file} is missing: what needs it is not tested`);
  return undefined;
}
