/**
 * Counts what a body or a query string would become, before anything is made of it: a megabyte of separators costs a
 * second of everybody's time to parse, and a millisecond to count. Refuses what no client needs; says nothing of whether
 * the rest is well-formed.
 */
import type { ApiError } from '../errors';
import { apiError } from '../errors';

export const MOST_PARAMETERS = 1000;
/** `a[500]=x` makes a list of 501: the places of all lists together. */
const MOST_PLACES = 100_000;
export const MOST_NESTING = 64;
/** A value of JSON with its separator and the quotes of its name, on the average of a whole body. */
const BYTES_PER_VALUE = 10;

const tooMany = (what: string, limit: number): ApiError =>
  apiError('payload_too_large', 413, `The request has more than ${limit} ${what}.`, { data: { limit } });

export function countParameters(text: string): void {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1))
    if (++count > MOST_PARAMETERS) throw tooMany('parameters', MOST_PARAMETERS);
  let places = 0;
  for (const [, index] of text.matchAll(/(?:\[|%5b)(\d{1,4})(?:\]|%5d)/gi))
    if ((places += Number(index)) > MOST_PLACES) throw tooMany('places in lists', MOST_PLACES);
}

export const tooDeep = (): ApiError =>
  apiError('rest_invalid_json', 400, `The body is nested deeper than ${MOST_NESTING} levels.`, {
    data: { json_error_code: 1, json_error_message: 'Maximum depth exceeded' },
  });

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** `limit` is the largest body that the route takes, in bytes. */
export function countJson(bytes: Buffer, limit: number): void {
  const most = Math.floor(limit / BYTES_PER_VALUE);
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at = endOfText(bytes, at);
      continue;
    }
    const opens = OPENING.has(byte);
    if (opens && ++depth > MOST_NESTING) throw tooDeep();
    else if (CLOSING.has(byte)) depth--;
    if ((opens || byte === COMMA) && ++values > most) throw tooMany('values', most);
  }
}

/** Where the text that begins at `start` ends. Most of a body is text, and looking for one byte is quick. */
function endOfText(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let before = end - 1;
    while (bytes[before] === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return bytes.length;
}
