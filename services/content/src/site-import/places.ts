/** Addresses of the other site, as its export and its texts write them. */
import { trimEnd } from '@sevenfold/text/trim';

/** Host and path without scheme, fragment and slash at the end: what is compared. Empty for what is no address. */
export function placeOf(address: string): string {
  const url = readAddress(address);
  if (!url || url.search !== '') return '';
  return trimEnd(`${url.host}${decoded(url.pathname)}`, '/');
}

/** Also without a scheme, and with `&amp;`. */
export function readAddress(address: string): URL | undefined {
  const text = address.replace(/&(?:amp|#0*38|#x0*26);/gi, '&').replace(/^\/\//, 'https://');
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** What cannot be decoded stays as it is. */
export const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};
