/**
 * Fetches a file from an address that somebody else chose, without letting him reach into our own network: names are
 * resolved here and every address behind them must be a public one, at each redirect again. Time and size are bounded.
 */
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { type LookupFunction, isIP } from 'node:net';
import type { Readable } from 'node:stream';
import ipaddr from 'ipaddr.js';
import { Agent, type Dispatcher, request } from 'undici';
import { ApiError } from '@sevenfold/chassis/errors';
import { type SpooledFile, spool } from './spool';
import { apiError } from '../errors';

export interface FetchOptions {
  /** For sites whose sources live in their own network, and for tests. */
  readonly allowPrivate: boolean;
  readonly timeoutMs?: number;
  readonly limitBytes?: number;
  readonly signal?: AbortSignal;
  /** Which addresses are public, and how names become addresses: tests have only those of one machine. */
  readonly isPublic?: Judge;
  readonly resolve?: typeof lookup;
}

type Judge = (address: string) => boolean;

const TIMEOUT_MS = 10_000;
const LIMIT_BYTES = 20 * 1024 * 1024;
const MOST_REDIRECTS = 5;

const refused = (message: string): ApiError => apiError('rest_source_refused', 400, message);
const failed = (message: string, cause?: unknown): ApiError =>
  apiError('rest_source_unreachable', 400, message, { cause });

/** Downloads to a file of the folder. Every fault is a 4xx: the address is the client's. */
export async function fetchPublic(url: string, folder: string, options: FetchOptions): Promise<SpooledFile> {
  const limit = options.limitBytes ?? LIMIT_BYTES;
  const timeout = options.timeoutMs ?? TIMEOUT_MS;
  const signals = [AbortSignal.timeout(timeout), ...(options.signal ? [options.signal] : [])];
  const signal = AbortSignal.any(signals);
  const judge = options.allowPrivate ? undefined : (options.isPublic ?? isPublicAddress);
  const agent = new Agent({
    connect: { timeout, lookup: judge && lookupPublic(judge, options.resolve ?? lookup) },
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: limit + 1,
  });
  try {
    const body = await follow(parse(url), agent, signal, judge, limit);
    return await spool(body, folder, limit);
  } catch (error) {
    if (error instanceof ApiError) throw error.status === 413 ? tooLarge(limit) : error;
    if ((error as { code?: string }).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') throw tooLarge(limit);
    if (signal.aborted) throw failed(`The source did not answer within ${timeout / 1000} seconds.`, error);
    throw failed('The source cannot be reached.', error);
  } finally {
    // Also ends what was not read of an answer.
    await agent.destroy();
  }
}

const tooLarge = (limit: number): ApiError =>
  apiError('rest_source_too_large', 413, `The source is larger than ${limit} bytes.`, {
    data: { limit },
  });

async function follow(
  start: URL,
  agent: Agent,
  signal: AbortSignal,
  judge: Judge | undefined,
  limit: number,
): Promise<Readable> {
  let url = start;
  for (let hops = 0; ; hops++) {
    if (judge) requirePublicLiteral(url, judge);
    const answer: Dispatcher.ResponseData = await request(url, {
      dispatcher: agent,
      signal,
      headers: { accept: 'image/*', 'user-agent': 'Sevenfold media import' },
    });
    const location = answer.headers.location;
    if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string') {
      if (hops === MOST_REDIRECTS) throw failed(`The source redirects more than ${MOST_REDIRECTS} times.`);
      url = parse(location, url);
      continue;
    }
    if (answer.statusCode !== 200) throw failed(`The source answered with status ${answer.statusCode}.`);
    if (Number(answer.headers['content-length']) > limit) throw tooLarge(limit);
    return answer.body;
  }
}

function parse(text: string, base?: URL): URL {
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    throw refused('The address of the source is no URL.');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused('The address of the source must begin with http:// or https://.');
  if (url.username !== '' || url.password !== '')
    throw refused('The address of the source must not hold a user name or password.');
  return url;
}

/** A literal address is never looked up, so it is judged before the connection. */
function requirePublicLiteral(url: URL, isPublic: Judge): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublic(host)) throw notPublic();
}

const notPublic = (): ApiError => refused('The source is not at a public address.');

/** Whether an address belongs to the open internet: no loopback, private, link-local or other special range. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  // Only 2000::/3 is given out; the rest is reserved or of the past.
  return address.kind() === 'ipv4' || ((address as ipaddr.IPv6).parts[0] as number) >> 13 === 1;
}

/** Resolves like the system does, and refuses the name when any of its addresses is not public. */
const lookupPublic =
  (isPublic: Judge, resolve: typeof lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true } as LookupAllOptions, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '', 0);
      const [first] = addresses;
      if (!first || !addresses.every((entry) => isPublic(entry.address)))
        return callback(notPublic() as NodeJS.ErrnoException, '', 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
