/**
 * What can be read in a mail as this service makes it (mime.ts): headers and texts in clear, whatever they are encoded as. To look
 * for words in it, not to show it.
 */
import { stripControl } from '@sevenfold/text/text';

/** Texts come before files, which nobody looks into elsewhere, either; and those of a submission are a few megabytes at most. */
const MOST_BYTES = 8 * 1024 * 1024;
const BASE64_LINE = /^[A-Za-z0-9+/]{4,76}={0,2}$/;
const BASE64_WORD = /=\?UTF-8\?B\?([A-Za-z0-9+/=]+)\?=/gi;

export function wordsOf(mail: Buffer): string {
  const text = mail.subarray(0, MOST_BYTES).toString('latin1');
  const encoded = [...encodedParts(text), ...Array.from(text.matchAll(BASE64_WORD), ([, word = '']) => word)];
  const decoded = encoded.map((one) => Buffer.from(one, 'base64').toString());
  return stripControl([quotedInClear(text), ...decoded].join('\n'));
}

function encodedParts(text: string): string[] {
  const parts: string[][] = [[]];
  for (const line of text.split(/\r?\n/))
    if (BASE64_LINE.test(line)) parts.at(-1)?.push(line);
    else if (parts.at(-1)?.length) parts.push([]);
  return parts.map((lines) => lines.join(''));
}

/** Lines that were cut are whole again. */
const quotedInClear = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
    'latin1',
  ).toString();
