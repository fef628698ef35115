/**
 * What is read of a site, as a table in the order of what stands on what: the collection, how it is asked for by whoever may see
 * more and by whoever may see less, and what its rows become. A new kind is a row.
 */
import type { ExportedRecord } from '@sevenfold/content/site-import/exported';
import { type CalendarThing, type Written, readCalendarItem } from './read-calendar';
import { type Ours, readComment, readItem, readTerm, readUser } from './read-content';
import type { Collection } from './walk';
import type { Interface } from './root';
import type { Raw } from './values';

export const kinds = [
  'users',
  'terms',
  'media',
  'posts',
  'pages',
  'venues',
  'organizers',
  'events',
  'comments',
] as const;
export type KindName = (typeof kinds)[number];

type Query = Readonly<Record<string, string>>;

export interface Kind {
  readonly of: KindName;
  /** One of what it becomes, as reports call it. */
  readonly one: string;
  readonly namespace: string;
  /** Below the namespace, in the words of the site. */
  readonly route: (face: Interface) => string;
  readonly key?: string;
  readonly sizes: readonly number[];
  /** With each request. */
  readonly query: Query;
  /** The most first: the first that is not refused is what the credential may see. */
  readonly ways: readonly Query[];
  /** Which number here it may keep. */
  readonly number?: 'item' | 'comment' | 'term';
  /** How only what changed since a moment is asked for. */
  readonly since?: 'modified' | 'after';
  /** As what its texts are asked for where it shows only what is made of them. */
  readonly written?: CalendarThing;
  readonly read: (raw: Raw, context: ReadContext) => ExportedRecord | string;
}

interface ReadContext {
  readonly ours: Ours;
  readonly keepRoles: boolean;
  /** Texts that it was written with, where they are asked for beside it. */
  readonly written: Written | undefined;
}

const BIG = [100, 20, 5, 1];
const SMALL = [50, 10, 5, 1];
const byId = { orderby: 'id', order: 'asc' } as const;
const edit = { context: 'edit' } as const;
const STATUSES = 'publish,future,draft,pending,private,trash';

const term = (route: string, taxonomy: string): Kind => ({
  of: 'terms',
  one: taxonomy,
  namespace: 'core/v2',
  route: (face) => `/${face.theirs(route)}`,
  sizes: BIG,
  query: { ...byId, hide_empty: 'false' },
  ways: [edit, {}],
  number: 'term',
  read: (raw) => readTerm(raw, taxonomy),
});

const post = (
  of: 'posts' | 'pages' | 'media',
  one: 'post' | 'page' | 'attachment',
  statuses: string,
): Kind => ({
  of,
  one,
  namespace: 'core/v2',
  route: () => `/${of}`,
  sizes: BIG,
  query: byId,
  ways: [{ ...edit, status: statuses }, edit, {}],
  number: 'item',
  since: 'modified',
  read: (raw, { ours }) => readItem(raw, one, ours),
});

const calendar = (of: 'events' | 'venues' | 'organizers', one: CalendarThing, query: Query): Kind => ({
  of,
  one,
  namespace: 'calendar/events/v1',
  route: () => `/${of}`,
  key: of,
  sizes: SMALL,
  query,
  ways: [{ status: STATUSES }, {}],
  written: one,
  read: (raw, { ours, written }) => readCalendarItem(raw, one, ours, written),
});

const comment = (ways: readonly Query[]): Kind => ({
  of: 'comments',
  one: 'comment',
  namespace: 'core/v2',
  route: () => '/comments',
  sizes: BIG,
  query: byId,
  ways,
  number: 'comment',
  since: 'after',
  read: readComment,
});

export const collections: readonly Kind[] = [
  {
    of: 'users',
    one: 'user',
    namespace: 'core/v2',
    route: () => '/users',
    sizes: BIG,
    query: byId,
    ways: [edit, {}],
    read: (raw, { keepRoles }) => readUser(raw, keepRoles),
  },
  term('categories', 'category'),
  term('tags', 'post_tag'),
  term('calendar_events_cat', 'calendar_events_cat'),
  post('media', 'attachment', 'inherit,private,trash'),
  post('posts', 'post', STATUSES),
  post('pages', 'page', STATUSES),
  calendar('venues', 'venue', {}),
  calendar('organizers', 'organizer', {}),
  calendar('events', 'event', { start_date: '1000-01-01 00:00:00', end_date: '9990-12-31 23:59:59' }),
  // Each status has a list of its own; all but the first are only for those who may judge comments.
  comment([{ ...edit, status: 'approve', type: 'all' }, { ...edit, status: 'approve' }, {}]),
  ...['hold', 'spam', 'trash'].map((status) =>
    comment([
      { ...edit, status, type: 'all' },
      { ...edit, status },
    ]),
  ),
];

/** `more` comes from the way that was found. */
export const collectionOf = (kind: Kind, face: Interface, more: Query): Collection => ({
  namespace: kind.namespace,
  route: kind.route(face),
  key: kind.key,
  sizes: kind.sizes,
  query: { ...kind.query, ...more },
  isById:
    ({ ...kind.query, ...more } as Query).orderby === 'id' && { ...kind.query, ...more }.order === 'asc',
});
