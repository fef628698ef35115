/** Which addresses are those of this site, in all the forms that people paste: any scheme, with or without `www.`, with a fragment. */
import { withoutWww } from '@sevenfold/text/site-host';
import { trimEnd } from '@sevenfold/text/trim';

/** The same address as the site itself writes it, whole; undefined for other sites and for what is no address. */
export function ownAddress(siteUrl: string, text: unknown): URL | undefined {
  const given = webAddress(text);
  if (!given) return undefined;
  const site = new URL(siteUrl);
  if (withoutWww(given.host) !== withoutWww(site.host)) return undefined;
  const base = trimEnd(site.pathname, '/');
  if (given.pathname !== base && !given.pathname.startsWith(`${base}/`)) return undefined;
  return new URL(`${site.origin}${plainPath(given.pathname)}${given.search}`);
}

/** As the site writes it: escapes only where they are needed, single slashes. */
const plainPath = (path: string): string =>
  path
    .replace(/%[\dA-F]{2}/gi, (escape) => {
      const character = String.fromCharCode(parseInt(escape.slice(1), 16));
      return /[\w~-]/.test(character) ? character : escape;
    })
    .replace(/\/{2,}/g, '/');

/** An address of http or https without a name and a password; undefined for all else. */
export function webAddress(text: unknown): URL | undefined {
  // Longer ones come from nobody's address bar.
  if (typeof text !== 'string' || text.length > 2_048 || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.username === '' && url.password === '' ? url : undefined;
}

/** The page that the address of its embedded form belongs to; undefined where it is no such address. */
export function withoutEmbed(address: URL): URL | undefined {
  const match = /^(.*\/)embed\/*$/.exec(address.pathname);
  if (!match) return undefined;
  const page = new URL(address);
  page.pathname = match[1] as string;
  return page;
}
