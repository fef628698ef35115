/** The files that crawlers ask for: /sitemap.xml, the sitemaps it names, /robots.txt. */
import type { Deps } from '../deps';

export interface CrawlerFile {
  readonly contentType: string;
  readonly body: Buffer;
  /** ISO 8601, UTC */
  readonly modifiedUtc: string;
}

/** Undefined where there is no such file. `path` begins with a slash. */
export async function findCrawlerFile({ siteUrl }: Deps, path: string): Promise<CrawlerFile | undefined> {
  if (path !== '/robots.txt') return Promise.resolve(undefined);
  const text = `User-agent: *\nDisallow:\n\nSitemap: ${siteUrl}/sitemap.xml\n`;
  const file = { contentType: 'text/plain; charset=UTF-8', body: Buffer.from(text), modifiedUtc: '' };
  return Promise.resolve(file);
}
