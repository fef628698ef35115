/** What is the same on every route: how bodies are read, `_fields`, and the methods that `Allow` names. */
import { makeEvent } from '@sevenfold/calendar/testing/factories';
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { makeComment, makePost, makeTerm } from '@sevenfold/content/testing/factories';
import { makeMedia } from '@sevenfold/content/media/testing/factories';
import type { Role } from '@sevenfold/content/users/roles';
import { type Row, bodyOf, table } from './table';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

const bodies: readonly Row<CalendarSite>[] = [
  [
    'a UTF-8 byte order mark before JSON is accepted',
    async ({ content }) => {
      const headers = { 'Content-Type': 'application/json' };
      const body = '\ufeff{"title": "marked"}';
      return bodyOf(await content.by('editor').request('POST', '/posts', { body, headers })).title.raw;
    },
    'marked',
  ],
];

const fields: readonly Row<CalendarSite>[] = [
  [
    '_fields reaches inside events',
    async (all) => {
      await makeEvent(all.deps.db, { title_html: 'Reached' });
      const { body } = await all
        .by('anonymous')
        .get('/events?start_date=2000-01-01&end_date=2099-01-01&_fields=events.title,events.venue.id,total');
      return body;
    },
    { events: [{ title: 'Reached', venue: [] }], total: 1 },
  ],
  [
    '_fields reaches inside links',
    async ({ content }) => {
      const { id } = await makePost(content.deps.db);
      return bodyOf(
        await content.by('anonymous').get(`/posts/${id}?_fields=_links.self.href`),
      )._links.self[0].href.endsWith(`/posts/${id}`);
    },
    true,
  ],
];

const ALL = 'GET, POST, PUT, PATCH, DELETE';

interface Allowed {
  readonly what: string;
  /** Path of what is there. */
  readonly path: (site: CalendarSite) => Promise<string>;
  readonly unknown?: string;
  readonly of: Partial<Record<Role | 'anonymous', string | null>>;
  readonly in?: 'calendar';
}

const post = (fields: (site: CalendarSite) => object) => async (site: CalendarSite) =>
  `/posts/${(await makePost(site.content.deps.db, { ...fields(site) })).id}`;
const event = (fields: (site: CalendarSite) => object) => async (site: CalendarSite) =>
  `/events/${(await makeEvent(site.deps.db, { ...fields(site) })).id}`;
const at = (path: string) => () => Promise.resolve(path);

const allow: readonly Allowed[] = [
  {
    what: 'posts',
    path: at('/posts'),
    of: { anonymous: 'GET', subscriber: 'GET', contributor: 'GET, POST' },
  },
  {
    what: 'a published post of somebody else',
    path: post(() => ({})),
    unknown: '/posts/999999',
    of: { anonymous: 'GET', author: 'GET', editor: ALL, administrator: ALL },
  },
  {
    what: 'an own draft',
    path: post(({ users }) => ({ status: 'draft', author: users.contributor.id })),
    of: { anonymous: null, subscriber: null, contributor: ALL, author: null, editor: ALL },
  },
  {
    what: 'an own published post of a contributor',
    path: post(({ users }) => ({ author: users.contributor.id })),
    of: { contributor: 'GET', author: 'GET' },
  },
  {
    what: 'a post with a password',
    path: post(() => ({ password: 'secret' })),
    of: { anonymous: 'GET', author: 'GET', editor: ALL },
  },
  {
    what: 'a picture',
    path: async ({ content }) => `/media/${(await makeMedia(content.deps.db)).id}`,
    unknown: '/media/999999',
    of: { anonymous: 'GET', editor: ALL },
  },
  {
    what: 'a comment that waits',
    path: async ({ content: { deps } }) => {
      const { id } = await makePost(deps.db);
      return `/comments/${(await makeComment(deps.db, { post: id, status: 'hold' })).id}`;
    },
    unknown: '/comments/999999',
    of: { anonymous: null, editor: ALL },
  },
  {
    what: 'a category',
    path: async ({ content }) => `/categories/${(await makeTerm(content.deps.db)).id}`,
    unknown: '/categories/999999',
    of: { anonymous: 'GET', author: 'GET', editor: ALL },
  },
  {
    what: 'the settings',
    path: at('/settings'),
    of: { anonymous: null, editor: null, administrator: 'GET, POST, PUT, PATCH' },
  },
  { what: 'users/me', path: at('/users/me'), of: { anonymous: 'GET', subscriber: 'GET, POST, PUT, PATCH' } },
  { what: 'a user that is not there', path: at('/users/999999'), of: { anonymous: null, subscriber: null } },
  {
    what: 'an event of somebody else',
    path: event(() => ({})),
    unknown: '/events/999999',
    in: 'calendar',
    of: { anonymous: 'GET', subscriber: 'GET', author: 'GET', editor: ALL },
  },
  {
    what: 'an own event',
    path: event(({ users }) => ({ author: users.author.id })),
    in: 'calendar',
    of: { author: ALL, contributor: 'GET' },
  },
];

const cases = allow.flatMap(({ of, ...row }) =>
  Object.entries(of).map(([role, methods]) => ({ ...row, role: role as Role | 'anonymous', methods })),
);

describe('bodies', () => table(() => site, bodies));
describe('_fields', () => table(() => site, fields));
describe('Allow names the methods whose permission this caller passes on this object', () => {
  test.each(cases)('$what, $role: $methods', async ({ path, role, methods, unknown, ...row }) => {
    const speaker = row.in ? site.by(role) : site.content.by(role);
    const there = await path(site);
    const told = async (method: string, to: string): Promise<string | null> =>
      (await speaker.request(method, to)).headers.get('allow');
    expect(await told('GET', there)).toBe(methods);
    expect(await told('OPTIONS', there)).toBe(methods);
    // A bad argument hides nothing of what is there.
    expect(await told('GET', `${there}?context=bad&per_page=bad`)).toBe(methods);
    if (unknown === undefined) return;
    expect([unknown, await told('GET', unknown), await told('OPTIONS', unknown)]).toEqual([
      unknown,
      null,
      null,
    ]);
  });
});
