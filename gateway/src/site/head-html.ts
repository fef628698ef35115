/** The head of a page, and what its headers tell of it: of the index where that knows it, else the least of it. */
import { escapeAttribute, escapeHtml } from '@sevenfold/text/html';
import type { SiteFacts } from '@sevenfold/proto/gen/sevenfold/content/v1/site';
import type { Found } from './ask';
import { pageLink, shortText, titleOfObject, titleOfPost } from './content-html';

export const linkOf = (found: Found): string =>
  found.kind === 'post'
    ? found.post.link
    : found.kind === 'calendar'
      ? found.object.link
      : pageLink(found.archive.link, found.archive.page);

/** Of what a password protects the index tells too much. */
export const hasHead = (found: Found): boolean => found.kind !== 'post' || !found.post.hasPassword;

export interface Head {
  readonly html: string;
  /** The same as data, JSON. */
  readonly json: string;
}

/** What the owners tell. `robots` is what the index knows to be wanted, if anything: that tells nothing of what is hidden. */
export function leastHead(found: Found, { title: siteName }: SiteFacts, robots = ''): Head {
  const [named, description] = describe(found);
  const title = named === '' ? siteName : `${named} – ${siteName}`;
  const canonical = linkOf(found);
  const wanted = hasHead(found) ? robots : 'noindex';
  const html = [
    `<title>${escapeHtml(title)}</title>`,
    description === '' ? '' : `<meta name="description" content="${escapeAttribute(description)}">`,
    `<link rel="canonical" href="${escapeAttribute(canonical)}">`,
    wanted === '' ? '' : `<meta name="robots" content="${escapeAttribute(wanted)}">`,
  ].join('');
  // With every member that a head of the index has (seo/src/analysis/head.ts): who reads them need not look which it is.
  const data = {
    title,
    description,
    canonical,
    robots: wanted === '' ? 'index, follow' : wanted,
    url: canonical,
    type: 'website',
    og: { title, description },
    twitter: { title, description },
    breadcrumb: [{ name: named === '' ? siteName : named, url: canonical }],
    schema: { '@context': 'https://schema.org', '@graph': [] },
  };
  return { html, json: JSON.stringify(data) };
}

function describe(found: Found): readonly [title: string, description: string] {
  if (found.kind === 'post')
    return [titleOfPost(found.post), found.post.hasPassword ? '' : shortText(found.post.excerpt)];
  if (found.kind === 'calendar') return [titleOfObject(found.object), shortText(found.object.excerpt)];
  const { title, page, description } = found.archive;
  return [
    [title, page > 1 ? `page ${page}` : ''].filter((part) => part !== '').join(', '),
    shortText(description),
  ];
}

/** Where other sites learn how the item is shown in a frame, and programs what is said about it; archives have neither. */
export function discoveryHtml(found: Found, siteUrl: string): string {
  if (found.kind === 'archive') return '';
  const provider = `${siteUrl}/rest/oembed/1.0/embed?url=${encodeURIComponent(linkOf(found))}`;
  const link = (type: string, address: string): string =>
    `<link rel="alternate" type="${type}" href="${escapeAttribute(address)}">`;
  // Comments on what a password protects are for those who have it.
  const isCommented = found.kind === 'post' && !found.post.hasPassword;
  return [
    link('application/json+oembed', provider),
    link('text/xml+oembed', `${provider}&format=xml`),
    isCommented ? link('application/rss+xml', `${found.post.link}feed/`) : '',
  ].join('');
}

export function pagesHtml(found: Found): string {
  if (found.kind !== 'archive') return '';
  const { link, page, pages } = found.archive;
  const to = (rel: string, number: number): string =>
    number < 1 || number > pages
      ? ''
      : `<link rel="${rel}" href="${escapeAttribute(pageLink(link, number))}">`;
  return to('prev', page - 1) + to('next', page + 1);
}

const COLLECTIONS: Readonly<Record<string, string>> = {
  post: 'core/v2/posts',
  page: 'core/v2/pages',
  attachment: 'core/v2/media',
  event: 'calendar/events/v1/events',
  venue: 'calendar/events/v1/venues',
  organizer: 'calendar/events/v1/organizers',
  author: 'core/v2/users',
  category: 'core/v2/categories',
  post_tag: 'core/v2/tags',
  calendar_events_cat: 'core/v2/calendar_events_cat',
};

/** `Link`: the interface, the same thing there, and the address that lasts. */
export function linkHeader(found: Found, siteUrl: string): string {
  const [kind, id] =
    found.kind === 'post'
      ? [found.post.type, found.post.id]
      : found.kind === 'calendar'
        ? [found.object.type, found.object.id]
        : [found.archive.kind, found.archive.id];
  const collection = COLLECTIONS[kind];
  const links = [`<${siteUrl}/rest/>; rel="service"`];
  if (collection)
    links.push(`<${siteUrl}/rest/${collection}/${id}>; rel="alternate"; type="application/json"`);
  if (found.kind === 'post') links.push(`<${siteUrl}/?p=${id}>; rel="shortlink"`);
  return links.join(', ');
}
