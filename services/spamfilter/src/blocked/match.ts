/* What of the list is found in a message. Pure; a search for each entry, of which there is a bounded number. */
import { isWithin, rangeOf, senderOf } from '@sevenfold/chassis/networks';
import type { Message } from '../checks/message';
import { type Written, fold } from '../classifier/words';
import type { Evidence } from '../evidence/evidence';
import type { Blocked, Field } from './store';

/** The site has decided: alone it is no doubt. */
const WEIGHT = 7;
const LETTER = /[\p{L}\p{N}]/u;
/** Vowel signs as well: a word does not end before one. */
const OF_WORD = /[\p{L}\p{M}\p{N}]/u;
const NAMED = 5;
const MOST_PATTERN = 200;

/** How an entry is kept; undefined for what can match nothing. */
export function patternOf(field: Field, text: string): string | undefined {
  if (field === 'address') return rangeOf(text);
  const pattern = fold(text.slice(0, MOST_PATTERN)).replace(/\s+/g, ' ').trim();
  return LETTER.test(pattern) ? pattern : undefined;
}

export function blockedIn(list: readonly Blocked[], message: Message, written: Written): Evidence[] {
  if (list.length === 0) return [];
  const texts = textsOf(message, written);
  const sender = senderOf(message.address);
  const found = list.filter(({ field, pattern }) => {
    if (field === 'address') return isWithin(sender, pattern);
    const looked = field === 'any' ? Object.values(texts).flat() : texts[field];
    return looked.some((text) => holds(text, pattern));
  });
  if (found.length === 0) return [];
  const detail = found
    .slice(0, NAMED)
    .map(({ field, pattern }) => `${pattern} (${field})`)
    .join(', ');
  return [{ name: 'blocked', weight: WEIGHT, detail }];
}

function textsOf(message: Message, written: Written): Record<Exclude<Field, 'any' | 'address'>, string[]> {
  const space = (text: string): string => text.replace(/\s+/g, ' ');
  const urls = written.links.map(({ url }) => fold(url));
  return {
    // As it was written, and with what was disguised in clear.
    content: [space(fold(written.seen)), space(written.text), ...urls],
    name: [space(fold(message.authorName))],
    mail: [fold(message.authorEmail)],
    url: [fold(message.authorUrl), ...urls],
    agent: [fold(message.userAgent)],
  };
}

/** Whole words: who blocks `sex` does not mean Essex. A star at an end leaves that end open. */
export function holds(text: string, pattern: string): boolean {
  const [openStart, openEnd] = [pattern.startsWith('*'), pattern.length > 1 && pattern.endsWith('*')];
  const core = pattern.slice(openStart ? 1 : 0, openEnd ? -1 : undefined);
  if (core === '') return false;
  for (let at = text.indexOf(core); at !== -1; at = text.indexOf(core, at + core.length)) {
    const before = text.slice(Math.max(0, at - 1), at);
    const after = text.charAt(at + core.length);
    if ((openStart || !OF_WORD.test(before)) && (openEnd || !OF_WORD.test(after))) return true;
  }
  return false;
}
