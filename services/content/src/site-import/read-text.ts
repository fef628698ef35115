/**
 * The text of an export as a stream of pieces, whatever the file is: packed or not, in the encoding that it declares.
 * Bytes that are no UTF-8 in a file that should be are read as Windows-1252, which such files nearly always are in part;
 * characters that no text may hold are left out. Both are counted. Pieces end anywhere.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { declaredEncoding, markedEncoding, openDecoder } from '@sevenfold/text/encodings';

const CHUNK = 1 << 16;
const HEAD = 1024;

/** What had to be mended. */
export interface Mended {
  foreignBytes: number;
  controls: number;
}

/** The packed file ends in its middle, or is damaged: nothing more can be read of it. */
export class CutShort extends Error {}

export async function* readText(file: string, mended: Mended): AsyncGenerator<string> {
  const decode = await decoderOf(file, mended);
  let held = '';
  for await (const bytes of readBytes(file)) {
    const text = held + decode(bytes, true);
    // A line end of two characters may fall apart between two pieces.
    held = text.endsWith('\r') ? '\r' : '';
    yield clean(held === '' ? text : text.slice(0, -1), mended);
  }
  yield clean(held + decode(Buffer.alloc(0), false), mended);
}

// All but tab and line end; lone halves of pairs cannot come out of a decoder.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g;

function clean(text: string, mended: Mended): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return lines.replace(CONTROLS, () => {
    mended.controls += 1;
    return '';
  });
}

async function* readBytes(file: string): AsyncGenerator<Buffer> {
  const head = await headOf(file);
  const source = createReadStream(file, { highWaterMark: CHUNK });
  if (!isPacked(head)) {
    for await (const chunk of source) yield chunk as Buffer;
    return;
  }
  const gunzip = createGunzip();
  // The loop below hears of every fault.
  pipeline(source, gunzip, () => undefined);
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('Z_')) throw error;
    throw new CutShort((error as Error).message, { cause: error });
  }
}

const isPacked = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b;

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The first bytes of what the file holds; a packed one that ends within them has what there is. */
async function firstOf(file: string): Promise<Buffer> {
  let first: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of readBytes(file)) {
      first = Buffer.concat([first, chunk]);
      if (first.length >= HEAD) break;
    }
  } catch (error) {
    if (!(error instanceof CutShort)) throw error;
  }
  return first.subarray(0, HEAD);
}

type Decode = (bytes: Buffer, more: boolean) => string;

async function decoderOf(file: string, mended: Mended): Promise<Decode> {
  const first = await firstOf(file);
  const name = encodingOf(first);
  if (name === 'utf-8') return utf8(mended);
  const decoder = openDecoder(name);
  if (!decoder) throw new Error(`${file} is in the encoding ${name}, which is not known here.`);
  return (bytes, stream) => decoder.decode(bytes, { stream });
}

function encodingOf(first: Buffer): string {
  const name = markedEncoding(first) ?? declaredEncoding(first.toString('latin1')) ?? 'utf-8';
  return name === 'utf8' || name === 'us-ascii' ? 'utf-8' : name;
}

const windows = new TextDecoder('windows-1252');
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function utf8(mended: Mended): Decode {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  return (bytes, more) => {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const end = more ? lastWhole(all) : all.length;
    rest = all.subarray(end);
    const text = decodeLeniently(all.subarray(0, end), mended);
    const shown = isFirst && text.startsWith('\ufeff') ? text.slice(1) : text;
    if (text !== '') isFirst = false;
    return shown;
  };
}

/** Where the last character that may be incomplete begins. */
function lastWhole(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return lengthOf(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

const lengthOf = (byte: number): number => (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1);

/** Of bytes that end with a character. */
export function decodeLeniently(bytes: Buffer, mended?: Mended): string {
  try {
    return strict.decode(bytes);
  } catch {
    return byCharacter(bytes, mended);
  }
}

/** Runs of what is right and of what is not, each by its own decoder. */
function byCharacter(bytes: Buffer, mended: Mended | undefined): string {
  const parts: string[] = [];
  let start = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = lengthOf(bytes[at] as number);
    if ((bytes[at] as number) < 0x80 || (length > 1 && isWhole(bytes.subarray(at, at + length), length))) {
      at += length;
      continue;
    }
    parts.push(bytes.toString('utf8', start, at), windows.decode(bytes.subarray(at, at + 1)));
    if (mended) mended.foreignBytes += 1;
    at += 1;
    start = at;
  }
  parts.push(bytes.toString('utf8', start));
  return parts.join('');
}

function isWhole(bytes: Buffer, length: number): boolean {
  if (bytes.length < length) return false;
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
