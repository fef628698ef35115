/**
 * Requests to addresses that we did not choose, without letting anybody reach into our own network: names are resolved here
 * and every address behind them must be a public one. Time and size are bounded. Follows no redirect by itself.
 */
import type { LookupAddress, LookupAllOptions, lookup } from 'node:dns';
import { type LookupFunction, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Dispatcher } from 'undici';
import { type RequestOptions, lateAgent } from './http/late-agent';
import { noteAnswered, outgoingSpan } from './http/spans';
import { lookupByServers } from './name-servers';
import { limited } from './time-limit';
import { step } from './tracing/tracing';

/** Whether an address may be connected to. */
export type Judge = (address: string) => boolean;

export interface Outgoing {
  /** For sites whose sources live in their own network, and for tests. */
  readonly allowPrivate: boolean;
  readonly timeoutMs: number;
  readonly limitBytes: number;
  /** Which addresses are public, and how names become addresses: tests have only those of one machine. */
  readonly isPublic?: Judge;
  readonly resolve?: typeof lookup;
}

/** What is thrown for an address that is not public. */
export class NotPublic extends Error {
  constructor() {
    super('not at a public address');
    this.name = 'NotPublic';
  }
}

export interface PublicAgent {
  /** One exchange; throws NotPublic where the address is not public, and what undici throws. */
  request(url: URL, options: RequestOptions): Promise<Dispatcher.ResponseData>;
  /** Also ends what was not read of an answer. */
  destroy(): Promise<void>;
}

export function openPublicAgent({ allowPrivate, isPublic, resolve, ...bounds }: Outgoing): PublicAgent {
  const judge = allowPrivate ? undefined : (isPublic ?? isPublicAddress);
  const { timeoutMs: timeout, limitBytes } = bounds;
  const agent = lateAgent({
    connect: { timeout, lookup: judge && lookupPublic(judge, resolve ?? lookupByServers()) },
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: limitBytes + 1,
  });
  return {
    request: async (url, options) => {
      if (judge) requirePublicLiteral(url, judge);
      const answer = await step(
        () => outgoingSpan(options.method ?? 'GET', url.hostname),
        async (span) => {
          const taken = await agent.request(url, options);
          noteAnswered(span, taken.statusCode);
          return taken;
        },
      );
      // Whoever reads the body hears of its faults; one that nobody reads ends with the agent, and in silence.
      answer.body.on('error', () => undefined);
      return answer;
    },
    destroy: () => agent.destroy(),
  };
}

export interface FormAnswer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
}

/** Posts a form and reads the answer as text, all within the time. Throws whatever keeps it from that. */
export async function postForm(
  url: string,
  fields: Readonly<Record<string, string>>,
  {
    userAgent,
    signal,
    ...outgoing
  }: Outgoing & { readonly userAgent: string; readonly signal?: AbortSignal },
): Promise<FormAnswer> {
  const agent = openPublicAgent(outgoing);
  try {
    return await limited(outgoing.timeoutMs, signal, async (ending) => {
      const answer = await agent.request(new URL(url), {
        method: 'POST',
        signal: ending,
        headers: { 'user-agent': userAgent, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      });
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    });
  } finally {
    await agent.destroy();
  }
}

/**
 * The first bytes of a body; what comes after them ends with its connection. `error` says why there are no more of one that was
 * cut off before.
 */
export async function readBeginning(
  body: AsyncIterable<Buffer>,
  most: number,
): Promise<{ readonly bytes: Buffer; readonly error?: Error }> {
  const pieces: Buffer[] = [];
  let size = 0;
  let error: Error | undefined;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      size += piece.length;
      // Leaving the loop ends the rest.
      if (size >= most) break;
    }
  } catch (thrown) {
    error = thrown as Error;
  }
  return { bytes: Buffer.concat(pieces).subarray(0, most), error };
}

/** A literal address is never looked up, so it is judged before the connection. */
function requirePublicLiteral(url: URL, isPublic: Judge): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublic(host)) throw new NotPublic();
}

/** Whether an address belongs to the open internet: no loopback, private, link-local or other special range. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  // Only 2000::/3 is given out; the rest is reserved or of the past.
  return address.kind() === 'ipv4' || ((address as ipaddr.IPv6).parts[0] as number) >> 13 === 1;
}

/** Refuses the name when any of its addresses is not public. */
const lookupPublic =
  (isPublic: Judge, resolve: typeof lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true } as LookupAllOptions, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '', 0);
      const [first] = addresses;
      if (!first || !addresses.every((entry) => isPublic(entry.address)))
        return callback(new NotPublic(), '', 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

/** What a `Retry-After` header asks for, in milliseconds from now: seconds, or a date. 0 where it is absent, past or neither. */
export function retryAfterMs(header: string | string[] | undefined): number {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return 0;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}
