/** What the provider answers about an item: the fields of oEmbed 1.0, sized as the other site asked. */
import { randomBytes } from 'node:crypto';
import type { Item } from '../site/find';
import type { Site } from '../site/site';
import { embedHtml } from './html';

const LEAST_WIDTH = 200;
const MOST_WIDTH = 600;
const LEAST_HEIGHT = 200;

export interface Size {
  readonly width: number;
  readonly height: number;
}

const isNumeral = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');

/** Sixteen to nine within the bounds, whatever was asked for. */
export function sizeFor(maxWidth: unknown): Size {
  const wanted = isNumeral(maxWidth) ? Math.trunc(Number(maxWidth)) : NaN;
  const width = wanted > LEAST_WIDTH ? Math.min(wanted, MOST_WIDTH) : LEAST_WIDTH;
  return { width, height: Math.max(Math.ceil((width * 9) / 16), LEAST_HEIGHT) };
}

export type OembedData = Readonly<Record<string, string | number>>;

export function embedData(item: Item, site: Site, siteUrl: string, { width, height }: Size): OembedData {
  const secret = randomBytes(8).toString('base64url').replace(/[-_]/g, '0').slice(0, 10);
  return {
    version: '1.0',
    provider_name: site.name,
    provider_url: siteUrl,
    ...(item.authorName !== '' && { author_name: item.authorName }),
    ...(item.authorLink !== '' && { author_url: item.authorLink }),
    title: item.title,
    type: 'rich',
    width,
    height,
    html: embedHtml(item, site, { secret, width, height }),
    ...thumbnail(item, width),
  };
}

/** Its size as it is shown at the width: never larger than it is. */
function thumbnail({ picture }: Item, width: number): OembedData {
  if (!picture) return {};
  const scale = Math.min(1, width / picture.width);
  return {
    thumbnail_url: picture.url,
    thumbnail_width: Math.round(picture.width * scale),
    thumbnail_height: Math.max(1, Math.round(picture.height * scale)),
  };
}
