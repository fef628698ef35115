/** Where a page says that its oEmbed data are: links in its head. */
import { decodeEntities } from '@sevenfold/text/html';
import { type Markup, attributesOf, endOfRawElement, nextMarkup } from '@sevenfold/text/markup';
import { webAddress } from '../site/address';
import type { Errand } from './fetch';

const KINDS = ['application/json+oembed', 'text/xml+oembed', 'application/xml+oembed'];
const RAW = new Set(['script', 'style', 'title', 'noscript', 'template']);
/** What looks like its end may stand in a comment or a script. */
const HEAD_ENDS = { mark: /<\/head\s*>|<body[\s>]/i, isIn: (html: string): boolean => headOf(html).isWhole };

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
  for (const tag of headOf(html).tags) {
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

/** Tags that say where something is, up to the end of the head; without one, all that there are. */
function headOf(html: string): { readonly tags: readonly Markup[]; readonly isWhole: boolean } {
  const tags: Markup[] = [];
  for (let at = 0, tag = nextMarkup(html, at); tag; tag = nextMarkup(html, at)) {
    const isOpen = tag.kind === 'open';
    if ((isOpen && tag.name === 'body') || (tag.kind === 'close' && tag.name === 'head'))
      return { tags, isWhole: true };
    at = isOpen && RAW.has(tag.name) ? endOfRawElement(html, tag.name, tag.end).end : tag.end;
    if (isOpen && (tag.name === 'link' || tag.name === 'base')) tags.push(tag);
  }
  return { tags, isWhole: false };
}
