/** What the benchmark measures, as data. Targets are requests a second on two cores with 10,000 posts, cache off. */
export interface Row {
  readonly name: string;
  /** Namespace and name of the resource; a rule test wants each in the table. */
  readonly resource?: string;
  readonly path: string | ((site: Asked) => Promise<string>);
  /** Asked as the administrator. */
  readonly signedIn?: boolean;
  readonly target?: number;
  /** A list as it comes without arguments: it must hardly slow down as rows are added. */
  readonly byDefault?: boolean;
}

/** Where to ask for what a path hangs on, and as whom. */
export interface Asked {
  readonly origin: string;
  readonly administrator: string;
}

const CORE = '/rest/core/v2';
const SPAM = '/rest/spamfilter/v1';
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

const firstCategory = async (site: Asked): Promise<string> => {
  const path = await first(`${EVENTS}/categories?hide_empty=false`)(site);
  return `${EVENTS}/events?categories=${path.split('/').at(-1)}`;
};

const core = (name: string): string => `core/v2 ${name}`;
const spam = (name: string): string => `spamfilter/v1 ${name}`;
const calendar = (name: string): string => `calendar/events/v1 ${name}`;

export const rows: readonly Row[] = [
  {
    name: 'posts list',
    resource: core('posts'),
    path: `${CORE}/posts`,
    target: 1300,
    byDefault: true,
  },
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
  { name: 'spam key, signed in', resource: spam('key'), path: `${SPAM}/key`, signedIn: true },
  { name: 'spam settings, signed in', resource: spam('settings'), path: `${SPAM}/settings`, signedIn: true },
  { name: 'spam statistics, signed in', resource: spam('stats'), path: `${SPAM}/stats`, signedIn: true },
];
