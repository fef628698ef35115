/**
 * What a piece of HTML says, links to and shows: blocks of plain text, links and pictures with whole addresses.
 * One pass, linear in its input whatever that is; what is behind the first million characters is not looked at.
 */
import { decodeEntities } from '@sevenfold/text/html';
import { attributesOf, endOfRawElement, isBlockTag, type Markup, nextMarkup } from '@sevenfold/text/markup';
import { shorten, stripControl } from '@sevenfold/text/text';
import { MOST_INDEXED } from '@sevenfold/text/told';
import type { Link } from './shape';

export interface Page {
  /** Paragraphs, list items, cells, headings … that have text, in their order. */
  readonly blocks: readonly Block[];
  readonly links: readonly Link[];
  readonly pictures: readonly Picture[];
}

export interface Block {
  readonly isHeading: boolean;
  /** White space is single spaces. */
  readonly text: string;
}

export interface Picture {
  readonly url: string;
  readonly alt: string;
}

// What a page with more of them gains by being in a graph, nobody can read.
const MOST_ADDRESSES = 1_000;
export const LONGEST_ADDRESS = 2_000;

// What is in them is no markup, and nothing that a reader sees as text.
const UNREAD = new Set(
  'iframe noembed noframes noscript script style template textarea title xmp'.split(' '),
);
const HEADING = /^h[1-6]$/;

/** `base` is the page's own address, `site` the address of the site it belongs to. */
export function readPage(html: string, base: string, site: string): Page {
  const source = shorten(html, MOST_INDEXED);
  const isInternal = below(site);
  const blocks = blockWriter();
  const links = new Map<string, Link>();
  const pictures = new Map<string, Picture>();
  let at = 0;
  for (let found = nextMarkup(source, 0); found; found = nextMarkup(source, at)) {
    blocks.add(source.slice(at, found.start));
    at = found.end;
    if (found.kind === 'open' && UNREAD.has(found.name)) {
      at = endOfRawElement(source, found.name, at).end;
    } else if (isBlockTag(found.name)) {
      blocks.end(found.kind === 'open' && HEADING.test(found.name));
    } else if (found.name === 'br') {
      blocks.add(' ');
    } else if (found.kind === 'open') {
      if (found.name === 'a') addLink(links, attributes(source, found), base, isInternal);
      else if (found.name === 'img') addPicture(pictures, attributes(source, found), base);
    }
  }
  blocks.add(source.slice(at));
  blocks.end(false);
  return { blocks: blocks.done, links: [...links.values()], pictures: [...pictures.values()] };
}

/** Text of a piece of HTML that is one line: a title, a name, an excerpt. */
export function plainText(html: string, most: number): string {
  const { blocks } = readPage(shorten(html, most), '', '');
  return blocks.map(({ text }) => text).join(' ');
}

/** The address as a whole one of the web; undefined where it is none. */
export function wholeAddress(value: string, base?: string): string | undefined {
  const text = value.trim();
  if (text === '' || text.length > LONGEST_ADDRESS || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return url.href;
}

interface BlockWriter {
  readonly done: Block[];
  add: (html: string) => void;
  end: (nextIsHeading: boolean) => void;
}

function blockWriter(): BlockWriter {
  const done: Block[] = [];
  let parts: string[] = [];
  let isHeading = false;
  return {
    done,
    add(html: string) {
      if (html !== '') parts.push(html);
    },
    end(nextIsHeading: boolean) {
      const text = oneLine(decodeEntities(parts.join('')));
      if (text !== '') done.push({ isHeading, text });
      parts = [];
      isHeading = nextIsHeading;
    },
  };
}

type Read = (name: string) => string | undefined;

const attributes = (source: string, tag: Markup): Read => {
  const all = attributesOf(source, tag);
  return (name) => {
    const value = all.find((attribute) => attribute.name === name)?.value;
    return value === undefined ? undefined : decodeEntities(value);
  };
};

function addLink(
  links: Map<string, Link>,
  read: Read,
  base: string,
  isInternal: (address: string) => boolean,
): void {
  const href = read('href')?.trim() ?? '';
  const url = href.startsWith('#') ? undefined : wholeAddress(href, base);
  if (url === undefined) return;
  const bare = url.split('#', 1)[0]!;
  const known = links.get(bare);
  if (!known && links.size >= MOST_ADDRESSES) return;
  const isNofollow = /(?:^|\s)nofollow(?:\s|$)/i.test(read('rel') ?? '') && (known?.isNofollow ?? true);
  links.set(bare, { url: bare, isInternal: isInternal(bare), isNofollow });
}

function addPicture(pictures: Map<string, Picture>, read: Read, base: string): void {
  const url = wholeAddress(read('src') ?? '', base);
  if (url === undefined || pictures.has(url) || pictures.size >= MOST_ADDRESSES) return;
  pictures.set(url, { url, alt: oneLine(read('alt') ?? '') });
}

/** Without what PostgreSQL refuses to store, which entities can write. */
const oneLine = (text: string): string => stripControl(text).replace(/\s+/g, ' ').trim();

/** Whether an address is one of the site, by whichever of http and https. */
function below(site: string): (address: string) => boolean {
  if (!URL.canParse(site)) return () => false;
  const { host, pathname } = new URL(site);
  const folder = pathname.endsWith('/') ? pathname : `${pathname}/`;
  return (address) => {
    const url = new URL(address);
    return url.host === host && `${url.pathname}/`.startsWith(folder);
  };
}
