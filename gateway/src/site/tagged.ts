/** Answers of the site's own addresses: with a tag by which a client that has it already is told so, and the way to elsewhere. */
import { createHash } from 'node:crypto';
import { isKnown } from '@sevenfold/chassis/http/conditional';
import type { Answer, Exchange } from '../edge/exchange';

/** Whole, whatever its first reader has of it (unlessKnown): it may be kept for others. */
export const taggedAnswer = (
  body: Buffer,
  more: Readonly<Record<string, string>>,
  { page = false }: Pick<Answer, 'page'> = {},
): Answer => ({
  status: 200,
  headers: {
    Allow: 'GET',
    // Kept, but asked for each time: what was taken back must not be shown any longer.
    'Cache-Control': 'no-cache',
    ETag: `"${createHash('sha1').update(body).digest('base64url')}"`,
    ...more,
  },
  body,
  page,
  own: true,
});

/** For whoever has it already that word alone. */
export function unlessKnown({ request }: Exchange, answer: Answer): Answer {
  const tag = answer.headers?.ETag;
  if (answer.status !== 200 || !tag?.startsWith('"') || !isKnown(request.headers, tag.slice(1, -1)))
    return answer;
  return { ...answer, status: 304, body: Buffer.alloc(0), own: false };
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
