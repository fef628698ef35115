/*
 * Slugs: the last part of an item's address, made from its title. A slug is ASCII, at most 200 bytes and the mark of the
 * trash behind them, and slugify leaves a slug it made before unchanged, so that clients may send one back.
 */

import { decode } from 'html-entities';
import { textOf } from './markup';
import { normalized } from './normalized';
import { shorten } from './text';
import { trim, trimEnd } from './trim';

const MAX_BYTES = 200;
/** What stands further behind is in no slug, whatever is left out before it. */
const MOST_READ = 20_000;
const TRASHED = '__trashed';
/** With the number that it got where another one of the name was in the trash. */
const MARK = /__trashed(-\d{1,9})?$/;

// Latin letters that Unicode does not take apart into a base letter and a mark.
const FOLDED: Record<string, string> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'TH',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ŋ: 'n',
  Ŋ: 'N',
  ŧ: 't',
  Ŧ: 'T',
  ĸ: 'k',
  ƒ: 'f',
};

/** As most titles are: nothing to be folded, encoded or left out. */
const PLAIN = /^[\w -]*$/;

/**
 * Lower-case slug of a title: tags gone (the text of a script counts), accents folded, letters of other scripts percent-encoded, quotation marks
 * dropped, any other run of punctuation and space one hyphen, underscores kept. '' if nothing is left.
 */
export function slugify(text: string): string {
  if (PLAIN.test(text)) return fitting(text.toLowerCase().replace(/[ -]+/g, '-').replace(/^-|-$/g, ''));
  const plain = normalized(decodeEscapes(decode(textOf(shorten(text, MOST_READ), '', 'code'))), 'NFC');
  const words = plain
    .replace(/[\p{Script=Latin}\p{No}]/gu, foldLetter)
    .toLowerCase()
    // Marks left by decomposed accents and by lower-casing, invisible joiners, and apostrophes: `don't` is one word.
    .replace(/[\u0300-\u036f\p{Cf}'"‘’‚‛“”„‟′″]/gu, '')
    .replace(/[^\p{L}\p{M}\p{Nd}_]+/gu, '-');
  return fitting(trim(normalized(words, 'NFC'), '-').replace(/[^\x00-\x7f]+/g, encodeLetters));
}

/** `base`, or the first of `base-2`, `base-3` … that is not taken; '' stays '' (no slug). */
export function nextFreeSlug(base: string, takenSlugs: Iterable<string>): string {
  return base && (freeSlugsOf(base, new Set(takenSlugs)).next().value as string);
}

/** One after the other those of `base`, `base-2`, `base-3` … that are not taken, each looked at once; it never ends. */
export function* freeSlugsOf(base: string, taken: ReadonlySet<string>): Generator<string> {
  if (!taken.has(base)) yield base;
  for (let number = 2; ; number++) {
    const candidate = numberedSlug(base, number);
    if (!taken.has(candidate)) yield candidate;
  }
}

/** With the number behind it. A mark of the trash stays whole: cut, it would be there for good. */
export function numberedSlug(base: string, number: number): string {
  const suffix = `-${number}`;
  return (MARK.test(base) ? base : cutSlug(base, MAX_BYTES - suffix.length)) + suffix;
}

/** The slug of an item in the trash; frees the plain one for others, and holds all of it. */
export function trashedSlug(slug: string): string {
  return slug.endsWith(TRASHED) ? slug : slug + TRASHED;
}

/** The slug before trashedSlug, where a number may have been added since; any other slug as it is. */
export const untrashedSlug = (slug: string): string => slug.replace(MARK, '');

/** Undoes percent-encoding where it makes sense as text, so that a slug sent back is read, not encoded twice. */
function decodeEscapes(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

function foldLetter(letter: string): string {
  const known = FOLDED[letter];
  if (known) return known;
  const base = normalized(letter, 'NFKD').replace(/\p{M}/gu, '');
  const ascii = base.replace(/[^a-zA-Z\d]/g, '');
  // A fraction such as ½ must not turn into 12: numbers fold only as a whole.
  return ascii && (ascii === base || !/\p{No}/u.test(letter)) ? ascii : letter;
}

function encodeLetters(letters: string): string {
  return encodeURIComponent(letters).toLowerCase();
}

/** As long as slugs may be, without what the trash adds. */
function fitting(slug: string): string {
  if (slug.length <= MAX_BYTES) return slug;
  const plain = untrashedSlug(slug);
  return cutSlug(plain, MAX_BYTES) + slug.slice(plain.length);
}

/** At most `bytes` bytes, cut before a character, never inside its escapes, and without a hyphen at the end. */
export function cutSlug(slug: string, bytes: number): string {
  if (slug.length <= bytes) return slug;
  let end = bytes;
  if (slug[end - 1] === '%') end -= 1;
  else if (slug[end - 2] === '%') end -= 2;
  // Escapes of the shape %8x … %bx continue a character that began further left.
  while (/^%[89ab]/.test(slug.slice(end, end + 2))) end -= 3;
  return trimEnd(slug.slice(0, end), '-');
}
