/** Answers of others that come packed, unpacked as they are read. */
import { type Readable, type Transform, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';

/** What is thrown for a body that is packed in a way that is not known here. */
export class UnknownPacking extends Error {
  constructor() {
    super('packed in a way that is not known');
    this.name = 'UnknownPacking';
  }
}

const unpackers: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Servers say of packed files, too, that they are packed: those are meant as they are. */
const PACKED_FILE = /\.t?gz$/i;

/**
 * A body as it is meant, unpacked as it comes: stores and caches hand out packed what they hold packed, whatever was asked for.
 * How much it becomes is for its reader to bound; `counted` is told what comes before it is unpacked.
 */
export function unpacked(
  url: URL,
  { headers, body }: Pick<Dispatcher.ResponseData, 'headers'> & { readonly body: Readable },
  counted?: (chunk: Buffer) => void,
): Readable {
  const packed = String(headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase();
  if (packed === '' || packed === 'identity' || PACKED_FILE.test(url.pathname)) return body;
  const unpacker = unpackers.get(packed);
  if (!unpacker) throw new UnknownPacking();
  const through = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      counted?.(chunk);
      yield chunk;
    }
  };
  // Whoever reads hears of what goes wrong.
  return pipeline(body, through, unpacker(), () => undefined);
}

/** Whether it was thrown for what is packed, and is not what its header says. */
export const isBadlyPacked = (error: unknown): boolean =>
  /^(?:Z_|ERR__ERROR_)/.test(String((error as { code?: string }).code));
