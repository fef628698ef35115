/** Reading loose JSON of foreign senders: everything may be absent, of another type, or wrapped in a list of one. */
import { cleanText, shorten, stripControl } from '@sevenfold/text/text';
import { MOST_LINE, type PlainTable } from '../common/fields';

export type Raw = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Raw =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Text as sent, numbers as text; undefined for absent, null and everything else. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return undefined;
}

/** The first of the names that holds text; one line, without tags. */
export function lineOf(raw: Raw, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textOf(raw[name]);
    if (text !== undefined) return cleanText(text);
  }
  return undefined;
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

const MOST_NAMES = 100;

/** Names of terms, each once: texts (separated by commas or not), or objects with a name. */
export function namesOf(value: unknown): string[] | undefined {
  const list = listOf(value);
  if (!list) return undefined;
  const names = new Map<string, string>();
  for (const entry of list) {
    const text = isRecord(entry) ? textOf(entry.name) : textOf(entry);
    for (const part of Array.isArray(value) ? [text ?? ''] : (text ?? '').split(',')) {
      const name = shorten(cleanText(part), 200);
      if (name !== '' && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
    }
  }
  return [...names.values()].slice(0, MOST_NAMES);
}

/** An address of the web; undefined for everything else. */
export function webAddressOf(value: unknown): string | undefined {
  const sent = isRecord(value) ? textOf(value.url) : textOf(value);
  const text = sent && stripControl(sent).trim();
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
