/**
 * What pages of other sites may do, and the headers that say so. Any origin may read what strangers may read; with
 * credentials that a browser remembers only those that are listed. Browsers ask before a page sends what no form could;
 * what a form could send, with such credentials, is refused.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { bearerOf } from '../identity/bearer';
import { errors } from './errors';
import { type Exchange, isReading } from './exchange';
import { ON_FILES, corsHeaders } from './public-headers';

const ON_JSON = corsHeaders([], []);

const PREFLIGHT_SECONDS = '600';

/** Files are found by search engines as the pages are that show them; an error in place of one is not. */
export const isFile = (exchange: Exchange, type: string | undefined): boolean =>
  exchange.path.startsWith('/uploads/') && type?.startsWith('application/json') !== true;

/** A cache on the way may hand it to others without asking. */
const isForOthers = (control: string | undefined): boolean =>
  control !== undefined && /\bpublic\b|\bs-maxage=[1-9]/i.test(control);

/** As the flat list that `writeHead` takes; `control` is what the answer says to caches. */
export function publicHeaders(exchange: Exchange, file: boolean, control: string | undefined): string[] {
  const list = ['X-Request-Id', exchange.id];
  // What is left for one client is nobody else's.
  if (exchange.limits && !isForOthers(control)) list.push(...exchange.limits);
  if (file) return [...list, ...ON_FILES];
  list.push(...(exchange.profile?.cors ?? ON_JSON));
  const { origin } = exchange.request.headers;
  if (origin !== undefined) {
    list.push('Access-Control-Allow-Origin', origin);
    list.push('Access-Control-Allow-Methods', 'OPTIONS, GET, POST, PUT, PATCH, DELETE');
    if (exchange.originListed) list.push('Access-Control-Allow-Credentials', 'true');
    if (exchange.method === 'OPTIONS') list.push('Access-Control-Max-Age', PREFLIGHT_SECONDS);
  }
  return list;
}

/** What browsers ask by themselves, and never with a credential. */
export const isPreflight = ({ request }: Exchange): boolean =>
  request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;

/** The console's own. Others, of whatever else lives on the host, open nothing here and say nothing of who asks. */
const SESSION_COOKIE = /(?:^|;)\s*(?:__Host-|__Secure-)?sevenfold_session=/;

/** Of a POST alone: browsers ask before they send any other method that writes. */
export function refuseCrossSite(exchange: Exchange): void {
  const { method, headers } = exchange.request;
  if (method !== 'POST' || headers['sec-fetch-site'] !== 'cross-site' || exchange.originListed) return;
  const remembered = headers.authorization !== undefined || SESSION_COOKIE.test(headers.cookie ?? '');
  if (remembered && !wasAskedFor(headers, exchange.profile?.ofScripts)) throw errors.crossSite();
}

const TYPES_OF_FORMS = /^(?:|application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)$/;
const HEADERS_OF_SCRIPTS = [
  'content-disposition',
  'content-md5',
  'idempotency-key',
  'x-http-method-override',
  'x-requested-with',
];

/**
 * Whether the request itself proves a preflight. Authorization does only with a token: a password comes from a script, which
 * must ask, and from the browser's memory, which does not; tokens no browser remembers.
 */
function wasAskedFor(headers: IncomingHttpHeaders, ofScripts: readonly string[] = []): boolean {
  if (bearerOf(headers.authorization) !== undefined) return true;
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return (
    !TYPES_OF_FORMS.test(type) ||
    [...HEADERS_OF_SCRIPTS, ...ofScripts].some((name) => headers[name] !== undefined)
  );
}

/** Shared caches must keep answers to different origins apart; what a service adds stays. */
export function varyOf(exchange: Exchange, file: boolean, given?: string | string[]): string {
  const { method, headers } = exchange.request;
  const read = isReading(method);
  const origin = !file && (headers.origin !== undefined || (read && !exchange.caller));
  if (given === undefined) return origin ? 'Origin' : '';
  // Of the gateway's own answers, which are most.
  if (given === 'Accept-Encoding') return origin ? 'Accept-Encoding, Origin' : given;
  const names = String(given)
    .split(',')
    .map((name) => name.trim());
  if (origin && !names.some((name) => /^origin$/i.test(name))) names.push('Origin');
  return names.join(', ');
}
