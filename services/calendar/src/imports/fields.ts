/** Reading loose JSON of foreign senders: everything may be absent, of another type, or wrapped in a list of one. */
import { cleanText, shorten, stripControl } from '@sevenfold/text/text';
import { MOST_LINE, type PlainTable } from '../common/fields';
import { readWebsite } from '../common/urls';

export type Raw = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Raw =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Whatever reads JSON has rounded it: several numbers of the source may have become this one. */
const isRounded = (value: unknown): boolean =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;

/** Text as sent, numbers as text; undefined for absent, null and everything else, such as numbers that are no longer what was sent. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && !isRounded(value)) return String(value);
  return undefined;
}

/** Of a text that becomes a line, before it is cleaned: five times what is kept of any, since most of it may be markup. */
export const MOST_SENT = 5 * MOST_LINE;

/** The first of the names that holds text; one line, without tags. */
export function lineOf(raw: Raw, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textOf(raw[name]);
    if (text !== undefined) return cleanText(shorten(text, MOST_SENT));
  }
  return undefined;
}

/**
 * What its source calls a thing, by the first of the names that holds text: as it was sent, since without its `<…>`, or one of two
 * blanks, it would be the name of another one.
 */
export function sentIdOf(raw: Raw, ...names: readonly string[]): string | undefined {
  const sent = names.map((name) => textOf(raw[name])).find((text) => text !== undefined);
  return sent === undefined ? undefined : asSent(sent);
}

export const asSent = (text: string): string => stripControl(shorten(text, MOST_SENT)).trim();

/** The reason why an event is not taken. */
export class Refusal extends Error {}

export function refuseRounded(value: unknown, what: string): void {
  if (isRounded(value)) throw new Refusal(`${what} is a number too large to be exact: send it as text.`);
}

const TRUE = new Set(['1', 'true', 'yes', 'on', 'y']);
const FALSE = new Set(['', '0', 'false', 'no', 'off', 'n']);

export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = textOf(value)?.trim().toLowerCase();
  if (text === undefined) return undefined;
  if (TRUE.has(text)) return true;
  return FALSE.has(text) ? false : undefined;
}

/** A list of the values; one alone is a list too, an object with numbered fields as well. Undefined when absent. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === '' || value === false) return [];
  if (Array.isArray(value)) return value as unknown[];
  if (
    isRecord(value) &&
    Object.keys(value).length > 0 &&
    Object.keys(value).every((key) => /^\d+$/.test(key))
  )
    return Object.values(value);
  return [value];
}

/**
 * A name in small letters as PostgreSQL's `lower` makes them, one for each: JavaScript has two for `İ`, and for `Σ` another one at the
 * end of a word.
 */
export const small = (name: string): string =>
  (UNLIKE_SQL.test(name) ? name.replaceAll('İ', 'i').replaceAll('Σ', 'σ') : name).toLowerCase();

const UNLIKE_SQL = /[İΣ]/;

const MOST_NAMES = 100;
/** Of names as they were sent: some say nothing, or the same as others. */
const MOST_SENT_NAMES = 1_000;
const LONGEST_NAME = 200;

/** Names of terms, each once: texts (separated by commas or not), or objects with a name. */
export function namesOf(value: unknown): string[] | undefined {
  const list = listOf(value)?.slice(0, MOST_SENT_NAMES);
  if (!list) return undefined;
  const names = new Map<string, string>();
  const sent = list.map((entry) => (isRecord(entry) ? textOf(entry.name) : textOf(entry)) ?? '');
  for (const text of Array.isArray(value) ? sent : sent.flatMap((all) => all.split(',', MOST_SENT_NAMES))) {
    const name = shorten(cleanText(shorten(text, 5 * LONGEST_NAME)), LONGEST_NAME);
    if (name !== '' && !names.has(small(name))) names.set(small(name), name);
    if (names.size === MOST_NAMES) break;
  }
  return [...names.values()];
}

/** The first of the names that holds text, as an address; '' says that there is none, undefined for everything else. */
export function websiteOf(raw: Raw, ...names: readonly string[]): string | undefined {
  const sent = names.map((name) => textOf(raw[name])).find((text) => text !== undefined);
  return sent ? readWebsite(shorten(sent, MOST_SENT).replaceAll('&amp;', '&')) : sent;
}

/** An address of the web; undefined for everything else. */
export function webAddressOf(value: unknown): string | undefined {
  const sent = isRecord(value) ? textOf(value.url) : textOf(value);
  const text = sent && sent.length <= MOST_SENT && stripControl(sent).trim();
  if (!text || text.length > 2048 || !URL.canParse(text)) return undefined;
  return /^https?:$/.test(new URL(text).protocol) ? text : undefined;
}

/** Columns of what a foreign sender says, by their names in SQL; what cannot be read is left out. */
export function plainOf(fields: PlainTable, raw: Raw): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  for (const name in fields) {
    const value = fields[name]?.type === 'boolean' ? flagOf(raw[name]) : lineOf(raw, name);
    if (value !== undefined) columns[name] = typeof value === 'string' ? shorten(value, MOST_LINE) : value;
  }
  return columns;
}
