/**
 * Where a client is, as the gateway saw it: limits and records go by it, so a service believes only what is signed.
 * Whoever reaches its port in another way is where its connection comes from, whatever its headers say.
 */
import type { IncomingMessage } from 'node:http';
import { openLru } from '../lru';
import { readStatement, signStatement } from '../statement';

/** Clients may not send it: the gateway strips it. */
export const ADDRESS_HEADER = 'x-sevenfold-client';

const LIFETIME_MS = 60_000;
/** The same address comes again and again: its statement is made, and checked, once in a while. */
const REMEMBER_MS = 20_000;
const MOST_REMEMBERED = 1_000;

/** Answers the value of the header. */
export const addressSigner = (secret: string): ((address: string) => string) =>
  remembering((address, now) => signStatement('address', { address }, secret, now + LIFETIME_MS));

export function addressReader(secret: string): (request: IncomingMessage) => string {
  const read = remembering((value, now) => {
    const address = readStatement('address', value, secret, now)?.address;
    return typeof address === 'string' ? address : '';
  });
  return (request) => {
    const value = request.headers[ADDRESS_HEADER];
    return (typeof value === 'string' && read(value)) || (request.socket.remoteAddress ?? '');
  };
}

function remembering(work: (key: string, now: number) => string): (key: string) => string {
  const known = openLru<string, { readonly value: string; readonly until: number }>({
    most: MOST_REMEMBERED,
  });
  return (key) => {
    const now = Date.now();
    const hit = known.get(key);
    if (hit && hit.until > now) return hit.value;
    const value = work(key, now);
    known.set(key, { value, until: now + REMEMBER_MS });
    return value;
  };
}
