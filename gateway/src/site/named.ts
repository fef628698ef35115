/** Public addresses of the site as its owners and the index are asked for them: whichever form somebody gives, without what names nothing. */
import { withoutWww } from '@sevenfold/text/site-host';
import { isSamePath } from './tagged';

/** No address of the site is longer; nobody is asked for those. */
export const LONGEST = 2_048;
/** What of a query names an item. */
const NAMING = ['p', 'page_id', 'attachment_id', 'post_type'];

/** `path` is that below the site. */
export function addressOf(path: string, query: string, siteUrl: string): URL | undefined {
  if (!URL.canParse(`${siteUrl}${path}`)) return undefined;
  const address = new URL(`${siteUrl}${path}`);
  address.hash = '';
  const given = new URLSearchParams(query.slice(0, LONGEST));
  for (const name of NAMING) {
    const value = given.get(name);
    if (value !== null) address.searchParams.set(name, value.slice(0, 40));
  }
  return address;
}

export interface Given {
  /** Below the site, from its slash on. */
  readonly path: string;
  /** With what it searches for. */
  readonly query: string;
}

/**
 * What somebody gives as an address, whole or from the path on, by http or https, with `www.` or without, as the index reads them
 * (seo/src/addresses/paths.ts); undefined for those of other sites.
 */
export function givenAddress(given: string, siteUrl: string): Given | undefined {
  const site = new URL(siteUrl);
  const text = given.startsWith('/') && !given.startsWith('//') ? `${site.origin}${given}` : given;
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return undefined;
  const { pathname, search, ...url } = partsOf(text);
  const base = site.pathname.replace(/\/$/, '');
  if (url.host !== partsOf(siteUrl).host) return undefined;
  if (pathname !== base && !pathname.startsWith(`${base}/`)) return undefined;
  return { path: pathname.slice(base.length) || '/', query: search.slice(1) };
}

function partsOf(text: string): Pick<URL, 'host' | 'pathname' | 'search'> {
  const { host, pathname, search } = new URL(text);
  return { host: withoutWww(host), pathname, search };
}

export const isSameAddress = (one: URL, other: URL): boolean =>
  isSamePath(one.pathname, other.pathname) && one.searchParams.get('p') === other.searchParams.get('p');
