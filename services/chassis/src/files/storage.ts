/**
 * Where files are kept: a local folder or an S3-compatible store. Paths are relative, with forward slashes
 * (`2024/05/name.png`). Both stores behave alike: a stored file never changes, so it may be cached for ever.
 */
import type { Readable } from 'node:stream';
import { isShortage, unavailable } from '../errors';

/** The bytes of a small thing, or a file on this machine that is streamed. */
export type Source = Buffer | { readonly file: string; readonly size: number };

export interface StoredFile {
  readonly size: number;
  readonly modified: Date;
  /** Bytes `start` to `end`, both included; everything without them. */
  read(range?: { start: number; end: number }): Promise<Readable>;
}

export interface Storage {
  /** Fails with PathTakenError when the path is taken: a stored file never changes. */
  write(path: string, source: Source, contentType: string): Promise<void>;
  find(path: string): Promise<StoredFile | undefined>;
  /** Removing what is not there is no mistake: a job that removes files may run twice. */
  remove(path: string): Promise<void>;
  /** Takes away what processes that were killed have left of files they were writing. */
  removeUnfinished(): Promise<void>;
  close(): Promise<void>;
}

export class PathTakenError extends Error {
  constructor(path: string) {
    super(`There is a stored file at '${path}' already.`);
    this.name = 'PathTakenError';
  }
}

const MAX_PATH = 1000;

/**
 * Whether a path is one that a store takes: every part a plain name. Hidden names are refused as well, since the local
 * store keeps its unfinished files in one.
 */
export function isStorablePath(path: string): boolean {
  if (path === '' || path.length > MAX_PATH || /[\\\u0000-\u001f\u007f]/.test(path)) return false;
  return path
    .split('/')
    .every((part) => part !== '' && !part.startsWith('.') && Buffer.byteLength(part) <= 255);
}

export function requireStorablePath(path: string): void {
  if (!isStorablePath(path)) throw new Error(`'${path}' is no path of a stored file.`);
}

export const sizeOf = (source: Source): number => (Buffer.isBuffer(source) ? source.length : source.size);

/** Writes for a request. Whatever keeps the store from taking a file, `store` is away for now (503). */
export const storeFile = (
  storage: Storage,
  store: string,
  ...file: Parameters<Storage['write']>
): Promise<void> =>
  storage.write(...file).catch((error: unknown) => {
    throw isShortage(error) ? error : unavailable(store, 5, error);
  });
