/* What of the list is found in a message. Pure; one search for all entries in each text. */
import { isWithin, rangeOf, senderOf } from '@sevenfold/chassis/networks';
import { type Find, openFinder } from '@sevenfold/text/finder';
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
  const met = meetingOf(list)(texts);
  const found = list.filter((blocked, place) =>
    blocked.field === 'address' ? isWithin(sender, blocked.pattern) : met.has(place),
  );
  if (found.length === 0) return [];
  const detail = found
    .slice(0, NAMED)
    .map(({ field, pattern }) => `${pattern} (${field})`)
    .join(', ');
  return [{ name: 'blocked', weight: WEIGHT, detail }];
}

type Texts = Readonly<Record<Exclude<Field, 'any' | 'address'>, readonly string[]>>;

function textsOf(message: Message, written: Written): Texts {
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

/** Places in the list of what the texts hold. */
type Meeting = (texts: Texts) => ReadonlySet<number>;

/** The list is read anew each minute, and seldom another one by then. */
function meetingOf(list: readonly Blocked[]): Meeting {
  if (!isSame(list, latest.list)) latest = { list, meeting: openMeeting(list) };
  return latest.meeting;
}
let latest: { readonly list: readonly Blocked[]; readonly meeting: Meeting } = {
  list: [],
  meeting: () => new Set(),
};

const isSame = (one: readonly Blocked[], other: readonly Blocked[]): boolean =>
  one === other ||
  (one.length === other.length &&
    one.every(({ field, pattern }, place) => {
      const second = other[place];
      return field === second?.field && pattern === second.pattern;
    }));

function openMeeting(list: readonly Blocked[]): Meeting {
  const entries = list.map(({ field, pattern }) => ({ field, ...readPattern(pattern) }));
  const find: Find = openFinder(entries.map(({ field, core }) => (field === 'address' ? '' : core)));
  return (texts) => {
    const met = new Set<number>();
    for (const [name, looked] of Object.entries(texts))
      for (const text of looked)
        find(text, (place, end) => {
          const entry = entries[place]!;
          if (entry.field !== 'any' && entry.field !== name) return false;
          if (!met.has(place) && isWhole(text, end, entry)) met.add(place);
          return false;
        });
    return met;
  };
}

interface Pattern {
  readonly core: string;
  readonly openStart: boolean;
  readonly openEnd: boolean;
}

/** A star at an end leaves that end open. */
function readPattern(pattern: string): Pattern {
  const [openStart, openEnd] = [pattern.startsWith('*'), pattern.length > 1 && pattern.endsWith('*')];
  return { core: pattern.slice(openStart ? 1 : 0, openEnd ? -1 : undefined), openStart, openEnd };
}

/** Whole words: who blocks `sex` does not mean Essex. */
const isWhole = (text: string, end: number, { core, openStart, openEnd }: Pattern): boolean =>
  (openStart || !OF_WORD.test(text.charAt(end - core.length - 1))) &&
  (openEnd || !OF_WORD.test(text.charAt(end)));
