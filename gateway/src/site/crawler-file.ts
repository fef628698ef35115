/** Sitemaps and robots.txt, from the seo service; robots.txt as it was last while that is away. */
import type { Answer } from '../edge/exchange';
import type { LastKnown, SiteAddress } from './address';

// A sitemap that nobody has made yet is made for the first one who asks.
const DEADLINE_MS = 10_000;
const SECONDS = 60;
/** What a cache may have kept of one address; more are not compared. */
const MOST_TAGS = 20;

const ROBOTS = '/robots.txt';

export const crawlerFile: SiteAddress = {
  name: 'file for crawlers',
  read: ({ path }) => (path === ROBOTS || /^\/sitemap[-\w]{0,100}\.xml$/.test(path) ? path : undefined),
  answer: async (path, exchange, { clients, lastKnown }) => {
    exchange.by = 'seo';
    const { headers } = exchange.request;
    const tags = readTags(headers['if-none-match']);
    const isRobots = path === ROBOTS;
    const asked = clients.seo.getCrawlerFile(
      // It is kept whole, whatever the client has of it.
      { path, known: isRobots ? [] : tags },
      { requestId: exchange.id, deadlineMs: DEADLINE_MS, repeatable: true },
    );
    if (!isRobots) {
      const file = await asked;
      return file.found ? answerOf(file, tags, headers['if-modified-since']) : undefined;
    }
    // Without one, crawlers that hear of a fault stay away from the whole site.
    const file = await asked.catch((error: unknown) => {
      const last = lastKnown.get(path);
      if (last) return last;
      throw error;
    });
    lastKnown.set(path, file);
    return answerOf(file, tags, headers['if-modified-since']);
  },
};

function answerOf(file: LastKnown, tags: readonly string[], since: string | undefined): Answer {
  const headers = {
    Allow: 'GET',
    'Content-Type': file.contentType,
    'Cache-Control': `public, max-age=${SECONDS}`,
    ETag: `"${file.digest}"`,
    ...(file.modifiedUtc !== '' && { 'Last-Modified': new Date(file.modifiedUtc).toUTCString() }),
  };
  // A tag decides where there is one (RFC 9110, 13.2.2).
  const isKnown =
    tags.length > 0 ? tags.includes(file.digest) || tags.includes('*') : isNoNewer(file.modifiedUtc, since);
  if (isKnown) return { status: 304, headers, body: Buffer.alloc(0) };
  return { status: 200, headers, body: file.body, own: true };
}

const isNoNewer = (modifiedUtc: string, since: string | undefined): boolean =>
  modifiedUtc !== '' && since !== undefined && Date.parse(modifiedUtc) <= Date.parse(since);

/** Without quotes and marks of weakness, which do not matter for reading. */
const readTags = (header: string | undefined): string[] =>
  header === '*'
    ? ['*']
    : Array.from((header ?? '').matchAll(/"([^"]*)"/g), ([, tag]) => tag as string).slice(0, MOST_TAGS);
