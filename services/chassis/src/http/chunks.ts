/**
 * Bodies of unknown length come in chunks as small as their sender likes, and each costs as much as a large one: a megabyte of
 * single bytes would cost everybody some seconds.
 */
import type { IncomingMessage } from 'node:http';
import { type ApiError, apiError } from '../errors';

/** So many small chunks are taken of anybody; what comes in more has to fill them so far on the average. */
const MOST_CHUNKS = 4_096;
const BYTES_PER_CHUNK = 64;

/** Takes the size of each piece of the body in turn, and answers whether they are too many by now: chunks alone ever are. */
export function countChunks(request: IncomingMessage): (bytes: number) => boolean {
  if (!isChunked(request)) return () => false;
  let chunks = 0;
  let size = 0;
  return (bytes) => {
    chunks += 1;
    size += bytes;
    return chunks > MOST_CHUNKS + size / BYTES_PER_CHUNK;
  };
}

/** Whether the body comes in chunks. The pieces of one that says its length are those of the network. */
export const isChunked = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined;

export const tooManyChunks = (): ApiError =>
  apiError(
    'payload_too_large',
    413,
    `The body comes in too many small chunks: let them have ${BYTES_PER_CHUNK} bytes and more each.`,
  );
