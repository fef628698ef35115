/**
 * Which fields are compared of things that moved in, by kind, and how each is: as it is, as text (what was written where both sides
 * show it, otherwise the words that readers see), or as a number that stands for something that moved in as well. Pure.
 */
import type { Kind } from '@sevenfold/content/site-import/identities';
import { decodeEntities, stripTags } from '@sevenfold/text/html';
import type { KindName } from './collections';
import { type Raw, idOf, isRecord, listOf, recordOf, textOf } from './values';

export type How = 'same' | 'text' | 'html' | 'word' | Kind;
type Fields = Readonly<Record<string, How>>;

const dates: Fields = { date: 'same', modified: 'same' };
const published: Fields = { ...dates, slug: 'same', status: 'word', author: 'user' };
const written: Fields = {
  ...published,
  date_gmt: 'same',
  modified_gmt: 'same',
  title: 'text',
  comment_status: 'same',
  ping_status: 'same',
  template: 'same',
};
const post: Fields = {
  ...written,
  content: 'text',
  excerpt: 'text',
  featured_media: 'post',
  password: 'same',
  sticky: 'same',
  format: 'same',
  categories: 'term',
  tags: 'term',
  parent: 'post',
  menu_order: 'same',
};
const linked: Fields = { ...published, description: 'html', phone: 'html', website: 'same', image: 'post' };

export const fields: Readonly<Record<KindName, Fields>> = {
  users: {
    name: 'same',
    slug: 'same',
    url: 'same',
    description: 'same',
    email: 'same',
    first_name: 'same',
    last_name: 'same',
    nickname: 'same',
  },
  terms: { name: 'html', slug: 'same', description: 'html', parent: 'term' },
  media: {
    ...written,
    description: 'text',
    caption: 'text',
    alt_text: 'same',
    mime_type: 'same',
    post: 'post',
    'media_details.width': 'same',
    'media_details.height': 'same',
  },
  posts: post,
  pages: post,
  venues: {
    ...linked,
    venue: 'html',
    address: 'html',
    city: 'html',
    country: 'html',
    province: 'html',
    state: 'html',
    stateprovince: 'html',
    zip: 'html',
    geo_lat: 'same',
    geo_lng: 'same',
    show_map: 'same',
    show_map_link: 'same',
  },
  organizers: { ...linked, organizer: 'html', email: 'html' },
  events: {
    ...published,
    title: 'html',
    description: 'html',
    excerpt: 'html',
    start_date: 'same',
    end_date: 'same',
    timezone: 'same',
    all_day: 'same',
    cost: 'html',
    website: 'same',
    show_map: 'same',
    show_map_link: 'same',
    hide_from_listings: 'same',
    featured: 'same',
    sticky: 'same',
    categories: 'term',
    tags: 'term',
    venue: 'post',
    organizer: 'post',
    image: 'post',
  },
  comments: {
    post: 'post',
    parent: 'comment',
    author: 'user',
    author_name: 'same',
    author_email: 'same',
    author_url: 'same',
    author_ip: 'same',
    content: 'text',
    date: 'same',
    date_gmt: 'same',
    status: 'same',
    type: 'same',
  },
};

/** Of what a name with a point in it means. Undefined: the side says nothing of it. */
export function valueAt(item: Raw, name: string): unknown {
  let value: unknown = item;
  for (const part of name.split('.')) value = recordOf(value)[part];
  // What has no website answers its own address.
  return name === 'website' && value === item.url ? '' : value;
}

export const isReference = (how: How): how is Kind => ['post', 'term', 'user', 'comment'].includes(how);

/** Numbers in a value: one, a list of them, or things that have one. */
export function numbersIn(value: unknown): string[] {
  const list = Array.isArray(value) ? listOf(value) : [value];
  return list.map((one) => idOf(isRecord(one) ? one.id : one)).filter((id) => id !== '0');
}

/** What both sides must have alike; `addresses` are what a side calls itself. */
export function comparable(value: unknown, how: How, addresses: readonly string[], asWords: boolean): string {
  if (how === 'text') {
    const { raw, rendered } = recordOf(value);
    return asWords ? words(textOf(rendered)) : withoutAddresses(textOf(raw), addresses);
  }
  if (how === 'html') return words(textOf(value));
  if (typeof value === 'string') return withoutAddresses(value.trim(), addresses);
  return JSON.stringify(value) ?? '';
}

export const isWritten = (value: unknown): boolean => typeof recordOf(value).raw === 'string';

const words = (html: string): string => decodeEntities(stripTags(html)).replace(/\s+/g, ' ').trim();

const withoutAddresses = (text: string, addresses: readonly string[]): string =>
  addresses.reduce((left, address) => left.replaceAll(address, ''), text.replace(/\r\n/g, '\n'));
