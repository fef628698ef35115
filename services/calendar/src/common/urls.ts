/** Addresses that people type as a website: `http://` is put before a bare host; what is no web address is undefined. */
import { stripControl } from '@sevenfold/text/text';

const MOST_CHARACTERS = 2048;

export function readWebsite(text: string): string | undefined {
  // Before it is cleaned: what is cleaned away is little, or it was no address.
  if (text.length > 2 * MOST_CHARACTERS) return undefined;
  const plain = stripControl(text).trim();
  if (plain === '' || plain.length > MOST_CHARACTERS || /[\s<>"]/.test(plain)) return undefined;
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(plain) && !/^[\w.-]+:\d/.test(plain);
  // One word is no host that anybody could mean.
  if (!hasScheme && !/^[^/?#]+\.[^/?#]/.test(plain)) return undefined;
  const url = hasScheme ? plain : `http://${plain}`;
  // Of such an address there is no other host than one that it names.
  return /^https?:/i.test(url) && URL.canParse(url) ? url : undefined;
}
