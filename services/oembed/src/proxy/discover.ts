/** Where a page says that its oEmbed data are: links in its head. */
import { decodeEntities } from '@sevenfold/text/html';
import { attributesOf, endOfRawElement, nextMarkup } from '@sevenfold/text/markup';
import { webAddress } from '../site/address';
import type { Errand } from './fetch';

const KINDS = ['application/json+oembed', 'text/xml+oembed', 'application/xml+oembed'];
const RAW = new Set(['script', 'style', 'title', 'noscript', 'template']);
const HEAD_ENDS = /<\/head\s*>|<body[\s>]/i;

/** JSON before XML; undefined where the page names none. Throws NoAnswer where there is no page. */
export async function discover(errand: Errand, address: URL): Promise<URL | undefined> {
  const { url, contentType, text } = await errand.fetch(
    address,
    'text/html, application/xhtml+xml',
    HEAD_ENDS,
  );
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/.test(contentType)) return undefined;
  return oembedLink(text, url);
}

function oembedLink(html: string, page: URL): URL | undefined {
  const found: { readonly kind: string; readonly href: string }[] = [];
  // The first one counts, wherever it stands: for links before it too.
  let base: URL | undefined;
  const end = HEAD_ENDS.exec(html)?.index ?? html.length;
  for (let at = 0, tag = nextMarkup(html, at); tag && tag.start < end; tag = nextMarkup(html, at)) {
    at = tag.kind === 'open' && RAW.has(tag.name) ? endOfRawElement(html, tag.name, tag.end).end : tag.end;
    if (tag.kind !== 'open' || (tag.name !== 'link' && tag.name !== 'base')) continue;
    const named = new Map(
      attributesOf(html, tag).map(({ name, value }) => [name, decodeEntities(value ?? '')]),
    );
    const href = (named.get('href') ?? '').trim();
    if (tag.name === 'base') {
      if (named.has('href')) base ??= URL.canParse(href, page.href) ? new URL(href, page) : page;
      continue;
    }
    const kind = (named.get('type') ?? '').trim().toLowerCase();
    const isAlternate = /(?:^|\s)alternat(?:e|ive)(?:\s|$)/i.test(named.get('rel') ?? '');
    if (isAlternate && KINDS.includes(kind) && href !== '') found.push({ kind, href });
  }
  const from = base ?? page;
  return KINDS.flatMap((kind) => found.filter((one) => one.kind === kind))
    .map(({ href }) => (URL.canParse(href, from.href) ? webAddress(new URL(href, from).href) : undefined))
    .find((url) => url !== undefined);
}
