/** Answers of the site's own addresses: with a tag by which a client that has it already is told so, and the way to elsewhere. */
import { createHash } from 'node:crypto';
import { isKnown } from '@sevenfold/chassis/http/conditional';
import type { Answer, Exchange } from '../edge/exchange';

export function taggedAnswer(
  { request }: Exchange,
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
  return isKnown(request.headers, tag)
    ? { status: 304, headers, body: Buffer.alloc(0), page }
    : { status: 200, headers, body, page, own: true };
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
