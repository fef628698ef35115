/**
 * Answers that are there as a whole, in memory until their client has taken them. There is room for so much of them beside what
 * the cache may keep; who needs more than is left gets it from whoever takes the most, of his the one that he has been taking the
 * longest: nobody's slow line is cut for what another one leaves unread. What many take is there once; a piece of something larger,
 * as on a shelf of the cache, keeps all of that.
 */
import type { ServerResponse } from 'node:http';
import { networkOf } from '@sevenfold/chassis/networks';
import type { Exchange } from './exchange';

const MOST_BYTES = 32 * 1024 * 1024;
/** What is shorter is with the system at once. */
const LEAST_BYTES = 16 * 1024;

export type KeepRoom = (exchange: Pick<Exchange, 'response' | 'address'>, body: Buffer) => void;

interface Made {
  readonly bytes: ArrayBufferLike;
  readonly who: string;
}

/** `beside`: bytes that others keep anyway, and that are taken from there. */
export function createRoom(beside = 0): KeepRoom {
  const most = MOST_BYTES + beside;
  /** The one that began first stands first. */
  const made = new Map<ServerResponse, Made>();
  const takers = new Map<ArrayBufferLike, number>();
  /** What each takes, also where others take the same. */
  const held = new Map<string, number>();
  let taken = 0;
  const hold = (who: string, more: number): void => {
    const now = (held.get(who) ?? 0) + more;
    if (now > 0) held.set(who, now);
    else held.delete(who);
  };
  const give = (response: ServerResponse): void => {
    const one = made.get(response);
    if (!one) return;
    const { bytes, who } = one;
    made.delete(response);
    hold(who, -bytes.byteLength);
    const left = (takers.get(bytes) ?? 1) - 1;
    if (left > 0) return void takers.set(bytes, left);
    takers.delete(bytes);
    taken -= bytes.byteLength;
  };
  const oldestOfMost = (): ServerResponse | undefined => {
    const bytes = Math.max(...held.values());
    for (const [response, { who }] of made) if (held.get(who) === bytes) return response;
    return undefined;
  };
  return ({ response, address }, { buffer: bytes, length }) => {
    // Who has left takes none, and would never give it back.
    if (response.destroyed || length < LEAST_BYTES || made.has(response)) return;
    while (!takers.has(bytes) && taken + bytes.byteLength > most) {
      const next = oldestOfMost();
      if (!next) break;
      give(next);
      next.socket?.destroy();
    }
    if (!takers.has(bytes)) taken += bytes.byteLength;
    takers.set(bytes, (takers.get(bytes) ?? 0) + 1);
    const who = networkOf(address, 32, 64) ?? '';
    made.set(response, { bytes, who });
    hold(who, bytes.byteLength);
    response.once('close', () => give(response));
  };
}
