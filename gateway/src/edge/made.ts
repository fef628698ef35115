/**
 * Answers that are there as a whole, in memory until their client has taken them. There is room for so much of them beside what
 * the cache may keep; who needs more than is left gets it from those that have been taking theirs the longest. What many take is
 * there once; a piece of something larger, as on a shelf of the cache, keeps all of that.
 */
import type { ServerResponse } from 'node:http';

const MOST_BYTES = 32 * 1024 * 1024;
/** What is shorter is with the system at once. */
const LEAST_BYTES = 16 * 1024;

export type KeepRoom = (response: ServerResponse, body: Buffer) => void;

/** `beside`: bytes that others keep anyway, and that are taken from there. */
export function createRoom(beside = 0): KeepRoom {
  const most = MOST_BYTES + beside;
  const made = new Map<ServerResponse, ArrayBufferLike>();
  const takers = new Map<ArrayBufferLike, number>();
  let taken = 0;
  const give = (response: ServerResponse): void => {
    const bytes = made.get(response);
    if (!bytes) return;
    made.delete(response);
    const left = (takers.get(bytes) ?? 1) - 1;
    if (left > 0) return void takers.set(bytes, left);
    takers.delete(bytes);
    taken -= bytes.byteLength;
  };
  return (response, { buffer: bytes, length }) => {
    // Who has left takes none, and would never give it back.
    if (response.destroyed || length < LEAST_BYTES || made.has(response)) return;
    for (const oldest of made.keys()) {
      if (takers.has(bytes) || taken + bytes.byteLength <= most) break;
      give(oldest);
      oldest.socket?.destroy();
    }
    if (!takers.has(bytes)) taken += bytes.byteLength;
    takers.set(bytes, (takers.get(bytes) ?? 0) + 1);
    made.set(response, bytes);
    response.once('close', () => give(response));
  };
}
