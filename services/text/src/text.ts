/*
 * Cleaning of plain text before it is stored or shown: control characters, one-line and multi-line fields,
 * cutting by words. Text that is HTML belongs to html.ts.
 */

import { textOf } from './markup';

// C0 controls but tab and line ends, DEL, and halves of surrogate pairs.

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/gu;

/**
 * Removes what PostgreSQL (NUL, lone surrogates) or XML (other controls) refuses; keeps tab, CR and LF.
 * Everything stored passes here.
 */
export function stripControl(value: string): string {
  return value.replace(CONTROL, '');
}

// Nothing to take out, and single spaces between words: most of what is sent as a line. Above ASCII up to where further white space begins.
const CLEAN = /^[!-;=-~\u00a1-\u167f]+(?: [!-;=-~\u00a1-\u167f]+)*$/;

/** For one-line fields: no tags, no controls, runs of white space as one space, trimmed. */
export function cleanText(value: string): string {
  if (CLEAN.test(value)) return value;
  return textOf(stripControl(value)).replace(/\s+/g, ' ').trim();
}

/** Like cleanText, but keeps line breaks (as LF) and spacing inside lines. */
export function cleanMultiline(value: string): string {
  return textOf(stripControl(value).replace(/\r\n?/g, '\n')).trim();
}

/** The first `most` UTF-16 units, never half of a pair: JSON with one in it is none for PostgreSQL. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

/** Whether it has more than `most` characters, as code points. Each has one or two units: what is shorter, or much longer, is not counted. */
export const isLonger = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most);

/** The first `count` words joined by single spaces; `more` follows only where something was cut off. */
export function truncateWords(text: string, count: number, more = '…'): string {
  const words: string[] = [];
  for (const match of text.matchAll(/\S+/g)) {
    if (words.length === count) return words.join(' ') + more;
    words.push(match[0]);
  }
  return words.join(' ');
}

/** For what is kept for long: a part of a text keeps all of it in memory. */
export const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');
