/**
 * Addresses of this site as keys: two addresses that name the same thing have the same one. Scheme, `www.`, slashes at the
 * end, fragments, notation of escapes and upper case make no difference; of queries only the id of a thing counts.
 */
import { normalized } from '@sevenfold/text/normalized';
import { withoutWww } from '@sevenfold/text/site-host';
import { shorten, stripControl } from '@sevenfold/text/text';
import { trim, trimEnd } from '@sevenfold/text/trim';

// Longer ones are in no title.
const LONGEST_PHRASE = 200;

const ID_VARIABLES = ['p', 'page_id', 'attachment_id'];

/** `2026/11/21/hello`, `?p=12`, empty for the home page; undefined for addresses of other sites. `url` may be a path. */
export function pathOf(siteUrl: string, url: string): string | undefined {
  const { site, base, host } = siteOf(siteUrl);
  const text = url.startsWith('/') && !url.startsWith('//') ? `${site.origin}${url}` : url;
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return undefined;
  const given = new URL(text);
  if (withoutWww(given.host) !== host) return undefined;
  if (given.pathname !== base && !given.pathname.startsWith(`${base}/`)) return undefined;
  const path = trim(decoded(given.pathname.slice(base.length)), '/');
  const id = path === '' ? idIn(given.searchParams) : undefined;
  return id === undefined ? normalized(path.toLowerCase(), 'NFC') : plainPath(id);
}

interface Site {
  readonly site: URL;
  readonly base: string;
  readonly host: string;
}

let last: { readonly siteUrl: string; readonly parts: Site } | undefined;

/** A process serves one site, and an import tells it of thousands of addresses: the site's own is read once. */
function siteOf(siteUrl: string): Site {
  if (last?.siteUrl !== siteUrl) {
    const site = new URL(siteUrl);
    last = { siteUrl, parts: { site, base: trimEnd(site.pathname, '/'), host: withoutWww(site.host) } };
  }
  return last.parts;
}

/** The form with the id, which works in every status. */
export const plainPath = (id: number): string => `?p=${id}`;

function idIn(query: URLSearchParams): number | undefined {
  const found = ID_VARIABLES.map((name) => query.get(name)).find((value) => value !== null);
  const id = Number(found);
  return /^\d{1,15}$/.test(found ?? '') && id > 0 ? id : undefined;
}

function decoded(path: string): string {
  try {
    // PostgreSQL takes no null character; a path with one is no path of ours.
    return decodeURIComponent(path).replaceAll('\0', '\uFFFD');
  } catch {
    return path;
  }
}

/** An archive's address without its page: `category/news/page/2` is page 2 of `category/news`. */
export function withoutPage(path: string): { readonly path: string; readonly page: number } | undefined {
  const match = /^(?:(.*)\/)?page\/([1-9]\d{0,8})$/.exec(path);
  return match ? { path: match[1] ?? '', page: Number(match[2]) } : undefined;
}

/** What an address searches the site for, and which page of what was found it is; undefined where it does not. */
export function searchIn(
  siteUrl: string,
  url: string,
): { readonly phrase: string; readonly page: number } | undefined {
  const path = pathOf(siteUrl, url);
  if (path === undefined) return undefined;
  const list = path === '' ? { path, page: 1 } : withoutPage(path);
  const phrase = new URL(url, siteUrl).searchParams.get('s');
  if (list?.path !== '' || phrase === null) return undefined;
  return { phrase: shorten(stripControl(phrase), LONGEST_PHRASE).trim(), page: list.page };
}
