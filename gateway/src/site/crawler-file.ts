/** Sitemaps and robots.txt, from the seo service; robots.txt as it was last while that is away. */
import type { IncomingHttpHeaders } from 'node:http';
import { tagsIn } from '@sevenfold/chassis/http/conditional';
import type { Answer } from '../edge/exchange';
import type { LastKnown, SiteAddress } from './address';

// A sitemap that nobody has made yet is made for the first one who asks.
const DEADLINE_MS = 10_000;
/** What a client may have of one address, large ones of which are not sent again; the service is not told of more. */
const MOST_TAGS = 20;

const ROBOTS = '/robots.txt';

export const crawlerFile: SiteAddress = {
  name: 'file for crawlers',
  read: ({ path }) => (path === ROBOTS || /^\/sitemap[-\w]{0,100}\.xml$/.test(path) ? path : undefined),
  answer: async (path, exchange, { clients, lastKnown }, seen) => {
    exchange.by = 'seo';
    const isRobots = path === ROBOTS;
    // It is kept whole, whatever the client has of it.
    const known = isRobots ? [] : namesIn(exchange.request.headers);
    const asked = clients.seo.getCrawlerFile(
      { path, known },
      { requestId: exchange.id, deadlineMs: DEADLINE_MS, repeatable: true, seen },
    );
    if (!isRobots) {
      const file = await asked;
      return file.found ? answerOf(file, known) : undefined;
    }
    // Without one, crawlers that hear of a fault stay away from the whole site.
    const file = await asked.catch((error: unknown) => {
      const last = lastKnown.get(path);
      if (last) return last;
      throw error;
    });
    lastKnown.set(path, file);
    return answerOf(file, known);
  },
};

const namesIn = ({ 'if-none-match': named }: IncomingHttpHeaders): string[] =>
  tagsIn(named)
    .slice(0, MOST_TAGS)
    .map(({ name }) => name);

function answerOf(file: LastKnown, known: readonly string[]): Answer {
  const modified = file.modifiedUtc === '' ? undefined : new Date(file.modifiedUtc);
  const headers = {
    Allow: 'GET',
    'Content-Type': file.contentType,
    // As pages: what names something that was taken back is not shown on. Where it is kept here, its keys go with it (cache/make.ts).
    'Cache-Control': 'no-cache',
    ETag: `"${file.digest}"`,
    ...(modified && { 'Last-Modified': modified.toUTCString() }),
  };
  if (known.includes(file.digest) && file.body.length === 0)
    return { status: 304, headers, body: Buffer.alloc(0) };
  return { status: 200, headers, body: file.body, own: true };
}
