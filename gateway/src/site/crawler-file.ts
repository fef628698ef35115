/** Sitemaps and robots.txt, from the seo service; robots.txt as it was last while that is away. */
import type { IncomingHttpHeaders } from 'node:http';
import { isKnown, tagsIn } from '@sevenfold/chassis/http/conditional';
import type { Answer } from '../edge/exchange';
import type { LastKnown, SiteAddress } from './address';

// A sitemap that nobody has made yet is made for the first one who asks.
const DEADLINE_MS = 10_000;
const SECONDS = 60;
/** What a cache may have kept of one address; the service is not told of more. */
const MOST_TAGS = 20;

const ROBOTS = '/robots.txt';

export const crawlerFile: SiteAddress = {
  name: 'file for crawlers',
  read: ({ path }) => (path === ROBOTS || /^\/sitemap[-\w]{0,100}\.xml$/.test(path) ? path : undefined),
  answer: async (path, exchange, { clients, lastKnown }, seen) => {
    exchange.by = 'seo';
    const { headers } = exchange.request;
    const isRobots = path === ROBOTS;
    const asked = clients.seo.getCrawlerFile(
      // It is kept whole, whatever the client has of it.
      { path, known: isRobots ? [] : tagsIn(headers).slice(0, MOST_TAGS) },
      { requestId: exchange.id, deadlineMs: DEADLINE_MS, repeatable: true, seen },
    );
    if (!isRobots) {
      const file = await asked;
      return file.found ? answerOf(file, headers) : undefined;
    }
    // Without one, crawlers that hear of a fault stay away from the whole site.
    const file = await asked.catch((error: unknown) => {
      const last = lastKnown.get(path);
      if (last) return last;
      throw error;
    });
    lastKnown.set(path, file);
    return answerOf(file, headers);
  },
};

function answerOf(file: LastKnown, asked: IncomingHttpHeaders): Answer {
  const modified = file.modifiedUtc === '' ? undefined : new Date(file.modifiedUtc);
  const headers = {
    Allow: 'GET',
    'Content-Type': file.contentType,
    'Cache-Control': `public, max-age=${SECONDS}`,
    ETag: `"${file.digest}"`,
    ...(modified && { 'Last-Modified': modified.toUTCString() }),
  };
  if (isKnown(asked, file.digest, modified)) return { status: 304, headers, body: Buffer.alloc(0) };
  return { status: 200, headers, body: file.body, own: true };
}
