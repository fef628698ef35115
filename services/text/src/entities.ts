/*
 * Which ampersands of HTML begin a reference to a character. One that only looks like it, such as `&A0;`, is as bare as any:
 * browsers show it as it is written, and valid HTML has it escaped.
 */

import { decode } from 'html-entities';

/** What may be a reference: of those that match, isEntity says whether they are. */
export const ENTITY = String.raw`&(?:[a-zA-Z][a-zA-Z\d]{1,31}|#\d{1,7}|#[xX][\da-fA-F]{1,6});`;
export const LONGEST_ENTITY = 40;
const AMPERSAND = new RegExp(`${ENTITY}|&`, 'g');

/** Names that were found to be some: there are two thousand. A text may have a hundred thousand of one. */
const known = new Set<string>();

/** Whether `entity`, which matches ENTITY, names a character that there is. */
export function isEntity(entity: string): boolean {
  if (entity[1] !== '#') return known.has(entity) || isNamed(entity);
  const isHex = /x/i.test(entity[2]!);
  return isCharacter(isHex ? parseInt(entity.slice(3, -1), 16) : parseInt(entity.slice(2, -1), 10));
}

function isNamed(entity: string): boolean {
  if (decode(entity, { level: 'html5', scope: 'strict' }) === entity) return false;
  known.add(entity);
  return true;
}

/** No control character but white space, no half of a pair, nothing beyond the last one. Browsers show what else is named as `\ufffd`. */
const isCharacter = (code: number): boolean =>
  [0x9, 0xa, 0xd].includes(code) ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff);

/** Writes `as` for every ampersand that begins no entity. */
export const escapeAmpersands = (text: string, as = '&amp;'): string =>
  text.replace(AMPERSAND, (mark) => (mark !== '&' && isEntity(mark) ? mark : as + mark.slice(1)));
