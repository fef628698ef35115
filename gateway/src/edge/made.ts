/**
 * Answers that are there as a whole, in memory until their client has taken them. There is room for so much of them beside what
 * the cache may keep; who needs more than is left gets it from whoever takes the most, of his the one that he has been taking the
 * longest: nobody's slow line is cut for what another one leaves unread. What many take is there once; a piece of something larger,
 * as on a shelf of the cache, keeps all of that.
 */
import type { ServerResponse } from 'node:http';
import { subscriberOf } from '@sevenfold/chassis/networks';
import { openTally } from '@sevenfold/chassis/tally';
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
  const takers = openTally<ArrayBufferLike>();
  /** What each takes, also where others take the same. */
  const held = openTally<string>();
  let taken = 0;
  const give = (response: ServerResponse): void => {
    const one = made.get(response);
    if (!one) return;
    const { bytes, who } = one;
    made.delete(response);
    held.add(who, -bytes.byteLength);
    if (takers.add(bytes, -1) <= 0) taken -= bytes.byteLength;
  };
  const oldestOfMost = (): ServerResponse | undefined => {
    const bytes = Math.max(...Array.from(held.all(), ([, its]) => its));
    for (const [response, { who }] of made) if (held.of(who) === bytes) return response;
    return undefined;
  };
  return ({ response, address }, { buffer: bytes, length }) => {
    // Who has left takes none, and would never give it back.
    if (response.destroyed || length < LEAST_BYTES || made.has(response)) return;
    while (takers.of(bytes) === 0 && taken + bytes.byteLength > most) {
      const next = oldestOfMost();
      if (!next) break;
      give(next);
      next.socket?.destroy();
    }
    if (takers.add(bytes) === 1) taken += bytes.byteLength;
    const who = subscriberOf(address) ?? '';
    made.set(response, { bytes, who });
    held.add(who, bytes.byteLength);
    response.once('close', () => give(response));
  };
}
