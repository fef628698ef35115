/**
 * Addresses that people type into a form: made harmless instead of refused. What cannot be a link to follow becomes
 * empty text, so `javascript:` and its kin never reach a page.
 */
import { hidesScript } from '@sevenfold/text/safe-url';
import { stripControl } from '@sevenfold/text/text';

const SCHEMES: ReadonlySet<string> = new Set([
  'http',
  'https',
  'ftp',
  'ftps',
  'mailto',
  'tel',
  'news',
  'irc',
  'xmpp',
  'webcal',
]);
const MOST_CHARACTERS = 2048;

/** The address without characters that have no place in one; `http://` is put before a bare host. */
export function cleanUrl(text: string): string {
  const url = stripControl(text)
    .trim()
    .replaceAll(' ', '%20')
    .replace(/[\s<>"`{}^\\]/g, '');
  if (url === '' || url.length > MOST_CHARACTERS) return '';
  if (/^[/#?]/.test(url)) return url;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && SCHEMES.has(scheme)) return hidesScript(url) ? '' : url;
  // `host.org:8080/path` only looks like a scheme.
  const bareHost = scheme === undefined || /^[\w-]+(?:\.[\w-]+)+:\d{1,5}(?:[/?#]|$)/.test(url);
  return bareHost ? `http://${url}` : '';
}
