/**
 * Answers that were made for one request, in memory until their client has taken them. There is room for so much of
 * them; who needs more than is left gets it from those that have been taking theirs the longest.
 */
import type { ServerResponse } from 'node:http';

const MOST_BYTES = 32 * 1024 * 1024;

export type KeepRoom = (response: ServerResponse, bytes: number) => void;

export function createRoom(): KeepRoom {
  const made = new Map<ServerResponse, number>();
  let taken = 0;
  const give = (response: ServerResponse): void => {
    taken -= made.get(response) ?? 0;
    made.delete(response);
  };
  return (response, bytes) => {
    // Who has left takes none, and would never give it back.
    if (response.destroyed) return;
    for (const oldest of made.keys()) {
      if (taken + bytes <= MOST_BYTES) break;
      give(oldest);
      oldest.socket?.destroy();
    }
    made.set(response, bytes);
    taken += bytes;
    response.once('close', () => give(response));
  };
}
