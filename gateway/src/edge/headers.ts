/**
 * Headers on their way in and out. What concerns one connection only stays on it; what services say among
 * themselves (`x-sevenfold-*`) neither comes from a client nor reaches one; a credential goes no further than here.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { ACTOR_HEADER } from '@sevenfold/chassis/actor';
import { ADDRESS_HEADER } from '@sevenfold/chassis/http/client-address';
import { isFile, publicHeaders, varyOf } from './cors';
import { EVERYWHERE, UNLISTED } from './public-headers';
import { type Exchange, isReading } from './exchange';

const INTERNAL = 'x-sevenfold-';
/** Which trace a request is part of is for us to say (relay/leg.ts). */
const TRACE: ReadonlySet<string> = new Set(['traceparent', 'tracestate']);

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Of a request, what nobody but us may say to those who answer it. */
export const isOurs = (name: string): boolean => name.startsWith(INTERNAL) || TRACE.has(name);

// `Expect` is added anew where the body is passed on, and the services are told who is calling instead of how that was
// proved.
const NOT_FORWARDED: ReadonlySet<string> = new Set(['authorization', 'expect', 'host', 'http2-settings']);

/** What a service gets. Bodies of unknown length keep `Transfer-Encoding`, without which they would have no end. */
export function requestHeaders(exchange: Exchange, trustProxy: boolean): Record<string, string | string[]> {
  const { request } = exchange;
  const given = request.headers;
  const named = namedByConnection(given.connection);
  const headers: Record<string, string | string[]> = {};
  for (const name in given) {
    if (HOP_BY_HOP.has(name) || NOT_FORWARDED.has(name) || isOurs(name) || named?.has(name)) continue;
    headers[name] = given[name] as string | string[];
  }
  if (given['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  delete headers.forwarded;
  Object.assign(headers, plainHeaders(exchange, trustProxy));
  if (exchange.caller) headers[ACTOR_HEADER] = exchange.caller.header;
  return headers;
}

/** What a service is told of a read whose answer others get, too: nothing that the client chose. */
export function plainHeaders(
  { request, id, address, signedAddress }: Exchange,
  trustProxy: boolean,
): Record<string, string> {
  const given = request.headers;
  const encrypted = 'encrypted' in request.socket;
  const forwarded = (name: string): string | undefined =>
    trustProxy ? given[`x-forwarded-${name}`]?.toString() : undefined;
  return {
    'x-request-id': id,
    // One address, and that one proven: services need not know how many proxies stand in front of them.
    'x-forwarded-for': address,
    'x-forwarded-proto': forwarded('proto') || (encrypted ? 'https' : 'http'),
    'x-forwarded-host': forwarded('host') || (given.host ?? ''),
    [ADDRESS_HEADER]: signedAddress,
  };
}

/** What is kept of a service's answer, for whoever gets it. */
export function keptHeaders(given: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name in given) {
    if (HOP_BY_HOP.has(name) || OURS.test(name) || name.startsWith(INTERNAL)) continue;
    // Of the body as it is sent, the sender says the length.
    if (name !== 'content-length' && name !== 'date') kept[properName(name)] = String(given[name]);
  }
  return kept;
}

// Decided here, so a service's own word on them is dropped.
const OURS = /^(?:access-control-|x-content-type-options$|x-robots-tag$|x-request-id$|vary$)/;

/** What a client gets of a service's answer, as the flat list that `writeHead` takes. */
export function answerHeaders(exchange: Exchange, given: IncomingHttpHeaders): string[] {
  const named = namedByConnection(given.connection);
  const list: string[] = [];
  for (const name in given) {
    if (HOP_BY_HOP.has(name) || OURS.test(name) || name.startsWith(INTERNAL) || named?.has(name)) continue;
    const value = given[name];
    if (Array.isArray(value)) for (const one of value) list.push(properName(name), one);
    else if (value !== undefined) list.push(properName(name), value);
  }
  list.push(...cachingOf(exchange, given['cache-control']));
  const file = isFile(exchange, given['content-type']);
  list.push(...publicHeaders(exchange, file, given['cache-control']));
  const vary = varyOf(exchange, file, given.vary);
  if (vary !== '') list.push('Vary', vary);
  return list;
}

const NO_CACHE = 'no-cache, must-revalidate, max-age=0';
/** For caches that know no other header. */
const EXPIRED = ['Expires', 'Wed, 11 Jan 1984 05:00:00 GMT'];
const PRIVATE: readonly string[] = ['Cache-Control', NO_CACHE, ...EXPIRED];
const ASKED_ANEW: readonly string[] = ['Cache-Control', 'no-cache'];

/**
 * What is said to caches beside what the answer says itself. Answers that a credential opened are nobody else's. What nobody keeps
 * here no purge can reach elsewhere: caches on the way have times of their own for what says nothing.
 */
export function cachingOf({ caller, request }: Exchange, own: string | undefined): readonly string[] {
  if (own !== undefined) return caller && own === NO_CACHE ? EXPIRED : [];
  if (caller) return PRIVATE;
  return isReading(request.method) ? ASKED_ANEW : [];
}

/** What its answers have beside their own, as the flat list that `writeHead` takes: scripts of other sites have no business with them. */
export const consoleHeaders = (exchange: Exchange): readonly string[] => [
  ...cachingOf(exchange, undefined),
  ...EVERYWHERE,
  ...UNLISTED,
];

/** What says where a request ends and whom it is for is not a client's to take away: the rest of a body would be a request. */
const NEVER_DROPPED: ReadonlySet<string> = new Set([
  'content-length',
  'content-type',
  'host',
  'close',
  'keep-alive',
]);

/** Connection may name further headers that end with it. */
function namedByConnection(value: string | undefined): ReadonlySet<string> | undefined {
  if (value === undefined || value === 'keep-alive' || value === 'close') return undefined;
  const names = value
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return new Set(names.filter((name) => !NEVER_DROPPED.has(name)));
}

const proper = new Map<string, string>();

/** `x-total-pages` to `X-Total-Pages`: people read headers, and some scripts compare them by letter. */
function properName(name: string): string {
  let known = proper.get(name);
  if (known === undefined) {
    known = name.replace(/(^|-)[a-z]/g, (part) => part.toUpperCase());
    if (proper.size < 200) proper.set(name, known);
  }
  return known;
}
