/** GET /events: the window, order, pages and addresses, every filter, and what each role sees. */
import { makeTerm } from '@sevenfold/content/testing/factories';
import { makeEvent, makeOrganizer, makeVenue } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';
import { windowOf } from './list-filters';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());
beforeEach(async () => {
  await site.deps.db.run('delete from events');
  site.deps.memory.forget('events');
});

type Role = Parameters<CalendarSite['by']>[0];
const list = (query: Record<string, string> = {}, role: Role = 'anonymous') =>
  site.by(role).get(`/events?${new URLSearchParams(query).toString()}`);
const ids = (body: { events: { id: number }[] }): number[] => body.events.map(({ id }) => id);
const at = (start: string, end = start, fields: object = {}) =>
  makeEvent(site.deps.db, { start_local: `${start}:00`, end_local: `${end}:00`, ...fields });
const MAY = { start_date: '2030-05-01', end_date: '2030-05-31' };

/** A day of the site's clock, so many days and years from today. Days of a clock are not always of 24 hours. */
const day = (days: number, years = 0): string => {
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'America/New_York' }).format(new Date());
  const [y, m, d] = today.split('-').map(Number) as [number, number, number];
  return new Date(Date.UTC(y + years, m - 1, d + days)).toISOString().slice(0, 10);
};

describe('the window', () => {
  it('shows what overlaps it, in the order of the start', async () => {
    const running = await at('2030-04-29 10:00', '2030-05-01 00:00');
    const long = await at('2029-01-01 10:00', '2031-01-01 00:00');
    const last = await at('2030-05-31 23:59', '2030-06-02 10:00');
    const first = await at('2030-05-01 00:00');
    const same = await at('2030-05-01 00:00');
    await at('2030-04-30 10:00', '2030-04-30 23:59');
    await at('2030-06-01 00:00');
    const { body } = await list(MAY);
    expect(ids(body)).toEqual([long.id, running.id, first.id, same.id, last.id]);
    expect([body.total, body.total_pages]).toEqual([5, 1]);
  });

  it('reaches from yesterday to two years ahead by default, on the clock of the site', async () => {
    const shown = [await at(`${day(-1)} 00:00`), await at(`${day(0)} 12:00`), await at(`${day(700)} 12:00`)];
    await at(`${day(-2)} 12:00`, `${day(-2)} 23:00`);
    await at(`${day(740)} 12:00`);
    const { body } = await list();
    expect(ids(body)).toEqual(shown.map(({ id }) => id));
    expect(body.rest_url).toBe(
      `http://site.test/rest/calendar/events/v1/events/?page=1&per_page=10&start_date=${day(-1)} 00:00:00&end_date=${day(0, 2)} 23:59:59`,
    );
  });

  it('is widened to whole days, turned round when it is the wrong way, and takes words and seconds', async () => {
    const event = await at('2030-05-01 23:00');
    expect(ids((await list({ start_date: '2030-05-01 23:30', end_date: '2030-05-01 23:40' })).body)).toEqual([
      event.id,
    ]);
    expect(ids((await list({ start_date: '2030-06-01', end_date: '2030-05-01' })).body)).toEqual([event.id]);
    expect(ids((await list({ start_date: '1 May 2030', end_date: '1904000000' })).body)).toEqual([event.id]);
    expect((await list({ start_date: 'tomorrow', end_date: '+1 week' })).status).toBe(200);
  });

  it('goes on from a first day beyond those two years, and back from a last one that has passed', async () => {
    const [late, past] = [await at('2035-03-01 10:00'), await at('2019-03-01 10:00')];
    await at(`${day(0)} 12:00`);
    const after = await list({ start_date: '2035-01-01' });
    expect([ids(after.body), after.body.rest_url]).toEqual([
      [late.id],
      expect.stringContaining('start_date=2035-01-01 00:00:00&end_date=2037-01-01 23:59:59'),
    ]);
    const before = await list({ end_date: '2020-01-01' });
    expect([ids(before.body), before.body.rest_url]).toEqual([
      [past.id],
      expect.stringContaining('start_date=2018-01-01 00:00:00&end_date=2020-01-01 23:59:59'),
    ]);
    expect((await list({ start_date: '9999-06-01' })).body.rest_url).toContain(
      'end_date=9999-12-31 23:59:59',
    );
    expect((await list({ end_date: '0002-06-01' })).body.rest_url).toContain(
      'start_date=0001-01-01 00:00:00',
    );
  });

  it('takes the first day of all and the last one, on whichever side of UTC the site lies', async () => {
    const { body } = await list({ start_date: '9999-06-01' });
    const again = await list(Object.fromEntries(new URL(body.rest_url as string).searchParams));
    expect([again.status, again.body.rest_url]).toEqual([200, body.rest_url]);
    const all = { start_date: '0001-01-01', end_date: '9999-12-31 23:59:59' };
    for (const zone of ['America/New_York', 'Europe/Berlin'])
      expect(windowOf(all, zone, new Date())).toEqual({
        from: '0001-01-01 00:00:00',
        to: '9999-12-31 23:59:59',
      });
  });

  it.each(['start_date', 'end_date'])('refuses an unreadable %s', async (name) => {
    for (const text of ['someday', '', '2030-13-01']) {
      const { status, body } = await list({ [name]: text });
      expect([status, Object.keys(body.data.params)]).toEqual([400, [name]]);
    }
  });

  it('lists events that are hidden from listings, and does not float sticky ones', async () => {
    const first = await at('2030-05-01 10:00', undefined, { hide_from_listings: true });
    const sticky = await at('2030-05-02 10:00', undefined, { sticky: true });
    expect(ids((await list(MAY)).body)).toEqual([first.id, sticky.id]);
  });

  it('shows no structured data', async () => {
    const venue = await makeVenue(site.deps.db);
    await at('2030-05-01 10:00', undefined, { venue_id: venue.id });
    const { body } = await list(MAY);
    expect(body.events[0]).not.toHaveProperty('json_ld');
    expect(body.events[0].venue).not.toHaveProperty('json_ld');
  });
});

describe('pages', () => {
  it('have totals, links and addresses', async () => {
    for (let n = 1; n <= 25; n++) await at(`2030-05-${String(n).padStart(2, '0')} 10:00`);
    const address = 'http://site.test/rest/calendar/events/v1/events';
    const window = 'start_date=2030-05-01+00%3A00%3A00&end_date=2030-05-31+23%3A59%3A59';
    const first = await list(MAY);
    expect(Object.keys(first.body)).toEqual(['events', 'rest_url', 'next_rest_url', 'total', 'total_pages']);
    expect(first.body).toMatchObject({
      rest_url: `${address}/?page=1&per_page=10&start_date=2030-05-01 00:00:00&end_date=2030-05-31 23:59:59`,
      next_rest_url: `${address}/?per_page=10&${window}&page=2`,
      total: 25,
      total_pages: 3,
    });
    expect([first.headers.get('x-total'), first.headers.get('x-total-pages')]).toEqual(['25', '3']);
    expect(first.headers.get('link')).toBe(
      `<${address}?start_date=2030-05-01&end_date=2030-05-31&page=2>; rel="next"`,
    );

    const second = await list({ ...MAY, page: '2' });
    expect(second.body.events).toHaveLength(10);
    expect(second.body.previous_rest_url).toBe(`${address}/?per_page=10&${window}`);
    expect(second.body.next_rest_url).toBe(`${address}/?per_page=10&${window}&page=3`);

    const third = await list({ ...MAY, page: '3' });
    expect(third.body.events).toHaveLength(5);
    expect(third.body.previous_rest_url).toBe(`${address}/?per_page=10&${window}&page=2`);
    expect(third.body).not.toHaveProperty('next_rest_url');
    expect(new Set([first, second, third].flatMap(({ body }) => ids(body))).size).toBe(25);

    const beyond = await list({ ...MAY, page: '4' });
    expect([beyond.status, beyond.body.code]).toEqual([404, 'event-archive-page-not-found']);
  });

  it.each(['all', 'filtered'])(
    'of %s events are the same however the way through them is cut',
    async (kind) => {
      // A filter that all of them pass: such lists take other roads.
      const filter: Record<string, string> = kind === 'filtered' ? { search: 'many' } : {};
      // Enough for the far pages, which are read from the end, with a head that is no multiple of a page.
      await site.deps.db.run(
        `insert into events (status, slug, date_local, date_utc, modified_local, modified_utc, title_raw, title_html, timezone,
                           start_local, end_local, start_utc, end_utc, cost_details)
       select 'publish', 'many-' || n, now(), now(), now(), now(), 'Many', 'Many', 'UTC', start, start + length, start, start + length,
              '{"symbol":"","position":"","values":[],"shown":[]}'
       from (select n, timestamp '2030-04-28' + (n / 3) * interval '1 hour' as start,
                    case when n % 7 = 0 then interval '10 days' else interval '30 minutes' end as length
               from generate_series(1, 900) as n) as many`,
      );
      site.deps.memory.forget('events');
      const all = await site.deps.db.rows<{ id: number }>(
        `select id from events where start_local <= '2030-05-31 23:59:59' and end_local >= '2030-05-01' order by start_local, id`,
      );
      const seen: number[] = [];
      for (let page = 1, pages = 1; page <= pages; page++) {
        const { body } = await list({ ...MAY, ...filter, page: String(page), per_page: '37' });
        pages = body.total_pages;
        expect(body.total).toBe(all.length);
        seen.push(...ids(body));
      }
      expect(seen).toEqual(all.map(({ id }) => id));
    },
  );

  it('are empty with an empty first page', async () => {
    const { status, body, headers } = await list(MAY);
    expect(status).toBe(200);
    expect(body).toMatchObject({ events: [], total: 0, total_pages: 0 });
    expect(headers.get('x-total')).toBe('0');
  });

  it('hold 50 at most', async () => {
    const { status, body } = await list({ ...MAY, per_page: '51' });
    expect(status).toBe(200);
    expect(body.rest_url).toContain('per_page=50&');
  });

  it.each([
    ['per_page', '0'],
    ['per_page', '-1'],
    ['per_page', 'ten'],
    ['page', '0'],
    ['page', 'x'],
    ['page', ''],
    ['search', ''],
    ['search', ' '],
    ['post_parent', '0'],
    ['featured', 'maybe'],
    ['include', 'x'],
    ['include', '0'],
    ['venue', 'x'],
    ['venue', '999999'],
    ['organizer', '999999'],
    ['categories', '999999'],
    ['categories', 'unknown-slug'],
    ['tags', '999999'],
    ['status', 'draft'],
    ['status', 'any'],
    ['status', 'lost'],
    ['status', 'publish,draft'],
    ['geoloc', 'maybe'],
  ])('refuse %s=%s', async (name, value) => {
    const { status, body } = await list({ [name]: value });
    expect(status).toBe(400);
    expect(body.code).toBe('rest_invalid_param');
    expect(Object.keys(body.data.params)).toEqual([name]);
  });
});

it('tells all faults of a list at once', async () => {
  const { body } = await list({ venue: '999999', categories: '999999', status: 'lost', geoloc_lat: '1' });
  expect(Object.keys(body.data.params)).toEqual(['status', 'venue', 'categories', 'geoloc_lng']);
});

describe('filters', () => {
  it('search speaks words, phrases and exclusions, as posts do', async () => {
    const MARCH = { start_date: '2033-03-01', end_date: '2033-03-31' };
    const make = (title: string, text: string) =>
      makeEvent(site.deps.db, {
        title_raw: title,
        description_raw: text,
        start_local: '2033-03-05 10:00:00',
      });
    const a = await make('Late harvest', 'wine and old music');
    const b = await make('Music', 'a harvest festival, old wine');
    const found = async (search: string) => ids((await list({ ...MARCH, search })).body);
    expect(await found('wine harvest')).toEqual([a.id, b.id]);
    expect(await found('the harvest,music+of')).toEqual([a.id, b.id]);
    expect(await found('"old wine" harvest')).toEqual([b.id]);
    expect(await found('harvest -festival')).toEqual([a.id]);
    expect(await found('la')).toEqual([a.id]);
    expect(await found('ine')).toEqual([a.id, b.id]);
    expect(await found(',')).toEqual([]);
  });

  it('search takes no sign that stands by itself for a word, unless there is nothing else', async () => {
    const FEBRUARY = { start_date: '2033-02-01', end_date: '2033-02-28' };
    const { id } = await makeEvent(site.deps.db, {
      title_raw: 'Tea @ Home hour',
      start_local: '2033-02-05 10:00:00',
    });
    const found = async (search: string) => ids((await list({ ...FEBRUARY, search })).body);
    for (const search of ['Tea @ Home hour', 'tea – hour', '♥ home'])
      expect([search, await found(search)]).toEqual([search, [id]]);
    for (const search of ['@', '@ /', 'tea "@"']) expect([search, await found(search)]).toEqual([search, []]);
  });

  it('search takes vowel signs for letters, and small letters as the text has them', async () => {
    const APRIL = { start_date: '2033-04-01', end_date: '2033-04-30' };
    const { id } = await makeEvent(site.deps.db, {
      title_raw: 'İzmir ΧΟΡΟΣ',
      description_raw: 'एक किताब',
      start_local: '2033-04-05 10:00:00',
    });
    for (const search of ['किताब', 'İzmir', 'izmir', 'χορος', 'İz'])
      expect([search, ids((await list({ ...APRIL, search })).body)]).toEqual([search, [id]]);
  });

  it('a search counts and pages up to its bound', async () => {
    await site.deps.db.run(
      `insert into events (status, slug, date_local, date_utc, modified_local, modified_utc, title_raw, title_html, timezone,
                           start_local, end_local, start_utc, end_utc, cost_details)
       select 'publish', 'bound-' || n, t, t, t, t, 'Bounded ' || n, 'x', 'UTC', t, t, t, t,
              '{"symbol":"","position":"","values":[],"shown":[]}'
         from (select n, timestamp '2034-01-01' + n * interval '1 minute' as t from generate_series(1, 10001) as n) as rows`,
    );
    const window = { start_date: '2034-01-01', end_date: '2034-12-31', per_page: '50' };
    const many = await list({ ...window, search: 'bounded' });
    expect([many.body.total, many.headers.get('x-total-relation')]).toEqual([10_000, 'gte']);
    expect((await list({ ...window, search: 'bounded', page: '200' })).body.events).toHaveLength(50);
    expect(await list({ ...window, search: 'bounded', page: '201' })).toMatchObject({
      status: 400,
      body: { code: 'rest_search_window' },
    });
    const few = await list({ ...window, search: 'bounded 777' });
    expect([few.body.total, few.headers.get('x-total-relation')]).toEqual([19, null]);
    await site.deps.db.run(`delete from events where slug like 'bound-%'`);
  });

  it('search in title and description, as it is written', async () => {
    const title = await at('2030-05-01 10:00', undefined, { title_raw: '100% Jazz_Night' });
    const text = await at('2030-05-02 10:00', undefined, { description_raw: 'about jazz_night' });
    await at('2030-05-03 10:00', undefined, { title_raw: 'JazzXNight' });
    expect(ids((await list({ ...MAY, search: 'jazz_night' })).body)).toEqual([title.id, text.id]);
    expect(ids((await list({ ...MAY, search: '100%' })).body)).toEqual([title.id]);
    const { body } = await list({ ...MAY, search: 'jazz & more' });
    expect(body.rest_url).toContain('&search=jazz %26 more');
  });

  it('venue and organizer, any of several', async () => {
    const [one, two] = [await makeVenue(site.deps.db), await makeVenue(site.deps.db)];
    const ada = await makeOrganizer(site.deps.db);
    const first = await at('2030-05-01 10:00', undefined, { venue_id: one.id });
    const second = await at('2030-05-02 10:00', undefined, {
      venue_id: two.id,
      organizer_ids: [ada.id, one.id],
    });
    await at('2030-05-03 10:00');
    expect(ids((await list({ ...MAY, venue: `${one.id},${two.id}` })).body)).toEqual([first.id, second.id]);
    const { body } = await list({ ...MAY, organizer: String(ada.id), venue: String(two.id) });
    expect(ids(body)).toEqual([second.id]);
    expect(body.rest_url).toBe(
      `http://site.test/rest/calendar/events/v1/events/?page=1&per_page=10&start_date=2030-05-01+00%3A00%3A00&end_date=2030-05-31+23%3A59%3A59&venue=${two.id}&organizer=${ada.id}`,
    );
    const others: number[] = [];
    for (let n = 0; n < 31; n++) others.push((await makeOrganizer(site.deps.db)).id);
    const many = { ...MAY, search: 'Event', organizer: [...others, ada.id].join(',') };
    expect(ids((await list(many)).body)).toEqual(
      ids((await list({ ...MAY, organizer: String(ada.id) })).body),
    );
    expect((await list({ ...many, organizer: others.join(',') })).body.total).toBe(0);
  });

  it('featured', async () => {
    const yes = await at('2030-05-01 10:00', undefined, { featured: true });
    const no = await at('2030-05-02 10:00');
    const { body } = await list({ ...MAY, featured: 'true' });
    expect(ids(body)).toEqual([yes.id]);
    expect(body.rest_url).toContain('&featured=1');
    const { body: without } = await list({ ...MAY, featured: '0' });
    expect(ids(without)).toEqual([no.id]);
    expect(without.rest_url).not.toContain('featured');
  });

  it('categories by number and slug, with what is below them, and tags', async () => {
    const term = (fields: object) =>
      makeTerm(site.content.deps.db, { taxonomy: 'calendar_events_cat', ...fields });
    const top = await term({ slug: 'top' });
    const below = await term({ parent: top.id });
    const deep = await term({ parent: below.id, slug: 'deep' });
    const tag = await term({ taxonomy: 'post_tag', slug: 'evening' });
    const first = await at('2030-05-01 10:00', undefined, { category_ids: [deep.id] });
    const second = await at('2030-05-02 10:00', undefined, { category_ids: [top.id], tag_ids: [tag.id] });
    await at('2030-05-03 10:00');
    expect(ids((await list({ ...MAY, categories: String(top.id) })).body)).toEqual([first.id, second.id]);
    expect(ids((await list({ ...MAY, categories: 'top' })).body)).toEqual([first.id, second.id]);
    expect(ids((await list({ ...MAY, categories: String(below.id) })).body)).toEqual([first.id]);
    expect(ids((await list({ ...MAY, tags: 'evening' })).body)).toEqual([second.id]);
    expect(ids((await list({ ...MAY, tags: `${tag.id}`, categories: 'deep' })).body)).toEqual([]);
    expect((await list({ ...MAY, tags: String(top.id) })).status).toBe(400);
    expect((await list({ ...MAY, categories: 'top' })).body.rest_url).not.toContain('categories');
    expect(
      ids(
        (
          await site
            .by('anonymous')
            .get(`/events?start_date=2030-05-01&end_date=2030-05-31&categories[]=${deep.id}&categories[]=top`)
        ).body,
      ),
    ).toEqual([first.id, second.id]);
  });

  it.each([
    ['categories', 'calendar_events_cat', 'category_ids'],
    ['tags', 'post_tag', 'tag_ids'],
  ] as const)(
    '%s by the slug, though another one has that as its name',
    async (argument, taxonomy, field) => {
      const term = (fields: object) => makeTerm(site.content.deps.db, { taxonomy, ...fields });
      const other = await term({ name: 'Concerts', slug: 'concerts-2' });
      const meant = await term({ name: 'Concerts in town', slug: 'concerts' });
      const first = await at('2030-05-01 10:00', undefined, { [field]: [meant.id] });
      const second = await at('2030-05-02 10:00', undefined, { [field]: [other.id] });
      const found = async (slug: string) => ids((await list({ ...MAY, [argument]: slug })).body);
      expect(await found('concerts')).toEqual([first.id]);
      expect(await found('concerts-2')).toEqual([second.id]);
    },
  );

  it('include, whatever the dates, latest publication first', async () => {
    const old = await at('2001-01-01 10:00', undefined, { date_utc: '2001-01-01Z' });
    const young = await at('2030-05-01 10:00', undefined, { date_utc: '2020-01-01Z' });
    const hidden = await at('2030-05-01 10:00', undefined, { status: 'draft' });
    await at('2030-05-01 10:00');
    const { body } = await list({ include: `${old.id},${hidden.id},${young.id},999999` });
    expect(ids(body)).toEqual([young.id, old.id]);
    expect(body.total).toBe(2);
    expect(ids((await list({ include: '999999' })).body)).toEqual([]);
  });

  it('post_parent', async () => {
    const event = await at('2030-05-01 10:00', undefined, { parent: 77 });
    await at('2030-05-01 10:00');
    const { body } = await list({ ...MAY, post_parent: '77' });
    expect(ids(body)).toEqual([event.id]);
    expect(body.rest_url).toContain('&post_parent=77');
  });

  it('post_parent, of what the reader may read', async () => {
    const { editor } = site.users;
    const series = await at('2030-04-01 10:00', undefined, { status: 'private', author: editor.id });
    const part = await at('2030-05-01 10:00', undefined, { parent: series.id });
    const parts = async (role?: Role) => (await list({ ...MAY, post_parent: String(series.id) }, role)).body;
    expect(await parts()).toMatchObject({ events: [], total: 0 });
    expect(ids(await parts('editor'))).toEqual([part.id]);
    await site.by('editor').patch(`/events/${series.id}`, { status: 'publish' });
    expect(ids(await parts())).toEqual([part.id]);
  });

  it('places: with coordinates, and around a point, nearest first', async () => {
    const place = async (geo_lat: number | null, geo_lng: number | null) =>
      at('2030-05-01 10:00', undefined, {
        venue_id: (await makeVenue(site.deps.db, { geo_lat, geo_lng })).id,
      });
    const near = await place(48.21, 16.37);
    const nearest = await place(48.2082, 16.3738);
    await place(47.07, 15.44);
    const none = await place(null, null);
    const nowhere = await at('2030-05-01 10:00');
    const vienna = { geoloc_lat: '48.2082', geoloc_lng: '16.3738' };
    expect(ids((await list({ ...MAY, ...vienna })).body)).toEqual([nearest.id, near.id]);
    expect((await list({ ...MAY, geoloc: 'true' })).body.total).toBe(3);
    expect(ids((await list({ ...MAY, geoloc: 'false' })).body)).toEqual([none.id, nowhere.id]);
    const fiji = await place(-17, 179.99);
    expect(ids((await list({ ...MAY, geoloc_lat: '-17', geoloc_lng: '-179.99' })).body)).toEqual([fiji.id]);
    expect((await list({ ...MAY, geoloc_lat: '90', geoloc_lng: '0' })).status).toBe(200);
  });

  it('around a point, of events that are named, nearest first whichever was published last', async () => {
    const place = async (geo_lat: number, date_utc: string) =>
      at('2030-05-01 10:00', undefined, {
        title_raw: 'Place',
        date_utc,
        venue_id: (await makeVenue(site.deps.db, { geo_lat, geo_lng: 20 })).id,
      });
    const latest = await place(20.1, '2029-01-03');
    const nearest = await place(20, '2029-01-01');
    const between = await place(20.05, '2029-01-02');
    const far = await place(40, '2029-01-04');
    const include = [latest, nearest, between, far].map(({ id }) => id).join();
    const words: Record<string, string>[] = [{}, { search: 'place' }];
    for (const more of words) {
      const around = { include, geoloc_lat: '20', geoloc_lng: '20', ...more };
      const { body } = await list(around);
      expect([ids(body), body.total]).toEqual([[nearest.id, between.id, latest.id], 3]);
      const second = await list({ ...around, per_page: '1', page: '2' });
      expect(ids(second.body)).toEqual([between.id]);
    }
    const anywhere = await list({ include });
    expect(ids(anywhere.body)).toEqual([far.id, latest.id, between.id, nearest.id]);
  });

  it('keep their order with more running events than are remembered', async () => {
    const [far, near] = [
      await makeVenue(site.deps.db, { geo_lat: 10.1, geo_lng: 10 }),
      await makeVenue(site.deps.db, { geo_lat: 10.001, geo_lng: 10 }),
    ];
    await site.deps.db.run(
      `insert into events (status, slug, date_local, date_utc, modified_local, modified_utc, title_raw, title_html, timezone,
                           start_local, end_local, start_utc, end_utc, cost_details, venue_id)
       select 'publish', 'running-' || n, now(), now(), now(), now(), 'R', 'R', 'UTC', '2030-01-01', '2031-01-01', '2030-01-01', '2031-01-01',
              '{"symbol":"","position":"","values":[],"shown":[]}', $1
       from generate_series(1, 1005) as n`,
      [far.id],
    );
    const first = await at('2030-05-02 10:00', undefined, { venue_id: near.id });
    site.deps.memory.forget('events');
    const { body } = await list({ ...MAY, geoloc_lat: '10', geoloc_lng: '10' });
    expect([body.total, ids(body)[0]]).toEqual([1006, first.id]);
    const page = await list({ ...MAY, page: '101' });
    expect(ids(page.body)).toHaveLength(6);
    expect(ids(page.body)[5]).toBe(first.id);
  });

  it.each([
    [{ geoloc_lat: '48' }, 'geoloc_lng'],
    [{ geoloc_lng: '16' }, 'geoloc_lat'],
    [{ geoloc_lat: 'x', geoloc_lng: '16' }, 'geoloc_lat'],
    [{ geoloc_lat: '91', geoloc_lng: '16' }, 'geoloc_lat'],
    [{ geoloc_lat: '48', geoloc_lng: '181' }, 'geoloc_lng'],
  ])('refuse the place %j', async (query, param) => {
    const { status, body } = await list(query as never);
    expect([status, Object.keys(body.data.params)]).toEqual([400, [param]]);
  });
});

describe('statuses', () => {
  const make = async () => {
    const own = { author: site.users.contributor.id };
    return {
      published: await at('2030-05-01 10:00'),
      draft: await at('2030-05-02 10:00', undefined, { status: 'draft' }),
      own: await at('2030-05-03 10:00', undefined, { status: 'draft', ...own }),
      secret: await at('2030-05-04 10:00', undefined, { status: 'private' }),
      trashed: await at('2030-05-05 10:00', undefined, { status: 'trash', status_before_trash: 'publish' }),
    };
  };

  it('are those that the caller may see, and totals count them', async () => {
    const { published, draft, own, secret, trashed } = await make();
    const seen = async (role: Role, query = {}): Promise<number[]> => {
      const { body } = await list({ ...MAY, ...query }, role);
      expect(body.total).toBe(body.events.length);
      return ids(body);
    };
    expect(await seen('anonymous')).toEqual([published.id]);
    expect(await seen('subscriber')).toEqual([published.id]);
    expect(await seen('contributor')).toEqual([published.id, own.id]);
    expect(await seen('author')).toEqual([published.id]);
    expect(await seen('editor')).toEqual([published.id, draft.id, own.id, secret.id]);
    expect(await seen('editor', { status: 'any' })).toEqual([published.id, draft.id, own.id, secret.id]);
    expect(await seen('editor', { status: 'draft,private' })).toEqual([draft.id, own.id, secret.id]);
    expect(await seen('editor', { status: 'trash' })).toEqual([trashed.id]);
    expect(await seen('contributor', { status: 'draft' })).toEqual([own.id]);
    expect(await seen('anonymous', { status: 'publish' })).toEqual([published.id]);
  });

  it('refuse unknown ones to editors too', async () => {
    expect((await list({ status: 'lost' }, 'editor')).status).toBe(400);
    expect((await list({ status: '' }, 'editor')).status).toBe(400);
  });
});

describe('the next read', () => {
  it('shows what was just written', async () => {
    expect((await list(MAY)).body.total).toBe(0);
    const { body } = await site
      .by('editor')
      .post('/events', { title: 'New', start_date: '2030-05-01', end_date: '2030-05-01' });
    expect((await list(MAY)).body.total).toBe(1);
    await site.by('editor').patch(`/events/${body.id}`, { status: 'draft' });
    expect((await list(MAY)).body.total).toBe(0);
    await site.by('editor').patch(`/events/${body.id}`, { status: 'publish' });
    expect(ids((await list(MAY)).body)).toEqual([body.id]);
    await site.by('editor').delete(`/events/${body.id}`);
    expect((await list(MAY)).body.total).toBe(0);
  });
});

test('the way on keeps the place', async () => {
  const venue = await makeVenue(site.deps.db, { geo_lat: 1, geo_lng: 2 });
  for (let n = 0; n < 2; n++)
    await makeEvent(site.deps.db, { venue_id: venue.id, start_local: '2033-05-01 10:00:00' });
  site.deps.memory.forget('events');
  const { body } = await site
    .by('anonymous')
    .get('/events?start_date=2033-05-01&end_date=2033-05-01&per_page=1&geoloc_lat=1&geoloc_lng=2');
  expect(body.next_rest_url).toContain('geoloc_lat=1&geoloc_lng=2');
});
