/**
 * The mark of a restore that has begun and not ended, in the data folder. While it is there, nothing starts from that
 * folder: what a restore left half-done is never served.
 */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writePrivateJson } from '../secrets';

interface Mark {
  readonly file: string;
  readonly begun: string;
  /** Of what it makes. */
  readonly instanceId: string;
  /** Whether what was there before is already being replaced. */
  readonly replacing: boolean;
}

/** Where files wait until what they replace goes. */
export const besideIn = (dataDir: string): string => path.join(dataDir, 'restoring');

const markOf = (dataDir: string): string => path.join(dataDir, 'restoring.json');

export const markRestore = (dataDir: string, mark: Mark): void => writePrivateJson(markOf(dataDir), mark);

export const clearMark = (dataDir: string): void => rmSync(markOf(dataDir), { force: true });

export function findMark(dataDir: string): Mark | undefined {
  try {
    return JSON.parse(readFileSync(markOf(dataDir), 'utf8')) as Mark;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Throws one message for people that says how to go on. */
export function refuseUnfinished(dataDir: string): void {
  const mark = findMark(dataDir);
  if (!mark) return;
  throw new Error(
    `The restore of ${mark.file} into ${dataDir}, begun at ${mark.begun}, did not end. Do it again: npm run cli -- restore ${mark.file}` +
      (mark.replacing
        ? ''
        : `\nNothing was replaced yet. To go on with what was there before instead, delete ${markOf(dataDir)}`),
  );
}
