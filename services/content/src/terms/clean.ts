/** What of a term's texts is stored: names without tags and with entities in place, descriptions with inline tags. */
import { createHash } from 'node:crypto';
import { escapeAmpersands } from '@sevenfold/text/entities';
import { sanitizeInline } from '@sevenfold/text/html';
import { slugify } from '@sevenfold/text/slug';
import { cleanText } from '@sevenfold/text/text';
import { brief } from '../common/description';

/** Longest name that is taken, as sent; with entities in place it still fits into the index. */
export const LONGEST_NAME = 200;

export const cleanName = (name: string): string =>
  escapeAmpersands(cleanText(name)).replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** As short as those of users: a post may carry hundreds of terms, which are told together. */
export const cleanDescription = (html: string): string => brief(sanitizeInline(html));

// Longer slugs were cut, or would be once they carry a number: names that differ only at the end need another way.
const LONGEST_SLUG = 190;

/** Slug of a term that was given none; never empty. */
export function slugOfName(name: string): string {
  const slug = slugify(name);
  if (slug !== '' && slug.length <= LONGEST_SLUG) return slug;
  const letters = Array.from(name);
  // `!!!` has no letters: its code points name it.
  if (slug === '')
    return letters
      .slice(0, 30)
      .map((letter) => (letter.codePointAt(0) as number).toString(16))
      .join('-');
  const digest = createHash('sha1').update(name.toLowerCase()).digest('hex').slice(0, 8);
  return `${slugify(letters.slice(0, 15).join(''))}-${digest}`;
}
