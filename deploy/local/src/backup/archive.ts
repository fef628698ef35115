/**
 * The file of a backup: a gzipped tar, encrypted where there is a passphrase. Its last entry holds the number of the others
 * and a digest of all of them, so a file that is cut or changed is told from a whole one. Whatever its size, neither
 * writing nor reading holds more than one piece of it.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type Header, type Pack, extract, pack } from 'tar-stream';
import { writeBeside } from '../half-files';
import { cannotWrite } from '../secrets';
import { DamagedBackup, SEALED, sealing, unsealing } from './seal';

/** A higher level saves a tenth of the space for thrice the time. */
const GZIP = { level: 3 };
const END = 'end.json';
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
/** Of entries that are read at once: descriptions and secrets. */
const LONGEST_AT_ONCE = 64 * 1024 * 1024;

export interface KeptFile {
  /** Where its bytes are. */
  readonly file: string;
  readonly size: number;
  readonly modifiedMs: number;
}

export interface ArchiveWriter {
  /** An object is written as JSON. */
  readonly add: (name: string, content: object) => Promise<void>;
  readonly addFile: (name: string, kept: KeptFile) => Promise<void>;
}

export interface ArchiveEntry {
  readonly name: string;
  readonly size: number;
  readonly modifiedMs: number;
  /** Must be read to its end, as what `json` does. */
  readonly stream: Readable;
  json(): Promise<unknown>;
}

/** Counts entries and digests them, names and all, in their order. */
function tally(): { hash: Hash; begin(name: string, size: number): void; end(): object } {
  const hash = createHash('sha256');
  let entries = 0;
  return {
    hash,
    begin: (name, size) => {
      entries += 1;
      hash.update(`${name}\n${size}\n`);
    },
    end: () => ({ entries, sha256: hash.digest('hex') }),
  };
}

/** Writes the file beside its place and puts it there when it is whole. Throws what `work` throws, and leaves nothing then. */
export async function writeArchive(
  file: string,
  passphrase: string | undefined,
  work: (writer: ArchiveWriter) => Promise<void>,
): Promise<void> {
  await writeBeside(file, (half) => writeHalf(half, file, passphrase, work));
}

async function writeHalf(
  half: string,
  file: string,
  passphrase: string | undefined,
  work: (writer: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const tar = pack();
  const out = createWriteStream(half, { flags: 'wx', mode: 0o600, flush: true });
  const written = pipeline([
    Readable.from(tar),
    createGzip(GZIP),
    ...(passphrase === undefined ? [] : [sealing(passphrase)]),
    out,
  ]);
  // It is waited for at the end; until then its fault reaches whoever writes.
  written.catch(() => undefined);
  const sum = tally();
  const put = async (name: string, bytes: Buffer): Promise<void> => {
    const added = new Promise<void>((resolve, reject) => {
      quiet(tar.entry({ name, mode: 0o600 }, bytes, (error) => (error ? reject(error) : resolve())));
    });
    await Promise.race([added, written]);
  };
  const add = async (name: string, content: object): Promise<void> => {
    const bytes = bytesOf(content);
    sum.begin(name, bytes.length);
    sum.hash.update(bytes);
    await put(name, bytes);
  };
  const addFile = async (name: string, { file: source, size, modifiedMs }: KeptFile): Promise<void> => {
    sum.begin(name, size);
    // Seconds have fractions in this header alone, and the ETag of a file is made of its milliseconds.
    const pax = { mtime: (modifiedMs / 1000).toFixed(3) };
    const header = { name, size, mode: 0o600, mtime: new Date(modifiedMs), pax };
    const copied = new Promise<void>((resolve, reject) => {
      const sink = quiet(tar.entry(header, (error) => (error ? reject(error) : resolve())));
      pour(summed(sum.hash)(createReadStream(source)), sink).catch(reject);
    });
    await Promise.race([copied, written]);
  };
  try {
    await work({ add, addFile });
    await put(END, bytesOf(sum.end()));
    tar.finalize();
    await written;
    await putThere(half, file);
  } catch (error) {
    // Where the file cannot be written, the tar is closed, and whoever writes hears of that.
    const fault = out.errored ? cannotWrite(file, out.errored) : error;
    tar.destroy();
    await written.catch(() => undefined);
    throw fault;
  }
}

/** Another backup to the same name may have ended meanwhile: a link never replaces. */
async function putThere(half: string, file: string): Promise<void> {
  try {
    await link(half, file);
  } catch {
    if (existsSync(file)) throw takenName(file);
    // There are file systems without links, such as those of memory sticks.
    return rename(half, file);
  }
  await rm(half, { force: true });
}

export const takenName = (file: string): Error => new Error(`There is a file ${file} already.`);

/** An entry that is open when the file cannot be written any longer says so once more, and would end the process. */
function quiet<S extends ReturnType<Pack['entry']>>(sink: S): S {
  sink.on('error', () => undefined);
  return sink;
}

const bytesOf = (content: object): Buffer =>
  Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content, null, 1));

interface Sink {
  write(chunk: Buffer): boolean;
  end(last: undefined): unknown;
  readonly destroyed: boolean;
  on(event: 'drain' | 'close', listener: () => void): unknown;
}

/** The tar library has streams of its own kind, which the pipelines of Node do not take. */
async function pour(chunks: AsyncIterable<Buffer>, sink: Sink): Promise<void> {
  let wake = (): void => undefined;
  sink.on('drain', () => wake());
  sink.on('close', () => wake());
  for await (const chunk of chunks) {
    if (!sink.write(chunk) && !sink.destroyed) await new Promise<void>((resolve) => (wake = resolve));
    if (sink.destroyed) return;
  }
  sink.end(undefined);
}

const summed = (hash: Hash) =>
  async function* read(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };

/**
 * Hands each entry to `visit`, in their order. Throws DamagedBackup where the file is none, is cut or changed, or where the
 * passphrase does not open it; by then `visit` has seen what stood before that.
 */
export async function readArchive(
  file: string,
  passphrase: string | undefined,
  visit: (entry: ArchiveEntry) => Promise<void>,
): Promise<void> {
  const isSealed = await looksSealed(file);
  if (isSealed && passphrase === undefined)
    throw new DamagedBackup(`${file} is encrypted: it needs its passphrase.`);
  const tar = extract();
  const sum = tally();
  const arriving = pipeline(
    createReadStream(file),
    isSealed ? unsealing(passphrase as string) : new PassThrough(),
    createGunzip(),
    (chunks: AsyncIterable<Buffer>) => pour(chunks, tar),
  );
  // A fault of the file ends the loop below, which may be waiting for more of it.
  let fault: Error | undefined;
  arriving.catch((error: Error) => {
    fault = error;
    tar.destroy(error);
  });
  let end: unknown;
  let visiting = false;
  try {
    for await (const entry of tar) {
      const { header } = entry;
      const content = entry as AsyncIterable<Buffer>;
      if (end !== undefined) throw new DamagedBackup('There is more after its end.');
      if (header.name === END) {
        end = sum.end();
        if (JSON.stringify(await jsonOf(content)) !== JSON.stringify(end))
          throw new DamagedBackup('Its digest is another one.');
        continue;
      }
      sum.begin(header.name, header.size);
      const stream = Readable.from(summed(sum.hash)(content), { objectMode: false });
      visiting = true;
      await visit({
        name: header.name,
        size: header.size,
        modifiedMs: modifiedOf(header),
        stream,
        json: () => jsonOf(stream),
      });
      visiting = false;
    }
    await arriving;
    if (end === undefined) throw new DamagedBackup('Its end is missing.');
  } catch (error) {
    tar.destroy();
    if (visiting && fault === undefined) throw error;
    const reason = fault instanceof DamagedBackup ? fault : (error as Error);
    throw new DamagedBackup(`${file} cannot be restored from: ${reason.message}`, { cause: error });
  }
}

async function looksSealed(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const head = Buffer.alloc(SEALED.length);
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    if (bytesRead === head.length && head.equals(SEALED)) return true;
    if (head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return false;
  } finally {
    await handle.close();
  }
  throw new DamagedBackup(`${file} is no backup.`);
}

function modifiedOf({ pax, mtime }: Header): number {
  const seconds = Number((pax as { mtime?: string } | undefined)?.mtime);
  return Number.isFinite(seconds) ? Math.round(seconds * 1000) : mtime.getTime();
}

async function jsonOf(stream: AsyncIterable<Buffer>): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > LONGEST_AT_ONCE) throw new DamagedBackup('A description in it is too long.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } catch {
    throw new DamagedBackup('A description in it cannot be read.');
  }
}
