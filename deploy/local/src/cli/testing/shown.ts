/** All that a site shows its administrator, in a form that two sites can be compared by. */
import type { Speaker } from '@sevenfold/chassis/testing/service';

type Item = Record<string, unknown>;

export interface Shown {
  readonly content: Speaker;
  readonly calendar: Speaker;
  /** What its texts and links call it. */
  readonly addresses: readonly string[];
}

const POSTS = 'publish,future,draft,pending,private,trash';
const CONTENT: Readonly<Record<string, string>> = {
  users: '?context=edit',
  categories: '?context=edit',
  tags: '?context=edit',
  calendar_events_cat: '?context=edit',
  media: '?context=edit',
  posts: `?context=edit&status=${POSTS}`,
  pages: `?context=edit&status=${POSTS}`,
  comments: '?context=edit&status=all',
};
const DAYS = 'start_date=2000-01-01&end_date=2100-01-01';

/** About the moment of writing, or about the interface and not the thing. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  '_links',
  'registered_date',
  'count',
  'json_ld',
  'global_id',
  'global_id_lineage',
]);

export async function allShown({ content, calendar, addresses }: Shown): Promise<Record<string, Item[]>> {
  const lists: Record<string, Item[]> = {};
  for (const [route, query] of Object.entries(CONTENT))
    lists[route] = (await content.get(`/${route}${query}&per_page=100&orderby=id&order=asc`)).body as Item[];
  for (const [route, query] of [
    ['venues', ''],
    ['organizers', ''],
    ['events', `&${DAYS}`],
  ] as const)
    lists[route] = (
      (await calendar.get(`/${route}?per_page=50&status=${POSTS}${query}`)).body as Record<string, Item[]>
    )[route] as Item[];
  const users = namesOf(lists.users, 'username');
  const terms = namesOf(
    [...list(lists.categories), ...list(lists.tags), ...list(lists.calendar_events_cat)],
    'slug',
  );
  const named = (key: string, value: unknown, within: string): unknown => {
    if (Array.isArray(value))
      return value.map((one) =>
        ['categories', 'tags'].includes(key) && within === 'posts'
          ? terms.get(Number(one))
          : shown(one, within),
      );
    if (key === 'author' && value !== true) return users.get(Number(value)) ?? value;
    if (TERMS.has(within) && (key === 'id' || key === 'parent')) return terms.get(Number(value)) ?? value;
    if (within === 'users' && key === 'id') return users.get(Number(value));
    if (key === 'term_taxonomy_id') return terms.get(Number(value));
    return shown(value, within);
  };
  const shown = (value: unknown, within: string): unknown => {
    if (typeof value === 'string')
      return addresses.reduce((text, address) => text.replaceAll(address, 'http://here'), value);
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map((one) => shown(one, within));
    // A term within an event.
    const place = 'term_taxonomy_id' in value ? 'categories' : within;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !LEFT_OUT.has(key))
        .map(([key, entry]) => [key, key === 'urls' ? undefined : named(key, entry, place)]),
    );
  };
  return Object.fromEntries(
    Object.entries(lists).map(([route, items]) => [
      route,
      list(items)
        // Each test has users of its own, and each site what it began with.
        .map((item) => shown(item, route) as Item)
        .sort((a, b) => (nameIn(a) < nameIn(b) ? -1 : 1)),
    ]),
  );
}

const TERMS: ReadonlySet<string> = new Set(['categories', 'tags', 'calendar_events_cat']);
const list = (items: Item[] | undefined): Item[] => items ?? [];
const nameIn = (item: Item): string =>
  `${typeof item.slug === 'string' ? item.slug : ''} ${String(item.id).padStart(9, '0')}`;
const namesOf = (items: Item[] | undefined, name: string): Map<number, string> =>
  new Map(list(items).map((item) => [Number(item.id), String(item[name])]));
