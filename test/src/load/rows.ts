/**
 * What the benchmark measures, as data. Targets are requests a second on two cores with 10,000 posts. A
 * resource that has no row here is measured all the same, by what it declares.
 */
import type { Resource } from '@sevenfold/chassis/http/route';
import { byStranger, declared } from '../support/declared';

export type Way = 'hit' | 'miss' | 'known' | 'gzip' | 'br';

export interface Row {
  readonly name: string;
  /** Namespace and name of the resource. */
  readonly resource?: string;
  readonly path: string | ((site: Asked) => Promise<string>);
  /** Asked as the administrator. */
  readonly signedIn?: boolean;
  readonly target?: number;
  /** A list as it comes without arguments: it must hardly slow down as rows are added. */
  readonly byDefault?: boolean;
  /** Default: as it comes, which for strangers is from memory. */
  readonly way?: Way;
  /** Of what is asked in the words of a profile: its path in ours. */
  readonly ours?: string;
}

/** Where to ask for what a path hangs on, and as whom. */
export interface Asked {
  readonly origin: string;
  readonly administrator: string;
}

const CORE = '/rest/core/v2';
const FORMS = '/rest/contact-form/v1/contact-forms';
const EVENTS = '/rest/calendar/events/v1';

type Item = { id: number };

/** The first item of a list, read as the administrator; below `tail` of it where that is given. */
const first =
  (list: string, tail = '') =>
  async ({ origin, administrator }: Asked): Promise<string> => {
    const response = await fetch(origin + list, { headers: { Authorization: administrator } });
    const body = (await response.json()) as Item[] | Record<string, unknown>;
    const items = (Array.isArray(body) ? body : Object.values(body).find(Array.isArray)) as
      Item[] | undefined;
    const id = items?.[0]?.id;
    if (id === undefined) throw new Error(`${list} is empty: ${response.status}`);
    return `${list.split('?')[0]}/${id}${tail}`;
  };

/** The permalink of the first item of a list. */
async function permalinkOf(list: string, site: Asked): Promise<string> {
  const path = await first(list)(site);
  const response = await fetch(site.origin + path, { headers: { Authorization: site.administrator } });
  const { link, url } = (await response.json()) as { link?: string; url?: string };
  return link ?? url ?? '';
}

const embedOf =
  (list: string, route = 'embed') =>
  async (site: Asked): Promise<string> =>
    `/rest/oembed/1.0/${route}?url=${encodeURIComponent(await permalinkOf(list, site))}`;

/** The first item of a list as a page. */
const pageOf =
  (list: string) =>
  async (site: Asked): Promise<string> =>
    new URL(await permalinkOf(list, site)).pathname;

/** What the index has of the first item of a list. */
const indexableOf =
  (list: string) =>
  async (site: Asked): Promise<string> =>
    `/rest/seo/v1/indexables/post/${(await first(list)(site)).split('/').at(-1)}`;

const firstCategory = async (site: Asked): Promise<string> => {
  const path = await first(`${EVENTS}/categories?hide_empty=false`)(site);
  return `${EVENTS}/events?categories=${path.split('/').at(-1)}`;
};

const textsOf = async (site: Asked): Promise<string> =>
  `${EVENTS}/texts?type=event&include=${(await first(`${EVENTS}/events`)(site)).split('/').at(-1)}`;

const core = (name: string): string => `core/v2 ${name}`;
const forms = (name: string): string => `contact-form/v1 ${name}`;
const oembed = (name: string): string => `oembed/1.0 ${name}`;
const seo = (name: string): string => `seo/v1 ${name}`;
const calendar = (name: string): string => `calendar/events/v1 ${name}`;

const named: readonly Row[] = [
  {
    name: 'posts list',
    resource: core('posts'),
    path: `${CORE}/posts`,
    target: 1300,
    byDefault: true,
  },
  { name: 'posts list of a profile', path: '/wp-json/wp/v2/posts', ours: `${CORE}/posts` },
  { name: 'posts list with _embed', path: `${CORE}/posts?_embed`, target: 600, byDefault: true },
  { name: 'posts list of 100', path: `${CORE}/posts?per_page=100`, target: 300 },
  { name: 'posts list, edit context, signed in', path: `${CORE}/posts?context=edit`, signedIn: true },
  { name: 'one post', path: first(`${CORE}/posts`), target: 1800 },
  { name: 'posts search', path: `${CORE}/posts?search=harbour` },
  { name: 'pages list', resource: core('pages'), path: `${CORE}/pages`, byDefault: true },
  { name: 'media list', resource: core('media'), path: `${CORE}/media`, byDefault: true },
  { name: 'one media item', path: first(`${CORE}/media`) },
  {
    name: 'revisions of a page, signed in',
    resource: core('revisions'),
    path: first(`${CORE}/pages`, '/revisions'),
    signedIn: true,
  },
  { name: 'users list', resource: core('users'), path: `${CORE}/users`, byDefault: true },
  { name: 'users/me, signed in', path: `${CORE}/users/me`, signedIn: true },
  { name: 'comments list', resource: core('comments'), path: `${CORE}/comments`, byDefault: true },
  { name: 'one comment', path: first(`${CORE}/comments`) },
  { name: 'categories', resource: core('categories'), path: `${CORE}/categories`, byDefault: true },
  { name: 'tags', resource: core('tags'), path: `${CORE}/tags`, byDefault: true },
  {
    name: 'event categories of the content service',
    resource: core('calendar_events_cat'),
    path: `${CORE}/calendar_events_cat`,
    byDefault: true,
  },
  { name: 'types', resource: core('types'), path: `${CORE}/types` },
  { name: 'statuses', resource: core('statuses'), path: `${CORE}/statuses` },
  { name: 'taxonomies', resource: core('taxonomies'), path: `${CORE}/taxonomies` },
  {
    name: 'settings, signed in',
    resource: core('settings'),
    path: `${CORE}/settings`,
    signedIn: true,
  },
  { name: 'root index', path: '/rest/' },
  {
    name: 'events list',
    resource: calendar('events'),
    path: `${EVENTS}/events`,
    target: 700,
    byDefault: true,
  },
  { name: 'events list, edit context, signed in', path: `${EVENTS}/events?context=edit`, signedIn: true },
  { name: 'one event', path: first(`${EVENTS}/events`), target: 1500 },
  { name: 'events of a category', path: firstCategory },
  { name: 'events search', path: `${EVENTS}/events?search=lantern` },
  { name: 'venues list', resource: calendar('venues'), path: `${EVENTS}/venues`, byDefault: true },
  { name: 'one venue', path: first(`${EVENTS}/venues`) },
  {
    name: 'organizers list',
    resource: calendar('organizers'),
    path: `${EVENTS}/organizers`,
    byDefault: true,
  },
  {
    name: 'event categories',
    resource: calendar('categories'),
    path: `${EVENTS}/categories`,
    byDefault: true,
  },
  { name: 'event tags', resource: calendar('tags'), path: `${EVENTS}/tags`, byDefault: true },
  { name: 'calendar description', resource: calendar('doc'), path: `${EVENTS}/doc` },
  { name: 'texts of an event, signed in', resource: calendar('texts'), path: textsOf, signedIn: true },
  { name: 'plain page of a post', path: pageOf(`${CORE}/posts`) },
  { name: 'plain page of an event', path: pageOf(`${EVENTS}/events`) },
  { name: 'oEmbed of a post', resource: oembed('embeds'), path: embedOf(`${CORE}/posts`) },
  { name: 'oEmbed of an event', path: embedOf(`${EVENTS}/events`) },
  {
    name: 'oEmbed proxy for a post of the site, signed in',
    resource: oembed('proxy'),
    path: embedOf(`${CORE}/posts`, 'proxy'),
    signedIn: true,
  },
  {
    name: 'indexable of a post, signed in',
    resource: seo('indexables'),
    path: indexableOf(`${CORE}/posts`),
    signedIn: true,
  },
  {
    name: 'look at the site from outside, signed in',
    resource: seo('checks'),
    path: '/rest/seo/v1/external_check',
    signedIn: true,
  },
  { name: 'index of the sitemaps', path: '/sitemap.xml' },
  { name: 'sitemap of posts', path: '/sitemap-post-1.xml' },
  { name: 'robots.txt', path: '/robots.txt' },
  { name: 'head of the home page', path: '/console/api/head?url=/' },
  { name: 'contact forms, signed in', resource: forms('contact-forms'), path: FORMS, signedIn: true },
  { name: 'one contact form, signed in', path: first(FORMS), signedIn: true },
  { name: 'refill of a contact form', resource: forms('feedback'), path: first(FORMS, '/refill') },
];

/** What is asked for the most, in each way in which it may be answered. */
const WAYS: Readonly<Record<string, readonly Way[]>> = {
  'posts list': ['hit', 'miss', 'known', 'gzip', 'br'],
  'posts list of a profile': ['hit', 'miss', 'known', 'gzip'],
  'one post': ['hit', 'miss'],
  'one event': ['hit', 'miss'],
  'events list': ['hit', 'miss'],
  'comments list': ['hit', 'miss'],
  'users list': ['hit', 'miss'],
  categories: ['hit', 'miss'],
  'event categories': ['hit', 'miss'],
  'venues list': ['hit', 'miss'],
};

/** Namespaces that answer only to import services' own reports. */
const NOT_READ = ['calendar/event-aggregator/v1'];

/** The collection of a resource, asked for by whoever may: undefined where it has none that can be asked for just so. */
function rowOf(namespace: string, { name, routes }: Resource<never>): Row | undefined {
  const list = routes.find(
    ({ methods, path, args }) =>
      methods.includes('GET') &&
      !path.includes('(?P<') &&
      !Object.values(args as Record<string, { required?: boolean }>).some(({ required }) => required),
  );
  if (!list) return undefined;
  return {
    name: `${namespace} ${name}`,
    resource: `${namespace} ${name}`,
    path: `/rest/${namespace}${list.path}`,
    signedIn: list.permission(byStranger) !== undefined,
    byDefault: 'per_page' in list.args,
  };
}

const inTable = new Set(named.map(({ resource }) => resource));

/** Resources that can be read, and what is measured of those that have no row in the table. */
export const readable = declared
  .filter(({ row }) => !NOT_READ.includes(row.namespace))
  .flatMap(({ definition: { namespace, resources } }) =>
    (resources as readonly Resource<never>[])
      .filter(({ routes }) => routes.some(({ methods }) => methods.includes('GET')))
      .map((resource) => ({
        resource: `${namespace} ${resource.name}`,
        row: rowOf(namespace, resource),
      })),
  );

export const rows: readonly Row[] = [
  ...named,
  ...named.flatMap(({ name, path, ours }) =>
    (WAYS[name] ?? []).map((way) => ({ name: `${name}: ${way}`, path, ours, way })),
  ),
  ...readable.flatMap(({ resource, row }) => (row && !inTable.has(resource) ? [row] : [])),
];
