/** Sitemaps as XML, by the schema of sitemaps.org and what search engines add for pictures and news. Pure. */
import { xmlText } from '@sevenfold/text/xml';
import type { Entry, Listed, News } from './store';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SITEMAPS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const IMAGES = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"';
const NEWS = 'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"';

/** The schema takes no longer ones. */
const LONGEST_ADDRESS = 2_048;

export interface Sitemap {
  readonly body: string;
  readonly entries: number;
  /** How many found no room. */
  readonly left: number;
}

/** No larger than `mostBytes`: pictures are left out first where it would be, then whole entries. */
export function renderSitemap(entries: readonly Entry[], mostBytes: number): Sitemap {
  const opening = `${HEAD}<urlset ${SITEMAPS} ${IMAGES}>\n`;
  const closing = '</urlset>\n';
  const parts: string[] = [];
  const texts = entries.map((entry) => ({ entry, bare: urlOf(entry, false) }));
  // What all need without pictures is set aside first, so that those of the first ones cost no entry its place.
  let room = mostBytes - bytesOf(opening + closing) - texts.reduce((sum, { bare }) => sum + bytesOf(bare), 0);
  for (const { entry, bare } of texts) {
    const whole = urlOf(entry, true);
    const more = bytesOf(whole) - bytesOf(bare);
    if (room < 0) room += bytesOf(bare);
    else if (more <= room) {
      parts.push(whole);
      room -= more;
    } else parts.push(bare);
  }
  return {
    body: opening + parts.join('') + closing,
    entries: parts.length,
    left: texts.length - parts.length,
  };
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

const urlOf = ({ permalink, modified, images }: Entry, withImages: boolean): string => {
  const lastmod = modified === null ? '' : `<lastmod>${modified}</lastmod>`;
  const pictures = withImages ? images.filter((url) => url.length <= LONGEST_ADDRESS) : [];
  const shown = pictures.map((url) => `<image:image><image:loc>${xmlText(url)}</image:loc></image:image>`);
  return `<url><loc>${xmlText(permalink)}</loc>${lastmod}${shown.join('')}</url>\n`;
};

export function renderIndex(siteUrl: string, sitemaps: readonly Listed[], news: string | undefined): string {
  const entries = sitemaps.map(({ kind, bucket, modified }) =>
    sitemapOf(`${siteUrl}/sitemap-${kind}-${bucket + 1}.xml`, modified),
  );
  if (news !== undefined) entries.push(sitemapOf(`${siteUrl}/sitemap-news.xml`, news));
  return `${HEAD}<sitemapindex ${SITEMAPS}>\n${entries.join('')}</sitemapindex>\n`;
}

const sitemapOf = (url: string, modified: string): string =>
  `<sitemap><loc>${xmlText(url)}</loc><lastmod>${modified}</lastmod></sitemap>\n`;

export function renderNews(
  posts: readonly News[],
  { title, language }: { readonly title: string; readonly language: string },
): string {
  // Two or three letters, except for Chinese.
  const short = /^zh-(?:cn|tw)$/i.test(language) ? language.toLowerCase() : language.split('-', 1)[0];
  const publication = `<news:publication><news:name>${xmlText(title)}</news:name><news:language>${xmlText(short ?? '')}</news:language></news:publication>`;
  const entries = posts.map(
    ({ permalink, name, published }) =>
      `<url><loc>${xmlText(permalink)}</loc><news:news>${publication}<news:publication_date>${published}</news:publication_date><news:title>${xmlText(name)}</news:title></news:news></url>\n`,
  );
  return `${HEAD}<urlset ${SITEMAPS} ${NEWS}>\n${entries.join('')}</urlset>\n`;
}

export function renderRobots(
  siteUrl: string,
  { isHidden, disallowed }: { readonly isHidden: boolean; readonly disallowed: readonly string[] },
): string {
  if (isHidden) return 'User-agent: *\nDisallow: /\n';
  const lines = ['/console/', ...disallowed].map((path) => `Disallow: ${path}\n`);
  return `User-agent: *\n${lines.join('')}\nSitemap: ${siteUrl}/sitemap.xml\n`;
}
