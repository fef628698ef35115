/**
 * Searches of every kind are bounded: one table of all lists that take `search`, each with more rows than a search counts,
 * small and as if it were large.
 */
import type { Resource } from '@sevenfold/chassis/http/route';
import { calendarService } from '@sevenfold/calendar/service';
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { contentService } from '@sevenfold/content/service';

let calendar: CalendarSite;
beforeAll(async () => {
  calendar = await startCalendar();
}, 120_000);
afterAll(() => calendar?.stop());

// One more than a search counts.
const MANY = 10_001;

interface Kind {
  readonly service: 'content' | 'calendar';
  readonly table: string;
  /** Inserts rows $1 to $2 whose searched text is `needle`, and $3. */
  readonly insert: string;
  readonly query?: string;
}

/** Terms of the content service, searched by its list of terms. */
const elsewhere = ['content calendar_events_cat', 'calendar categories', 'calendar tags'];

const moment = `timestamp '2020-01-01' + n * interval '1 minute'`;
const rows = `from generate_series($1::int, $2::int) as n`;
const dates = `${moment}, ${moment}, ${moment}, ${moment}`;
const posts = (type: string, status: string): string =>
  `insert into posts (type, status, slug, date_local, date_gmt, modified_local, modified_gmt, title_raw, content_raw, path)
   select '${type}', '${status}', '${type}-' || n, ${dates}, $3 || ' needle', 'x', '${type}-' || n ${rows}`;
const terms = (taxonomy: string): string =>
  `insert into terms (taxonomy, name, slug) select '${taxonomy}', $3 || ' needle ' || n, '${taxonomy}-' || n ${rows}`;
const linked = (table: string): string =>
  `insert into ${table} (status, slug, date_local, date_utc, modified_local, modified_utc, name)
   select 'publish', 'x' || n, ${dates}, $3 || ' needle' ${rows}`;

const kinds: Record<string, Kind> = {
  posts: { service: 'content', table: 'posts', insert: posts('post', 'publish') },
  pages: { service: 'content', table: 'posts', insert: posts('page', 'publish') },
  media: {
    service: 'content',
    table: 'posts',
    insert: `with made as (${posts('attachment', 'inherit')} returning id)
      insert into media (post_id, file, mime_type) select id, 'f' || id, 'image/png' from made`,
  },
  users: {
    service: 'content',
    table: 'users',
    insert: `with made as (
        insert into users (username, email, slug, name, password_hash)
        select 'n' || n, '', 'n' || n, $3 || ' needle', 'x' ${rows} returning id)
      insert into posts (type, status, author, slug, date_local, date_gmt, modified_local, modified_gmt, path)
      select 'post', 'publish', id, 'of-' || id, now(), now(), now(), now(), 'of-' || id from made`,
  },
  comments: {
    service: 'content',
    table: 'comments',
    insert: `insert into comments (post, author_name, date_local, date_gmt, content_raw, content_html, status)
      select (select min(id) from posts where type = 'page' and status = 'publish'), $3 || ' needle', ${moment}, ${moment}, 'x', 'x',
             'approved' ${rows}`,
  },
  categories: { service: 'content', table: 'terms', insert: terms('category') },
  tags: { service: 'content', table: 'terms', insert: terms('post_tag') },
  events: {
    service: 'calendar',
    table: 'events',
    query: '&start_date=2019-01-01&end_date=2030-01-01',
    insert: `insert into events (status, slug, date_local, date_utc, modified_local, modified_utc, title_raw, title_html, cost_details, timezone,
             start_local, end_local, start_utc, end_utc)
      select 'publish', 'x' || n, ${dates}, $3 || ' needle', 'x', '{"symbol":"","position":"","values":[],"shown":[]}', 'UTC', ${dates} ${rows}`,
  },
  venues: { service: 'calendar', table: 'venues', insert: linked('venues') },
  organizers: { service: 'calendar', table: 'organizers', insert: linked('organizers') },
};

const withSearch = [contentService, calendarService].flatMap(({ name: service, resources }) =>
  (resources as readonly Resource<never>[]).flatMap(({ name, routes }) =>
    routes.some(({ methods, args }) => methods.includes('GET') && 'search' in args)
      ? [`${service} ${name}`]
      : [],
  ),
);

test('every list that takes a search is in the table', () => {
  expect(withSearch.sort()).toEqual(
    [...Object.entries(kinds).map(([name, { service }]) => `${service} ${name}`), ...elsewhere].sort(),
  );
});

describe.each(Object.entries(kinds))('%s', (name, { service, table, insert, query = '' }) => {
  const site = () => (service === 'content' ? calendar.content : calendar);
  const get = (search: string) => site().by('anonymous').get(`/${name}?search=${search}${query}`);
  const totals = ({ status, headers }: { status: number; headers: Headers }) => [
    status === 200 ? headers.get('x-total') : status,
    headers.get('x-total-relation'),
  ];
  const idsOf = ({ body }: { body: Record<string, { id: number }[]> | { id: number }[] }) =>
    (Array.isArray(body) ? body : (body[name] ?? [])).map(({ id }) => id);

  beforeAll(async () => {
    const { db } = site().deps;
    await db.run(insert, [1, MANY, 'common']);
    await db.run(insert, [MANY + 1, MANY + 1, 'xylophone']);
    await db.run(`analyze ${table}`);
  });

  test('a total is exact up to 10,000 rows and says when there are more; pages end there', async () => {
    expect(totals(await get('xylophone'))).toEqual(['1', null]);
    expect(totals(await get('needle'))).toEqual(['10000', 'gte']);
    expect(idsOf(await get('needle&page=1000'))).toHaveLength(10);
    expect(await get('needle&page=1001')).toMatchObject({
      status: 400,
      body: { code: 'rest_search_window' },
    });
  });

  test('of a large table the first pages are those of a small one', async () => {
    const pages = ['needle', 'needle&page=2', 'xylophone', 'e'].map((search) => `${search}&per_page=10`);
    const ask = async () => {
      const answers = [];
      for (const page of pages) answers.push(idsOf(await get(page)));
      return answers;
    };
    const small = await ask();
    // What PostgreSQL believes of the table is all that makes it large.
    await site().deps.db.run(`update pg_class set reltuples = 120000 where oid = $1::regclass`, [table]);
    forget();
    expect(await ask()).toEqual(small);
    expect(small.map((ids) => ids.length).slice(0, 3)).toEqual([10, 10, 1]);
    // How many it says is for the sample to tell; that there are more is sure.
    expect(totals(await get('needle'))[1]).toBe('gte');
    await site().deps.db.run(`analyze ${table}`);
  });
});

/** What is remembered of lists is forgotten when their rows change. */
function forget(): void {
  calendar.deps.memory.forget('events');
  calendar.content.deps.memory.forget('posts');
}
