/**
 * Mail tags: `[field]`, `[_raw_field]`, `[_format_field "Y-m-d"]` and special ones such as `[_site_title]`. A text is read
 * once; what is put in is never read again, so a value that looks like a tag stays what it is.
 */
import { MailFault } from './fault';
import { formatText } from './format-date';
import type { Submitted, SubmittedField } from './template';

const TAG =
  /\[\[?[ \t]*([A-Za-z_][\w:.-]{0,200})(?:[ \t]+(?:"([^"\r\n]{0,200})"|'([^'\r\n]{0,200})'))?[ \t]*\]\]?/g;

/** In characters. Long values may stand in a template often, and few servers take a tenth of what they would make. */
const MOST_PUT_IN = 10 * 1024 * 1024;

export interface TagValue {
  readonly values: readonly string[];
  /** What of the values are the author's own words, which the visitor only chose from. Absent: nothing. */
  readonly authored?: readonly string[];
}

/**
 * What a tag stands for: of files, their names. Undefined: there is no such tag, and the text stays as it is written.
 */
export function valueOf(
  name: string,
  format: string | undefined,
  submitted: Submitted,
): TagValue | undefined {
  const sent = submitted.files.filter((file) => file.field === name);
  if (sent.length > 0) return { values: sent.map((file) => file.name) };
  const field = submitted.fields.get(name);
  if (field) return chosenIn(field);
  if (submitted.special.has(name)) return { values: [submitted.special.get(name) as string] };
  const [, how, inner = ''] = /^_(raw|format)_(.+)$/.exec(name) ?? [];
  const other = submitted.fields.get(inner);
  if (!other) return undefined;
  if (how === 'raw' || format === undefined) return { values: other.raw };
  return { values: other.raw.map((text) => formatText(text, format, submitted.zone)) };
}

function chosenIn({ raw, piped, own = [] }: SubmittedField): TagValue {
  if (!piped) return { values: raw };
  const values = piped.map((text, at) => [text, own[at] ?? ''].filter((part) => part !== '').join(' '));
  return { values, authored: piped };
}

/**
 * Calls `put` for each tag that stands for something. `[[tag]]` is the way to write a tag that is none. Throws MailFault
 * where what is put in has no end.
 */
export function replaceTags(text: string, submitted: Submitted, put: (value: TagValue) => string): string {
  let room = MOST_PUT_IN;
  return text.replace(TAG, (written: string, name: string, double?: string, single?: string) => {
    if (written.startsWith('[[') && written.endsWith(']]')) return written.slice(1, -1);
    const start = written.startsWith('[[') ? '[' : '';
    const end = written.endsWith(']]') ? ']' : '';
    const value = valueOf(name, double ?? single, submitted);
    if (!value) return written;
    const filled = put(value);
    room -= filled.length;
    if (room < 0) throw new MailFault('The mail would be too long: its template repeats long values.');
    return `${start}${filled}${end}`;
  });
}

export const joined = ({ values }: TagValue): string => values.filter((text) => text !== '').join(', ');

/** Names of the tags in a text, in order. */
export const tagsIn = (text: string): string[] =>
  [...text.matchAll(TAG)]
    .filter(([written]) => !(written.startsWith('[[') && written.endsWith(']]')))
    .map(([, name]) => name as string);
