/**
 * How much text a PNG carries packed. Seven thousand bytes of it may be seven million, and the library unpacks it wherever it
 * opens the picture, before the first pixel, and keeps it several times over: a file of half a megabyte took gigabytes.
 */
import { createReadStream } from 'node:fs';
import { promisify } from 'node:util';
import { constants, inflateRaw } from 'node:zlib';

const unpack = promisify(inflateRaw);

const SIGNATURE = 8;
/** Of a chunk: its length and its type. */
const HEAD = 8;
const CHECKSUM = 4;
/** What a damaged text counts for: everybody unpacks it until it is found to be damaged. */
const DAMAGED = 1_000_000;

/** Bytes of all packed texts together; beyond `most` they are counted no further. */
export async function countPackedText(file: string, most: number): Promise<number> {
  let total = 0;
  /** So many bytes are nothing to look at. */
  let skip = SIGNATURE;
  /** What is gathered until there is enough of it: the head of a chunk, or its text. */
  let pieces: Buffer[] = [];
  let missing = HEAD;
  let type = '';
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let at = 0;
    while (at < chunk.length) {
      const step = Math.min(skip || missing, chunk.length - at);
      const piece = chunk.subarray(at, at + step);
      at += step;
      if (skip > 0) {
        skip -= step;
        continue;
      }
      pieces.push(piece);
      missing -= step;
      if (missing > 0) continue;
      const whole = Buffer.concat(pieces);
      pieces = [];
      missing = HEAD;
      if (type) {
        total += await sizeOfText(packedIn(type, whole), most - total);
        if (total > most) return total;
        type = '';
        skip = CHECKSUM;
        continue;
      }
      const length = whole.readUInt32BE(0);
      const name = whole.toString('latin1', 4);
      if (length === 0 || (name !== 'zTXt' && name !== 'iTXt')) {
        skip = length + CHECKSUM;
        continue;
      }
      // It is not even gathered.
      if (length > most) return length;
      type = name;
      missing = length;
    }
  }
  return total;
}

/** What of a text is packed: `iTXt` says whether it is, and has two more names before it. */
function packedIn(type: string, text: Buffer): Buffer {
  const name = text.indexOf(0);
  if (name < 0) return NOTHING;
  if (type === 'zTXt') return text.subarray(name + 2);
  if (text[name + 1] !== 1) return NOTHING;
  const language = text.indexOf(0, name + 3);
  const translated = language < 0 ? -1 : text.indexOf(0, language + 1);
  return translated < 0 ? NOTHING : text.subarray(translated + 1);
}

const NOTHING = Buffer.alloc(0);
/** What zlib writes before its bytes; what it writes after them, a sum, is not asked for. */
const ZLIB_HEAD = 2;

async function sizeOfText(packed: Buffer, most: number): Promise<number> {
  if (packed.length <= ZLIB_HEAD) return packed.length;
  try {
    const text = await unpack(packed.subarray(ZLIB_HEAD), {
      maxOutputLength: Math.max(1, most),
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    return text.length;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? most + 1 : DAMAGED;
  }
}
