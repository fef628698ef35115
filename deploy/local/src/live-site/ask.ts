/**
 * Asks another site, which may be slow, large, broken or hostile: each answer has a deadline and a size, redirects are followed
 * through the same checks as the first address (chassis/outgoing), credentials go to the site that was named and nowhere
 * else, and what may pass (no connection, 429, 5xx) is asked again for a while, as late as the site wants it.
 */
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { spool } from '@sevenfold/chassis/files/spool';
import { ApiError } from '@sevenfold/chassis/errors';
import {
  NotPublic,
  type Outgoing,
  type PublicAgent,
  openPublicAgent,
  retryAfterMs,
} from '@sevenfold/chassis/outgoing';
import { limited } from '@sevenfold/chassis/time-limit';
import { isBadlyPacked, unpacked } from '@sevenfold/chassis/unpacked';
import type { FileSource } from '@sevenfold/content/site-import/files';
import { openPace } from './pace';

export interface AskOptions {
  /** The site as the operator named it: whom credentials are for. */
  readonly site: URL;
  readonly authorization?: string;
  readonly allowPrivate: boolean;
  readonly parallel: number;
  readonly perSecond: number;
  readonly fileLimitBytes: number;
  readonly signal?: AbortSignal;
  /** Which addresses are public, and how names become addresses: tests have only those of one machine. */
  readonly isPublic?: Outgoing['isPublic'];
  readonly resolve?: Outgoing['resolve'];
  /** First pause before something is asked again; each is twice as long as the one before. */
  readonly pauseMs?: number;
  /** How long an answer of JSON may take. */
  readonly answerMs?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What the JSON says; undefined where it is none. */
  readonly body: unknown;
  /** After redirects. */
  readonly url: URL;
}

export interface Asker {
  /** Whatever the site says in the end. Throws Unreachable where it says nothing, TooLarge where it says too much. */
  json(url: URL): Promise<Answer>;
  /** Into a file of the folder. Throws an ApiError where it cannot be had. */
  readonly file: Extract<FileSource, { kind: 'ask' }>['fetch'];
  readonly close: () => Promise<void>;
}

/** No answer, whatever was tried. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** More than is taken in one answer. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

const JSON_LIMIT_BYTES = 32 * 1024 * 1024;
const JSON_MS = 60_000;
const FILE_MS = 600_000;
const SILENCE_MS = 30_000;
const MOST_REDIRECTS = 5;
const TRIES = 6;
/** Of each of thousands, many of which may be gone for good; the next run tries them again. */
const FILE_TRIES = 3;
const PAUSE_MS = 1_000;
const LONGEST_REST_MS = 600_000;

export function openAsker(options: AskOptions): Asker {
  const { signal, pauseMs = PAUSE_MS, answerMs = JSON_MS } = options;
  const pace = openPace(options);
  const agent = openPublicAgent({
    allowPrivate: options.allowPrivate,
    isPublic: options.isPublic,
    resolve: options.resolve,
    timeoutMs: SILENCE_MS,
    limitBytes: Math.max(JSON_LIMIT_BYTES, options.fileLimitBytes),
  });
  const once = async <T>(
    url: URL,
    headers: Readonly<Record<string, string>>,
    deadlineMs: number,
    read: (taken: Taken) => Promise<T>,
  ): Promise<T> => {
    const askNow = async (ending: AbortSignal): Promise<T> => {
      const taken = await follow(agent, url, options, headers, ending);
      try {
        return await read(taken);
      } catch (error) {
        throw (error as { code?: string }).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE'
          ? new TooLarge('more than is taken in one answer', { cause: error })
          : error;
      } finally {
        taken.body.destroy();
      }
    };
    // From its turn on: the site may want a longer rest than an answer may take.
    return pace.turn(() => limited(deadlineMs, signal, askNow));
  };
  /** Until there is an answer that will not become another by asking again. */
  const insist = async <T extends { readonly status: number }>(
    what: URL,
    most: number,
    ask: () => Promise<T & { readonly restMs: number }>,
  ): Promise<T> => {
    let fault: unknown;
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted();
      let answer: (T & { readonly restMs: number }) | undefined;
      try {
        answer = await ask();
        if (!isPassing(answer.status)) return answer;
        fault = new Error(`it answered with status ${answer.status}`);
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof TooLarge || error instanceof ApiError) throw error;
        fault = error;
      }
      if (tries === most || fault instanceof NotPublic) {
        if (answer && answer.status !== 429) return answer;
        throw new Unreachable(`${what.host} cannot be reached: ${reasonOf(fault)}`, { cause: fault });
      }
      const pause = pauseMs * 2 ** (tries - 1);
      if (answer) pace.rest(Math.max(pause, answer.restMs));
      else await wait(pause, undefined, { signal });
    }
  };
  return {
    json: (url) =>
      insist(url, TRIES, () =>
        once(url, { accept: 'application/json' }, answerMs, async (taken) => ({
          ...taken,
          body: parsed(await textOf(unpacked(taken.url, taken), JSON_LIMIT_BYTES)),
        })),
      ),
    file: async (address, folder, known) => {
      const { fileLimitBytes: limit } = options;
      const url = readAddress(address);
      if (!url) throw refused('The address of the file is none.');
      try {
        const asked = { accept: '*/*', ...conditionsOf(known) };
        const { status, spooled, headers } = await insist(url, FILE_TRIES, () =>
          once(url, asked, FILE_MS, async (taken) => ({
            status: taken.status,
            restMs: taken.restMs,
            headers: taken.headers,
            spooled:
              taken.status === 200 ? await spool(unpacked(taken.url, taken), folder, limit) : undefined,
          })),
        );
        if (status === 304 && known) return 'unchanged';
        if (!spooled) throw refused(`The file cannot be had: its address answers with status ${status}.`);
        return {
          ...spooled,
          etag: headerOf(headers.etag),
          lastModified: headerOf(headers['last-modified']),
        };
      } catch (error) {
        // One file that nobody hands out is told alone, and nothing else ends.
        if (error instanceof Unreachable || error instanceof TooLarge)
          throw refused(`The file cannot be had: ${error.message}.`, error);
        throw error;
      }
    },
    close: () => agent.destroy(),
  };
}

/** What is longer is no mark that anybody sends back. */
const LONGEST_MARK = 300;

const headerOf = (value: string | string[] | undefined): string =>
  typeof value === 'string' && value.length <= LONGEST_MARK && /^[\x20-\x7e]*$/.test(value) ? value : '';

const conditionsOf = (
  known: { readonly etag: string; readonly lastModified: string } | undefined,
): Record<string, string> => ({
  ...(known && known.etag !== '' && { 'if-none-match': known.etag }),
  ...(known && known.etag === '' && known.lastModified !== '' && { 'if-modified-since': known.lastModified }),
});

const refused = (message: string, cause?: unknown): ApiError =>
  new ApiError('source_refused', 400, message, { cause });

const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500;

interface Taken {
  readonly status: number;
  readonly headers: Answer['headers'];
  readonly url: URL;
  readonly restMs: number;
  readonly body: Readable;
}

async function follow(
  agent: PublicAgent,
  start: URL,
  { site, authorization }: AskOptions,
  asked: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Taken> {
  let url = start;
  for (let hops = 0; ; hops++) {
    const { statusCode, headers, body } = await agent.request(url, {
      signal,
      headers: {
        ...asked,
        'accept-encoding': 'identity',
        'user-agent': 'Sevenfold import-site',
        ...(authorization !== undefined && isOf(site, url) && { authorization }),
      },
    });
    const location = headers.location;
    if (statusCode < 300 || statusCode >= 400 || typeof location !== 'string')
      return {
        status: statusCode,
        headers,
        url,
        body,
        restMs: Math.min(retryAfterMs(headers['retry-after']), LONGEST_REST_MS),
      };
    body.destroy();
    const next = readAddress(location, url);
    if (!next) throw refused('It redirects to what is no address.');
    if (hops === MOST_REDIRECTS) throw refused(`It redirects more than ${MOST_REDIRECTS} times.`);
    url = next;
  }
}

/** Only where both ends are as safe as what was named: the same host, with or without `www.`, and no way back to plain HTTP. */
export function isOf(site: URL, url: URL): boolean {
  const plain = (host: string): string => host.replace(/^www\./, '');
  const isSame = url.port === site.port || (site.port === '' && url.protocol === 'https:' && url.port === '');
  return (
    plain(url.hostname) === plain(site.hostname) &&
    isSame &&
    (url.protocol === 'https:' || url.protocol === site.protocol)
  );
}

export function readAddress(text: string, base?: URL): URL | undefined {
  if (text.length > 8_192 || !URL.canParse(text, base?.href)) return undefined;
  const url = new URL(text, base);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url : undefined;
}

async function textOf(body: Readable, limit: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > limit) throw new TooLarge(`more than ${limit} bytes`);
      pieces.push(piece);
    }
  } catch (error) {
    // It says what could be unpacked of it: of an answer without anything in it that is nothing.
    if (!isBadlyPacked(error)) throw error;
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Some sites have notices, or a mark of bytes, before the JSON. */
function parsed(text: string): unknown {
  for (const from of [0, text.search(/[[{]/)]) {
    if (from < 0) continue;
    try {
      return JSON.parse(text.slice(from).replace(/^\uFEFF/, '')) as unknown;
    } catch {
      // Neither this nor, nested beyond all measure, the like of it.
    }
  }
  return undefined;
}

function reasonOf(error: unknown): string {
  if (error instanceof NotPublic)
    return 'it is not at a public address (OUTBOUND_ALLOW_PRIVATE=true allows that)';
  const { code, name, message } = error as { code?: string; name?: string; message?: string };
  return name === 'TimeoutError' ? 'it did not answer in time' : (code ?? message ?? 'no answer');
}
