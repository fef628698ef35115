/** Where media files are kept: a local folder or an S3-compatible store. Paths are relative, with forward slashes. */
import type { Readable } from 'node:stream';

export interface StoredFile {
  readonly size: number;
  readonly modified: Date;
  /** Bytes `start` to `end`, both included; everything without them. */
  read(range?: { start: number; end: number }): Promise<Readable>;
}

export interface Storage {
  /** Fails when the path is taken: a stored file never changes. */
  write(path: string, bytes: Buffer, contentType: string): Promise<void>;
  find(path: string): Promise<StoredFile | undefined>;
  remove(path: string): Promise<void>;
}
