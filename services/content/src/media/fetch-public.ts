/**
 * Fetches a file from an address that somebody else chose, at each redirect from a public one only (chassis/outgoing).
 * Time and size are bounded.
 */
import type { Readable } from 'node:stream';
import { ApiError, isShortage } from '@sevenfold/chassis/errors';
import { SpoolFault, type SpooledFile, spool } from '@sevenfold/chassis/files/spool';
import {
  NotPublic,
  type Outgoing,
  type PublicAgent,
  openPublicAgent,
  retryAfterMs,
} from '@sevenfold/chassis/outgoing';
import { limited } from '@sevenfold/chassis/time-limit';
import { UnknownPacking, isBadlyPacked, unpacked } from '@sevenfold/chassis/unpacked';
import { apiError } from '../errors';

export interface FetchOptions extends Partial<Outgoing> {
  readonly allowPrivate: boolean;
  /** What is asked for; pictures unless something else is said. */
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 10_000;
export const LIMIT_BYTES = 20 * 1024 * 1024;
const MOST_REDIRECTS = 5;
/** Of a source that has enough and does not say for how long. */
const USUAL_REST_SECONDS = 30;

const refused = (message: string): ApiError => apiError('rest_source_refused', 400, message);
const failed = (message: string, cause?: unknown): ApiError =>
  apiError('rest_source_unreachable', 400, message, { cause });

/** Downloads to a file of the folder. Every fault but one of our own machine is a 4xx: the address is the client's. */
export function fetchPublic(url: string, folder: string, options: FetchOptions): Promise<SpooledFile> {
  const timeout = options.timeoutMs ?? TIMEOUT_MS;
  return limited(timeout, options.signal, (signal) => fetchWithin(url, folder, options, { timeout, signal }));
}

async function fetchWithin(
  url: string,
  folder: string,
  options: FetchOptions,
  { timeout, signal }: { readonly timeout: number; readonly signal: AbortSignal },
): Promise<SpooledFile> {
  const limit = options.limitBytes ?? LIMIT_BYTES;
  const agent = openPublicAgent({ ...options, timeoutMs: timeout, limitBytes: limit });
  try {
    const body = await follow(parse(url), agent, { signal, limit, accept: options.accept ?? 'image/*' });
    return await spool(body, folder, limit);
  } catch (error) {
    if (error instanceof SpoolFault || isShortage(error)) throw error;
    if (error instanceof ApiError) throw error.status === 413 ? tooLarge(limit) : error;
    if ((error as { code?: string }).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') throw tooLarge(limit);
    if (error instanceof NotPublic) throw refused('The source is not at a public address.');
    if (error instanceof UnknownPacking || isBadlyPacked(error))
      throw failed('What the source gives cannot be unpacked.', error);
    if (signal.aborted) throw failed(`The source did not answer within ${timeout / 1000} seconds.`, error);
    throw failed('The source cannot be reached.', error);
  } finally {
    await agent.destroy();
  }
}

/** One that has enough for now says when to come again: who has time for that finds it at the fault. */
function answered(status: number, retryAfter: string | string[] | undefined): ApiError {
  const seconds = Math.ceil(retryAfterMs(retryAfter) / 1_000);
  const fault = failed(`The source answered with status ${status}.`);
  if (status === 429 || (status === 503 && seconds > 0))
    fault.headers['Retry-After'] = String(seconds || USUAL_REST_SECONDS);
  return fault;
}

const tooLarge = (limit: number): ApiError =>
  apiError('rest_source_too_large', 413, `The source is larger than ${limit} bytes.`, {
    data: { limit },
  });

interface Asked {
  readonly signal: AbortSignal;
  readonly limit: number;
  readonly accept: string;
}

async function follow(start: URL, agent: PublicAgent, { signal, limit, accept }: Asked): Promise<Readable> {
  let url = start;
  for (let hops = 0; ; hops++) {
    const answer = await agent.request(url, {
      signal,
      headers: { accept, 'accept-encoding': 'identity', 'user-agent': 'Sevenfold media import' },
    });
    const location = answer.headers.location;
    if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string') {
      if (hops === MOST_REDIRECTS) throw failed(`The source redirects more than ${MOST_REDIRECTS} times.`);
      url = parse(location, url);
      continue;
    }
    if (answer.statusCode !== 200) throw answered(answer.statusCode, answer.headers['retry-after']);
    if (Number(answer.headers['content-length']) > limit) throw tooLarge(limit);
    return unpacked(url, answer);
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
