/**
 * Compressed forms of answers: which one a client takes, and what its tag is. What is kept is compressed well, once, beside
 * the requests (cache/press.ts); what is sent only once is compressed lightly, as it is sent. Answers that a credential
 * opened are not compressed at all: their length would tell of what is in them.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';

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

/** What a client takes according to `Accept-Encoding`. */
interface Wish {
  /** Of all that there may be; undefined for the answer as it is. */
  readonly best?: Coding;
  readonly codings: readonly Coding[];
  /** Whether it takes the answer as it is. */
  readonly plain: boolean;
}

const PLAIN: Wish = { codings: [], plain: true };

const wishes = new Map<string, Wish>();
const MOST_WISHES = 500;
const LONGEST_WISH = 500;

function wishIn({ 'accept-encoding': header }: IncomingHttpHeaders): Wish {
  if (header === undefined || header === '' || header.length > LONGEST_WISH) return PLAIN;
  // Browsers and libraries have a handful between them.
  const known = wishes.get(header);
  if (known) return known;
  const wish = readWish(header);
  if (wishes.size >= MOST_WISHES) wishes.clear();
  wishes.set(header, wish);
  return wish;
}

function readWish(header: string): Wish {
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
  return {
    best: weight > 0 && weight >= (weights.get('identity') ?? 0) ? best : undefined,
    codings: CODINGS.filter((coding) => weightOf(coding) > 0),
    plain: (weights.get('identity') ?? weights.get('*') ?? 1) > 0,
  };
}

/** What a client gets of what there is in all forms; undefined for the answer as it is. */
export const codingFor = (headers: IncomingHttpHeaders): Coding | undefined => wishIn(headers).best;

/** Each form has a tag of its own, since their bytes differ. */
export const tagOfForm = (tag: string, coding: Coding): string => `${tag}-${coding}`;

/**
 * Whether `name` is the tag of a form that the client can read: a cache on the way names all that it has, whoever asks, and would
 * hand out the one that it is told of.
 */
export function isTagTaken(headers: IncomingHttpHeaders, tag: string, name: string): boolean {
  const { codings, plain } = wishIn(headers);
  return name === tag ? plain : codings.some((coding) => name === tagOfForm(tag, coding));
}

const { BROTLI_PARAM_QUALITY: QUALITY, BROTLI_PARAM_SIZE_HINT: SIZE_HINT } = zlib.constants;

/** Compresses lightly what is written to it. */
export const packer = (coding: Coding, bytes: number): Transform =>
  coding === 'br'
    ? zlib.createBrotliCompress({ params: { [QUALITY]: 1, [SIZE_HINT]: bytes } })
    : zlib.createGzip({ level: 1 });
