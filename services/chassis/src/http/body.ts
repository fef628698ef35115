/**
 * Reads request bodies within bounds: JSON, form-encoded and multipart fields (files are a route's own business).
 * Refuses bodies that are too large, not parsable, or nested deeper than anything downstream can handle.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import qs from 'qs';
import { apiError, payloadTooLarge } from '../errors';
import type { Share } from './body-room';
import { countChunks, isChunked, tooManyChunks } from './chunks';
import { MOST_NESTING, MOST_PARAMETERS, countJson, countParameters, tooDeep } from './counts';
import { readMultipart } from './multipart';

export const DEFAULT_BODY_LIMIT = 1024 * 1024;
const MOST_PARTS = 1000;

export interface ParsedBody {
  readonly kind: 'none' | 'json' | 'form' | 'multipart';
  readonly value: unknown;
}

const NONE: ParsedBody = { kind: 'none', value: {} };

/** Lists are `name[]=` repeated; of a plain name that is repeated the last one counts, as clients are used to. */
export function parseQuery(text: string): Record<string, unknown> {
  if (text === '') return {};
  countParameters(text);
  return withoutNul(
    qs.parse(lastOfEach(text), {
      depth: 5,
      parameterLimit: MOST_PARAMETERS,
      arrayLimit: 1000,
      strictDepth: false,
    }) as Record<string, unknown>,
  );
}

/** The parser's own way to keep the last one would keep the last entry of lists, too. */
function lastOfEach(text: string): string {
  const pairs = text.split('&');
  const last = new Map(pairs.map((pair, index) => [nameOf(pair), index]));
  if (last.size === pairs.length) return text;
  return pairs.filter((pair, index) => isOfList(pair) || last.get(nameOf(pair)) === index).join('&');
}

const nameOf = (pair: string): string => pair.split('=', 1)[0] as string;
const isOfList = (pair: string): boolean => /\[|%5b/i.test(nameOf(pair));

/** A body without a type is read as a form, as it has always been. */
export const READABLE =
  /^(?:|application\/(?:[\w.+-]+\+)?json|application\/x-www-form-urlencoded|multipart\/form-data)$/;

/** `share`: of the memory that all bodies have; it holds what is read until its answer is over. */
export async function readBody(request: IncomingMessage, limit: number, share?: Share): Promise<ParsedBody> {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  // What nobody can read says nothing, and is not read, however much of it there is.
  if (!READABLE.test(type)) return NONE;
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) throw payloadTooLarge(limit);
  if (declared === 0 && !isChunked(request)) return NONE;
  if (type === 'multipart/form-data')
    return {
      kind: 'multipart',
      value: parseQuery(
        await readMultipart(request, {
          limits: { bytes: limit, fieldBytes: limit, parts: MOST_PARTS },
          share,
        }),
      ),
    };
  const bytes = await collect(request, limit, share);
  if (bytes.length === 0) return NONE;
  if (type.endsWith('json')) return { kind: 'json', value: parseJson(bytes, limit) };
  return { kind: 'form', value: parseQuery(bytes.toString('utf8')) };
}

/**
 * All bytes of a body, or 413 as soon as there are more than `limit`. The connection stays open then, since the refusal
 * is sent on it.
 */
async function collect(request: IncomingMessage, limit: number, share: Share | undefined): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let chunks: Buffer[] = [];
  let size = 0;
  const areTooMany = countChunks(request);
  const coming = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  let lost: Promise<never> | undefined;
  for (;;) {
    const next = await (lost ? Promise.race([coming.next(), lost]) : coming.next());
    if (next.done) break;
    const chunk = next.value;
    size += chunk.length;
    if (size > limit) throw payloadTooLarge(limit);
    if (areTooMany(chunk.length)) throw tooManyChunks();
    lost = share?.take(chunk.length) ?? lost;
    chunks.push(chunk);
    if (chunks.length < CHUNKS_OF_A_PIECE) continue;
    pieces.push(Buffer.concat(chunks));
    chunks = [];
  }
  share?.keep();
  return Buffer.concat([...pieces, ...chunks]);
}

/** Each has more beside it than a small one holds: they are not kept one by one. */
const CHUNKS_OF_A_PIECE = 1_024;

const MARK = Buffer.from('\ufeff');

function parseJson(sent: Buffer, limit: number): unknown {
  // Some editors and clients write this mark before UTF-8; it is no part of the text.
  const bytes = sent.subarray(0, MARK.length).equals(MARK) ? sent.subarray(MARK.length) : sent;
  // Read all the same, each letter of another charset would be kept as U+FFFD.
  if (!isUtf8(bytes))
    throw apiError('rest_invalid_json', 400, 'The body is not UTF-8, as JSON must be.', {
      data: {
        json_error_code: 5,
        json_error_message: 'Malformed UTF-8 characters, possibly incorrectly encoded',
      },
    });
  countJson(bytes, limit);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw apiError('rest_invalid_json', 400, 'The body is not valid JSON.', {
      cause,
      data: { json_error_code: 4, json_error_message: 'Syntax error' },
    });
  }
  // A bare scalar says nothing about arguments: clients are used to its being treated like no body.
  if (value === null || typeof value !== 'object') return {};
  return cleanJson(value);
}

/** Removes what PostgreSQL cannot hold, in names as in values, and refuses absurd nesting. Works in place, without recursion. */
function cleanJson<T extends object>(root: T): T {
  const stack: { node: Record<string, unknown>; depth: number }[] = [
    { node: root as Record<string, unknown>, depth: 1 },
  ];
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    if (entry.depth > MOST_NESTING) throw tooDeep();
    for (const key of Object.keys(entry.node)) {
      const value = entry.node[key];
      if (typeof value === 'string') {
        const clean = storable(value);
        if (clean !== value) entry.node[key] = clean;
      } else if (value !== null && typeof value === 'object')
        stack.push({ node: value as Record<string, unknown>, depth: entry.depth + 1 });
      const name = storable(key);
      if (name === key) continue;
      // By assigning it a `__proto__` that was hidden by a NUL would become what it says.
      Object.defineProperty(
        entry.node,
        name,
        Object.getOwnPropertyDescriptor(entry.node, key) as PropertyDescriptor,
      );
      delete entry.node[key];
    }
  }
  return root;
}

const withoutNul = <T extends object>(value: T): T => cleanJson(value);

/** NUL goes, half surrogates become the replacement character: neither can be stored as UTF-8. */
function storable(text: string): string {
  const plain = text.includes('\0') ? text.replaceAll('\0', '') : text;
  return plain.isWellFormed() ? plain : plain.toWellFormed();
}
