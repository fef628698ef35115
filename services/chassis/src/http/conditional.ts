/**
 * Whether a client has already what it asks for (RFC 9110, 13.2.2): by tag where it names any, else by time. Weak tags count: who
 * reads a whole thing gains nothing from the difference.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** What the client has, without quotes and marks of weakness; `*` alone for whatever there is. */
export function tagsIn({ 'if-none-match': header = '' }: IncomingHttpHeaders): string[] {
  if (header.trim() === '*') return ['*'];
  return Array.from(header.matchAll(/"([^"]*)"/g), ([, tag]) => tag as string);
}

/** `tag` without quotes. HTTP knows whole seconds only. */
export function isKnown(headers: IncomingHttpHeaders, tag: string, modified?: Date): boolean {
  if (headers['if-none-match'] !== undefined)
    return tagsIn(headers).some((one) => one === '*' || one === tag);
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return modified !== undefined && wholeSeconds(modified) <= since;
}

export const wholeSeconds = (date: Date): number => Math.floor(date.getTime() / 1000) * 1000;
