/** What strangers read: lists with all kinds of filters, single things, searches, what is embedded. */
import type { Dice } from '../assault/dice';
import type { Made } from './writes';

/** Below the interface. */
const lists = [
  'core/v2/posts',
  'core/v2/posts?_embed',
  'core/v2/posts?per_page=3&page=2',
  'core/v2/posts?orderby=title&order=asc',
  'core/v2/posts?orderby=modified',
  'core/v2/posts?search=harbour',
  'core/v2/posts?sticky=true',
  'core/v2/posts?search=nothing-has-this-word',
  'core/v2/posts?slug=harbour-winter',
  'core/v2/posts?author=1',
  'core/v2/posts?offset=3&per_page=2',
  'core/v2/media?_embed',
  'core/v2/taxonomies',
  'core/v2/statuses',
  'core/v2/posts?_fields=id,title.rendered,status',
  'core/v2/pages?orderby=menu_order&order=asc',
  'core/v2/pages?parent=0&_embed',
  'core/v2/comments',
  'core/v2/comments?_embed&order=asc',
  'core/v2/categories',
  'core/v2/categories?hide_empty=true&orderby=count&order=desc',
  'core/v2/tags?search=winter',
  'core/v2/users',
  'core/v2/users?_embed&orderby=name',
  'core/v2/calendar_events_cat',
  'core/v2/media',
  'core/v2/types',
  'calendar/events/v1/events',
  'calendar/events/v1/events?start_date=2020-01-01&per_page=50',
  'calendar/events/v1/events?search=river',
  'calendar/events/v1/events?featured=true',
  'calendar/events/v1/venues',
  'calendar/events/v1/venues?has_events=true',
  'calendar/events/v1/organizers',
  'calendar/events/v1/organizers?only_with_upcoming=true',
  'calendar/events/v1/categories',
  'calendar/events/v1/categories?hide_empty=true&orderby=count',
  'calendar/events/v1/tags',
] as const;

const filtered: Readonly<Record<string, readonly string[]>> = {
  'core/v2/categories': ['core/v2/posts?categories=', 'core/v2/posts?categories_exclude='],
  'core/v2/tags': ['core/v2/posts?_embed&tags='],
  'core/v2/posts': [
    'core/v2/comments?post=',
    'core/v2/categories?post=',
    'core/v2/tags?post=',
    'core/v2/media?parent=',
  ],
  'calendar/events/v1/venues': ['calendar/events/v1/events?venue='],
  'calendar/events/v1/categories': ['calendar/events/v1/events?categories='],
  'calendar/events/v1/events': ['calendar/events/v1/categories?event=', 'calendar/events/v1/venues?event='],
};

const SITE = 'http://site.test';

/** Pages, and what is told of them. */
const pages = [
  '/',
  '/',
  '/page/2/',
  '/robots.txt',
  '/sitemap.xml',
  '/sitemap-post-1.xml',
  '/sitemap-page-1.xml',
  '/feed/',
  '/feed/',
  '/comments/feed/',
  '/calendar.ics',
  '/console/api/head?url=/',
  '/calendar.ics?start_date=2020-01-01&per_page=20',
];

/** Permalinks, with what stands below and beside them. */
function around(dice: Dice, link: string): string {
  const path = new URL(link).pathname;
  return dice.pick([
    path,
    path,
    `${path}embed/`,
    `${path}feed/`,
    `/console/api/head?url=${encodeURIComponent(path)}`,
    `/rest/oembed/1.0/embed?url=${encodeURIComponent(SITE + path)}`,
    `/rest/oembed/1.0/embed?format=xml&url=${encodeURIComponent(SITE + path)}`,
  ]);
}

/** `links` are permalinks of what was made, whatever has become of it. */
export function someRead(dice: Dice, made: Made, links: readonly string[]): string {
  if (dice.oneIn(12)) return dice.pick(pages);
  if (links.length > 0 && dice.oneIn(5)) return around(dice, dice.pick(links));
  const [collection, ids] = dice.pick([...made].filter(([name]) => !name.startsWith('contact-form')));
  const id = ids.length === 0 ? 1 : dice.pick(ids);
  if (dice.oneIn(3)) return `/rest/${dice.pick(lists)}`;
  const by = filtered[collection];
  if (by && dice.oneIn(3)) return `/rest/${dice.pick(by)}${id}`;
  // Some that nobody made yet, or that are gone.
  const one = dice.oneIn(15) ? id + dice.between(1, 5) : id;
  return `/rest/${collection}/${one}${dice.pick(['', '', '?_embed', '?_fields=id,title,name,slug,link'])}`;
}
