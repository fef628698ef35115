/**
 * What a provider says, reduced to what its type needs: text is text, addresses are of the web, and HTML is written anew
 * from the one address that matters in it. No script of a provider's ever gets through.
 */
import { decodeEntities, escapeAttribute, escapeHtml, sanitizeInline } from '@sevenfold/text/html';
import { attributesOf, endOfRawElement, nextMarkup } from '@sevenfold/text/markup';
import { cleanText, shorten } from '@sevenfold/text/text';
import { webAddress } from '../site/address';
import type { Fields } from './parse';

export type EmbedType = 'rich' | 'video' | 'photo' | 'link';

export interface Embed {
  readonly version: '1.0';
  readonly type: EmbedType;
  readonly html: string;
  readonly title?: string;
  readonly author_name?: string;
  readonly author_url?: string;
  readonly provider_name?: string;
  readonly provider_url?: string;
  readonly width?: number;
  readonly height?: number;
  readonly url?: string;
  readonly thumbnail_url?: string;
  readonly thumbnail_width?: number;
  readonly thumbnail_height?: number;
}

export interface Wanted {
  readonly address: URL;
  /** Of the site: its own pages are no embeds of others. */
  readonly siteUrl: string;
  /** Whether its provider is on the list. */
  readonly isListed: boolean;
  readonly maxWidth: number;
  readonly maxHeight?: number;
}

const LONGEST_TEXT = 500;
const LONGEST_HTML = 20_000;
const MOST_PIXELS = 4_096;
const DEFAULT_HEIGHT_SHARE = 9 / 16;

/** Undefined where what was said is not enough for its type. */
export function reduce(said: Fields, wanted: Wanted): Embed | undefined {
  const type = typeOf(said.type);
  if (!type) return undefined;
  const size = sizeOf(said, wanted);
  const title = textOf(said.title);
  const picture = type === 'photo' ? https(said.url) : undefined;
  const html = htmlOf(type, { said, wanted, size, title, picture });
  if (html === undefined) return undefined;
  const thumbnail = https(said.thumbnail_url);
  return withoutEmpty<Embed>({
    version: '1.0',
    type,
    title,
    author_name: textOf(said.author_name),
    author_url: web(said.author_url),
    provider_name: textOf(said.provider_name),
    provider_url: web(said.provider_url),
    ...(type !== 'link' && size),
    url: picture,
    html,
    thumbnail_url: thumbnail,
    thumbnail_width: thumbnail === undefined ? undefined : pixels(said.thumbnail_width),
    thumbnail_height: thumbnail === undefined ? undefined : pixels(said.thumbnail_height),
  });
}

const typeOf = (value: unknown): EmbedType | undefined =>
  (['rich', 'video', 'photo', 'link'] as const).find((type) => type === value);

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Written {
  readonly said: Fields;
  readonly wanted: Wanted;
  readonly size: Size;
  readonly title: string | undefined;
  readonly picture: string | undefined;
}

function htmlOf(type: EmbedType, written: Written): string | undefined {
  const { wanted, size, title = '', picture, said } = written;
  const href = escapeAttribute(wanted.address.href);
  if (type === 'photo')
    return (
      picture &&
      `<a href="${href}"><img src="${escapeAttribute(picture)}" alt="${escapeAttribute(title)}" width="${size.width}" height="${size.height}" /></a>`
    );
  const link = `<a href="${href}">${escapeHtml(title || wanted.address.href)}</a>`;
  if (type === 'link') return link;
  if (typeof said.html !== 'string' || said.html.length > LONGEST_HTML) return undefined;
  const frame = frameIn(said.html, wanted.siteUrl);
  if (frame !== undefined) return frameHtml(frame, written);
  const rest = sanitizeInline(withoutCode(said.html)).trim();
  return rest.replace(/<[^<>]*>/g, '').trim() === '' ? link : rest;
}

/** Without the right to be what it comes from, unless its provider is known: then players have their own cookies. */
function frameHtml(source: URL, { wanted, size, title, said }: Written): string {
  const rights = ['allow-scripts', 'allow-popups', 'allow-presentation'];
  if (wanted.isListed) rights.push('allow-same-origin', 'allow-forms', 'allow-popups-to-escape-sandbox');
  const name = title ?? textOf(said.provider_name) ?? source.hostname;
  return (
    `<iframe src="${escapeAttribute(source.href)}" width="${size.width}" height="${size.height}" title="${escapeAttribute(name)}"` +
    ` sandbox="${rights.join(' ')}" allow="fullscreen; picture-in-picture" referrerpolicy="strict-origin-when-cross-origin"` +
    ` loading="lazy" frameborder="0" allowfullscreen></iframe>`
  );
}

/** The first that may stand in a page of ours: encrypted, and none of our own pages, which would be let into everything. */
function frameIn(html: string, siteUrl: string): URL | undefined {
  const { hostname } = new URL(siteUrl);
  for (let tag = nextMarkup(html, 0); tag; tag = nextMarkup(html, tag.end)) {
    if (tag.kind !== 'open' || tag.name !== 'iframe') continue;
    const given = attributesOf(html, tag).find(({ name }) => name === 'src')?.value ?? '';
    const text = decodeEntities(given).trim();
    const source = webAddress(text.startsWith('//') ? `https:${text}` : text);
    if (source?.protocol === 'https:' && source.hostname !== hostname) return source;
  }
  return undefined;
}

/** What runs, or says how things look, is not text. */
function withoutCode(html: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let tag = nextMarkup(html, 0); tag; tag = nextMarkup(html, at)) {
    const isCode = tag.kind === 'open' && ['script', 'style', 'template', 'noscript'].includes(tag.name);
    const end = isCode ? endOfRawElement(html, tag.name, tag.end).end : tag.end;
    kept.push(html.slice(at, isCode ? tag.start : end));
    at = end;
  }
  return kept.join('') + html.slice(at);
}

/** As large as it says, made to fit what was asked for. */
function sizeOf(said: Fields, { maxWidth, maxHeight = MOST_PIXELS }: Wanted): Size {
  const width = pixels(said.width) ?? maxWidth;
  const height = pixels(said.height) ?? Math.ceil(width * DEFAULT_HEIGHT_SHARE);
  const scale = Math.min(1, maxWidth / width, maxHeight / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function pixels(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,5}(?:\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= 1 ? Math.min(Math.round(number), MOST_PIXELS) : undefined;
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return shorten(cleanText(decodeEntities(value.slice(0, LONGEST_HTML))), LONGEST_TEXT) || undefined;
}

const web = (value: unknown): string | undefined => webAddress(value)?.href;
const https = (value: unknown): string | undefined => {
  const url = webAddress(value);
  return url?.protocol === 'https:' ? url.href : undefined;
};

const withoutEmpty = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
