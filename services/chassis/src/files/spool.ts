/**
 * Incoming files on their way to a store: spooled to a temporary folder, counted and hashed as they come, so that a
 * large upload never sits in memory. Whoever opens a spool closes it, whatever happens.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { payloadTooLarge } from '../errors';
import { HEAD_BYTES } from './file-types';

export interface SpooledFile {
  readonly file: string;
  readonly size: number;
  /** Hexadecimal. */
  readonly md5: string;
}

/** The disk that a file was spooled to failed, and not whoever sent it: what it was, under its own code. */
export class SpoolFault extends Error {
  readonly code: string | undefined;

  constructor(cause: Error) {
    super(`a file could not be spooled: ${cause.message}`, { cause });
    this.code = (cause as NodeJS.ErrnoException).code;
  }
}

const PREFIX = 'sevenfold-upload-';
/** Well beyond what any file may take to come. */
const FORGOTTEN_MS = 60 * 60_000;

/** Folders of processes that were killed: they outlive a container that starts again, and its disk is small. */
export async function removeForgotten(): Promise<void> {
  const before = Date.now() - FORGOTTEN_MS;
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = path.join(tmpdir(), name);
    const found = await stat(folder).catch(() => undefined);
    if (found && found.mtimeMs < before) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * When a process takes a file, and again after a while: what the one before it left is not old yet when it takes its first one. What
 * cannot be removed stands in nobody's way.
 */
let lookAt = 0;
function lookForForgotten(): void {
  if (performance.now() < lookAt) return;
  lookAt = performance.now() + FORGOTTEN_MS;
  void removeForgotten().catch(() => undefined);
}

/** Runs `work` with a folder of its own, which is gone afterwards. */
export async function withSpool<T>(work: (folder: string) => Promise<T>): Promise<T> {
  lookForForgotten();
  const folder = await mkdtemp(path.join(tmpdir(), PREFIX));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Writes a stream to a file of the folder, named `name`; 413 as soon as there are more than `limit` bytes, of a request with the rest
 * left unread. Throws SpoolFault where the disk fails.
 */
export async function spool(
  source: Readable,
  folder: string,
  limit: number,
  name = 'upload',
): Promise<SpooledFile> {
  const file = path.join(folder, name);
  const hash = createHash('md5');
  let size = 0;
  // It may fail before it is read, such as a file that cannot be opened: who reads it then hears of that.
  source.on('error', () => undefined);
  const handle = await onDisk(open(file, 'w'));
  try {
    // A request that is destroyed takes its connection with it, on which the answer is to go.
    const destroyOnReturn = !(source instanceof IncomingMessage);
    for await (const chunk of source.iterator({ destroyOnReturn }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw payloadTooLarge(limit);
      hash.update(chunk);
      await onDisk(handle.writeFile(chunk));
    }
  } finally {
    await onDisk(handle.close());
  }
  return { file, size, md5: hash.digest('hex') };
}

const onDisk = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: Error) => {
    throw new SpoolFault(error);
  });

export async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
