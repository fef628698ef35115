/**
 * Answers of the site's own addresses: whole, as others may get them too (who has one already is told so later, by its
 * tag), and the way to elsewhere.
 */
import { createHash } from 'node:crypto';
import type { Answer } from '../edge/exchange';

export function taggedAnswer(
  body: Buffer,
  more: Readonly<Record<string, string>>,
  { page = false }: Pick<Answer, 'page'> = {},
): Answer {
  const tag = createHash('sha1').update(body).digest('base64url');
  const headers = {
    Allow: 'GET',
    // Kept, but asked for each time: what was taken back must not be shown any longer.
    'Cache-Control': 'no-cache',
    ETag: `"${tag}"`,
    ...more,
  };
  return { status: 200, headers, body, page, own: true };
}

export const moved = (location: string): Answer => ({
  status: 301,
  headers: {
    Allow: 'GET',
    Location: location,
    'Content-Type': 'text/html; charset=UTF-8',
    // Slugs come and go.
    'Cache-Control': 'no-cache',
  },
  body: Buffer.alloc(0),
  page: true,
});

/** Whether two paths are one: `%C3` and `%c3` are the same byte (RFC 3986, 6.2.2.1), and many clients write only the former. */
export const isSamePath = (one: string, other: string): boolean => lowerBytes(one) === lowerBytes(other);

const lowerBytes = (path: string): string => path.replace(/%[\dA-F]{2}/gi, (byte) => byte.toLowerCase());
