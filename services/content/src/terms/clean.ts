/** What of a term's texts is stored: names without tags and with entities in place, descriptions with inline tags. */
import { sanitizeInline } from '@sevenfold/chassis/text/html';
import { slugify } from '@sevenfold/chassis/text/slug';
import { cleanText } from '@sevenfold/chassis/text/text';

const BARE_AMPERSAND = /&(?!(?:[a-zA-Z][a-zA-Z\d]{1,31}|#\d{1,7}|#[xX][\da-fA-F]{1,6});)/g;

/** Longest name that is taken, as sent; with entities in place it still fits into the index. */
export const LONGEST_NAME = 200;

export const cleanName = (name: string): string =>
  cleanText(name).replace(BARE_AMPERSAND, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

export const cleanDescription = sanitizeInline;

/**
 * Slug of a term that was given none. A name without letters and digits (`!!!`) has its code points, so that the same
 * name always asks for the same slug: the unique index then keeps parallel writers from making one term twice.
 */
export const slugOfName = (name: string): string =>
  slugify(name) ||
  Array.from(name, (char) => (char.codePointAt(0) as number).toString(16))
    .slice(0, 30)
    .join('-');
