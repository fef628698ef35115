/**
 * Compressed forms of answers: which one a client takes, and what its tag is. What is kept is compressed well, once, beside
 * the requests (cache/press.ts); what is sent only once is compressed lightly, as it is sent. Answers that a credential
 * opened are not compressed at all: their length would tell of what is in them.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { isKnown, tagsIn } from '@sevenfold/chassis/http/conditional';

export type Coding = 'br' | 'gzip';

/** The better one first. */
const CODINGS: readonly Coding[] = ['br', 'gzip'];

const TYPES = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|javascript)\b|image\/svg)/i;
/** Below that a packet more or less is all there is to gain. */
const LEAST_BYTES = 1_024;
/** A light compression costs a millisecond of some processor; for less than that it does not pay. */
const LEAST_STREAMED_BYTES = 16 * 1024;

export const isCompressible = (
  { 'Content-Type': type = '', 'Cache-Control': control = '' }: Readonly<Record<string, string>>,
  { length }: Buffer,
): boolean => length >= LEAST_BYTES && TYPES.test(type) && !/\bno-transform\b/i.test(control);

export const isWorthStreaming = ({ length }: Buffer): boolean => length >= LEAST_STREAMED_BYTES;

const wishes = new Map<string, Coding | undefined>();
const MOST_WISHES = 500;
const LONGEST_WISH = 500;

/** What is taken according to `Accept-Encoding`; undefined for the answer as it is. */
export function codingFor({ 'accept-encoding': header }: IncomingHttpHeaders): Coding | undefined {
  if (header === undefined || header === '' || header.length > LONGEST_WISH) return undefined;
  // Browsers and libraries have a handful between them.
  if (wishes.has(header)) return wishes.get(header);
  const coding = chosen(header);
  if (wishes.size >= MOST_WISHES) wishes.clear();
  wishes.set(header, coding);
  return coding;
}

function chosen(header: string): Coding | undefined {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim());
    const q = parameters.find((one) => one.startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    // A weight that is none is no wish.
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, weight >= 0 && weight <= 1 ? weight : 0);
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const best = CODINGS.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
  const weight = weightOf(best);
  return weight > 0 && weight >= (weights.get('identity') ?? 0) ? best : undefined;
}

/** Each form has a tag of its own, since their bytes differ. */
export const tagOfForm = (tag: string, coding: Coding): string => `${tag}-${coding}`;

/** The tag of what the client has, where that is this answer in any form; `modified` counts where he names no tags. */
export function tagKnown(headers: IncomingHttpHeaders, tag: string, modified?: string): string | undefined {
  const named = headers['if-none-match'];
  // Of most clients, which had the answer as it is.
  if (named === `"${tag}"`) return tag;
  if (named === undefined)
    return modified !== undefined && isKnown(headers, tag, new Date(modified)) ? tag : undefined;
  const own = [tag, ...CODINGS.map((coding) => tagOfForm(tag, coding))];
  const known = tagsIn(headers).find((one) => one === '*' || own.includes(one));
  return known === '*' ? tag : known;
}

const { BROTLI_PARAM_QUALITY: QUALITY, BROTLI_PARAM_SIZE_HINT: SIZE_HINT } = zlib.constants;

/** Compresses lightly what is written to it. */
export const packer = (coding: Coding, bytes: number): Transform =>
  coding === 'br'
    ? zlib.createBrotliCompress({ params: { [QUALITY]: 1, [SIZE_HINT]: bytes } })
    : zlib.createGzip({ level: 1 });
