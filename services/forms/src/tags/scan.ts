/*
 * Finds form tags in text: brackets, words, quoted values and enclosed content. It knows nothing of what they
 * mean. Linear in its input, whatever the input is: a reading ends at a bracket outside quotes, and two readings that
 * pass the same place are in quotes of different kinds for good (a quote opens for one what it closes for the other),
 * so there are never more of them than kinds of quotes.
 */

import { TYPES, isTagType, type TagType } from './form';

export interface Head {
  start: number;
  /** Behind the `]`. */
  end: number;
  type: TagType;
  starred: boolean;
  words: Word[];
  values: { text: string; quote: string; start: number }[];
}

export interface Word {
  text: string;
  start: number;
}

const TYPE = /\[([a-z]+)(\*?)(?=[\s\]])/y;
const SPACE = /\s*/y;
const WORD = /[^\s[\]"'“”„‟‘’‚‛]+/y;
const DOUBLE = '“”„‟';
const SINGLE = '‘’‚‛';
const CLOSERS = new Map<string, RegExp>([
  ['"', /"/g],
  ["'", /'/g],
  ...[...DOUBLE].map((quote): [string, RegExp] => [quote, new RegExp(`[${DOUBLE}]`, 'g')]),
  ...[...SINGLE].map((quote): [string, RegExp] => [quote, new RegExp(`[${SINGLE}]`, 'g')]),
]);

/** The tag that begins here, `unclosed` where one of ours begins and never ends, undefined where none does. */
export function readHead(text: string, start: number): Head | 'unclosed' | undefined {
  TYPE.lastIndex = start;
  const match = TYPE.exec(text);
  const type = match?.[1];
  if (!match || type === undefined || !isTagType(type)) return undefined;
  const head: Head = { start, end: 0, type, starred: match[2] === '*', words: [], values: [] };
  let at = start + match[0].length;
  for (;;) {
    at = skip(SPACE, text, at);
    if (text[at] === ']') return { ...head, end: at + 1 };
    at = readToken(text, head, at);
    if (at === -1) return 'unclosed';
  }
}

/** Behind the word or the quoted value that begins here, -1 where none does or it never ends. */
function readToken(text: string, head: Head, at: number): number {
  const quote = text.charAt(at);
  const closer = CLOSERS.get(quote);
  if (!closer) {
    const end = skip(WORD, text, at);
    if (end === at) return -1;
    head.words.push({ text: text.slice(at, end), start: at });
    return end;
  }
  closer.lastIndex = at + 1;
  const close = closer.exec(text)?.index;
  if (close === undefined) return -1;
  head.values.push({ text: text.slice(at + 1, close), quote, start: at });
  return close + 1;
}

/** Where the content of an enclosing tag and its closing tag end; undefined where another tag begins before. */
export function findClosing(
  text: string,
  type: TagType,
  from: number,
): { start: number; end: number } | undefined {
  const pattern = /\[(\/?)([a-z]+)\*?(?=[\s\]])/g;
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const name = match[2]!;
    if (!isTagType(name)) continue;
    const end = match.index + match[0].length;
    const closes = match[1] === '/' && name === type && text[end] === ']';
    if (closes) return { start: match.index, end: end + 1 };
    if (match[1] === '' || TYPES[name].encloses) return undefined;
  }
  return undefined;
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match ? at + match[0].length : at;
}
