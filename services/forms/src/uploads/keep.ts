/**
 * Files that visitors sent, on their way into the store and out of it. They lie there under names that nobody can guess
 * and are served to nobody. A file is noted before it is written, so that one whose submission never comes is removed.
 */
import { randomBytes } from 'node:crypto';
import { type Source, sizeOf, storeFile } from '@sevenfold/chassis/files/storage';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { cleanName } from './content';
import * as store from './store';

/** Longer than any request lasts, from its file to its row. */
const LOOSE_SECONDS = 3_600;
const MOST_AT_ONCE = 100;
/** A store that is away takes as long for each as it is waited for. */
const PATIENCE_MS = 20_000;

export interface Found {
  readonly field: string;
  /** As it came. */
  readonly name: string;
  /** What `typeOf` said. */
  readonly type: string;
  readonly source: Source;
}

/** Writes a file whose content was checked; answers what `insertAll` takes. */
export async function keepFile(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  { field, name, type, source }: Found,
): Promise<store.NewUpload> {
  const objectKey = `forms/${randomBytes(16).toString('hex')}`;
  await store.addLoose(db, objectKey, LOOSE_SECONDS);
  await storeFile(files, 'The store of files', objectKey, source, type);
  return { field, name: cleanName(name), type, bytes: sizeOf(source), objectKey };
}

export async function readFile(
  { files }: Pick<Deps, 'files'>,
  { objectKey }: Pick<store.NewUpload, 'objectKey'>,
): Promise<Buffer | undefined> {
  const found = await files.find(objectKey);
  if (!found) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of await found.read()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/**
 * Removes what belongs to no submission. The row goes in the same transaction, after the file: a crash does it again. One that cannot
 * be removed keeps none behind it from being so; many of them, or one after which time is up, say that the store is away.
 */
export async function removeLoose({ db, files }: Pick<Deps, 'db' | 'files'>): Promise<void> {
  const faults: unknown[] = [];
  const remove = (key: string): Promise<void> =>
    db.transaction(async (tx) => {
      if (await store.claimLoose(tx, key)) await files.remove(key);
    });
  const until = performance.now() + PATIENCE_MS;
  const isAway = (): boolean =>
    faults.length >= MOST_AT_ONCE || (faults.length > 0 && performance.now() > until);
  for (let more = true; more && !isAway();) {
    const keys = await store.dueLoose(db, MOST_AT_ONCE, faults.length);
    for (const key of keys) if (!isAway()) await remove(key).catch((error: unknown) => faults.push(error));
    more = keys.length === MOST_AT_ONCE;
  }
  if (faults.length > 0) throw faults[0];
}

export const uploadSweeps: readonly Sweep<Deps>[] = [
  { name: 'forms:loose-files', everySeconds: 60, run: removeLoose },
  { name: 'forms:unfinished-files', everySeconds: 900, run: ({ files }) => files.removeUnfinished() },
];
