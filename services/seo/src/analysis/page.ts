/** What a piece of HTML links to and shows, with whole addresses, and how much there is to read. */
import { decodeEntities } from '@sevenfold/text/html';
import { attributesOf, nextMarkup, textOf } from '@sevenfold/text/markup';

export interface Page {
  readonly links: readonly string[];
  readonly images: readonly string[];
  readonly wordCount: number;
}

// What a page with more of them gains by being in a graph, nobody can read.
const MOST = 1_000;

export function readPage(html: string, base: string): Page {
  const links = new Set<string>();
  const images = new Set<string>();
  for (let found = nextMarkup(html, 0); found; found = nextMarkup(html, found.end)) {
    if (found.kind !== 'open') continue;
    const [into, name] =
      found.name === 'a' ? [links, 'href'] : found.name === 'img' ? [images, 'src'] : [undefined, ''];
    if (!into || into.size >= MOST) continue;
    const value = attributesOf(html, found).find((attribute) => attribute.name === name)?.value;
    const address = value === undefined ? undefined : wholeAddress(value, base);
    if (address !== undefined) into.add(address);
  }
  const words = decodeEntities(textOf(html, ' ')).match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu);
  return { links: [...links], images: [...images], wordCount: words?.length ?? 0 };
}

function wholeAddress(value: string, base: string): string | undefined {
  const text = decodeEntities(value).trim();
  if (text === '' || text.startsWith('#') || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.hash = '';
  return url.href;
}
