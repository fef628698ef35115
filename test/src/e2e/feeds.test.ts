/** What programs subscribe to, through the gateway with every service behind it. */
import type { Deps as CalendarDeps } from '@sevenfold/calendar/deps';
import { makeEvent, makeOrganizer, makeVenue } from '@sevenfold/calendar/testing/factories';
import { TEST_SITE_URL } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { makeComment, makePost, makeTerm, makeUser } from '@sevenfold/content/testing/factories';
import { ask } from '@sevenfold/gateway/testing/sockets';
import type { Deps as ImportsDeps } from '@sevenfold/imports/deps';
import { readImport, registerImport } from '@sevenfold/imports/commands';
import { push } from '@sevenfold/local/cli/push';
import { readCalendar } from '@sevenfold/local/cli/sources/calendar';
import type { Found } from '@sevenfold/local/cli/sources/found';
import { batchesOf } from '@sevenfold/local/cli/sources/source';
import { readTable } from '@sevenfold/local/cli/sources/table';
import { parseFeed } from '@rowanmanning/feed-parser';
import { reindexAll } from '@sevenfold/seo/commands';
import type { Deps as SeoDeps } from '@sevenfold/seo/deps';
import { put } from '@sevenfold/seo/testing/indexables';
import ICAL from 'ical.js';
import { validateXML } from 'xmllint-wasm';
import { type Site, startSite } from '../support/site';

let site: Site;
let administrator: Record<string, string>;
beforeAll(async () => {
  site = await startSite({}, { imports: { ROLE: 'all' } });
  administrator = await site.signIn(site.content.users.administrator);
});
afterAll(() => site.stop());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): ReturnType<typeof ask> =>
  ask(site.url, { path, method, headers });
const content = () => site.content.deps.db;
const calendar = () => (site.service('calendar').deps as CalendarDeps).db;
const write = async (path: string, body: object): Promise<Record<string, unknown>> => {
  const answer = await site.client.post(`/rest/${path}`, body, administrator);
  expect(answer.status).toBeLessThan(300);
  return answer.body as Record<string, unknown>;
};
const eventsIn = (text: string): InstanceType<typeof ICAL.Component>[] =>
  new ICAL.Component(ICAL.parse(text) as unknown[]).getAllSubcomponents('vevent');
const value = (component: InstanceType<typeof ICAL.Component> | undefined, name: string): string =>
  String(component?.getFirstPropertyValue(name));

const nextYear = new Date().getUTCFullYear() + 1;
const EVENTS = 'calendar/events/v1/events';

describe('/calendar.ics', () => {
  test('has what the list has, by the same arguments, and the same faults', async () => {
    const category = await makeTerm(content(), {
      taxonomy: 'calendar_events_cat',
      slug: 'music',
      name: 'R&amp;B',
    });
    const venue = await makeVenue(calendar(), {
      slug: 'hall',
      name: 'Hall; the "old" one',
      address: 'Street 1',
      city: 'Lisbon',
      country: 'Portugal',
      geo_lat: 38.7,
      geo_lng: -9.1,
    });
    const [club, band] = [
      await makeOrganizer(calendar(), { slug: 'club', name: 'The Club', email: 'club@example.org' }),
      await makeOrganizer(calendar(), { slug: 'band', name: 'The Band' }),
    ];
    const made = await write(EVENTS, {
      title: 'Night; with, signs \\ and\nEND:VEVENT',
      description: '<p>One &amp; two</p>\n<p>BEGIN:VEVENT</p>',
      start_date: `${nextYear}-07-01 20:00:00`,
      end_date: `${nextYear}-07-01 23:30:00`,
      timezone: 'Europe/Lisbon',
      categories: [category.id],
      venue: venue.id,
      organizer: [club.id, band.id],
      status: 'publish',
    });
    await write(EVENTS, {
      title: 'Three days',
      start_date: `${nextYear}-08-01`,
      end_date: `${nextYear}-08-03`,
      all_day: true,
      status: 'publish',
    });
    await makeEvent(calendar(), { status: 'private', start_local: `${nextYear}-07-01 10:00:00` });
    const { status, headers, text } = await get('/calendar.ics');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=UTF-8',
      'content-disposition': 'attachment; filename="calendar.ics"',
      'x-total': '2',
      etag: expect.stringMatching(/^"[\w-]+"$/) as string,
    });
    const [night, days, ...more] = eventsIn(text);
    expect(more).toEqual([]);
    expect(value(night, 'uid')).toBe(`event-${made.id as number}@site.test`);
    expect(value(night, 'summary')).toBe('Night; with, signs \\ and END:VEVENT');
    expect(value(night, 'description')).toBe('One & two\n\nBEGIN:VEVENT');
    expect(value(night, 'dtstart')).toBe(`${nextYear}-07-01T20:00:00`);
    expect(night?.getFirstProperty('dtstart')?.getParameter('tzid')).toBe('Europe/Lisbon');
    expect(value(night, 'location')).toBe('Hall; the "old" one, Street 1, Lisbon, Portugal');
    expect(value(night, 'geo')).toBe('38.7,-9.1');
    expect(value(night, 'organizer')).toBe('mailto:club@example.org');
    expect(value(night, 'contact')).toBe('The Band');
    expect(value(night, 'categories')).toBe('R&B');
    expect(value(night, 'url')).toBe(made.url);
    expect([value(days, 'dtstart'), value(days, 'dtend')]).toEqual([
      `${nextYear}-08-01`,
      `${nextYear}-08-04`,
    ]);
    for (const query of [
      `?categories=music&per_page=1`,
      `?start_date=${nextYear}-08-01`,
      `?search=nothing+like+it`,
      `?venue[]=${venue.id}&organizer=${club.id}`,
    ]) {
      const list = (await site.client.get(`/rest/${EVENTS}${query}`)).body as { events: { id: number }[] };
      const listed = eventsIn((await get(`/calendar.ics${query}`)).text).map((one) => value(one, 'uid'));
      expect([query, listed]).toEqual([query, list.events.map(({ id }) => `event-${id}@site.test`)]);
    }
    for (const query of ['?status=draft', '?start_date=nonsense', '?venue=999999', '?per_page=0', '?page=2'])
      expect([query, (await get(`/calendar.ics${query}`)).text]).toEqual([
        query,
        (await get(`/rest/${EVENTS}${query}`)).text,
      ]);
    const first = await get('/calendar.ics?per_page=1');
    expect(first.headers.link).toBe(`<${TEST_SITE_URL}/calendar.ics?per_page=1&page=2>; rel="next"`);
  });

  test('of one event is called as the event is, in every alphabet', async () => {
    const named = async (title: string): Promise<unknown> => {
      const times = { start_date: `${nextYear}-09-01 10:00:00`, end_date: `${nextYear}-09-01 11:00:00` };
      const { slug } = await write(EVENTS, { title, ...times, status: 'publish' });
      return (await get(`/events/${slug as string}.ics`)).headers['content-disposition'];
    };
    expect(await named('Plain name')).toBe('attachment; filename="plain-name.ics"');
    expect(await named('مساء')).toBe(
      `attachment; filename="event.ics"; filename*=UTF-8''${encodeURIComponent('مساء')}.ics`,
    );
  });

  test('is kept, known by its tag, and as new as what it shows', async () => {
    const made = await write(EVENTS, {
      title: 'Kept',
      start_date: `${nextYear}-09-01 10:00:00`,
      end_date: `${nextYear}-09-01 11:00:00`,
      status: 'publish',
    });
    const file = `/events/${made.slug as string}.ics`;
    const sequence = async (): Promise<number> => {
      const { status, text } = await get(file);
      expect(status).toBe(200);
      return Number(value(eventsIn(text)[0], 'sequence'));
    };
    const before = await sequence();
    for (const path of ['/calendar.ics', file])
      await until(async () => (await get(path)).headers['x-cache'] === 'hit');
    const kept = await get('/calendar.ics');
    const known = await get('/calendar.ics', { 'if-none-match': String(kept.headers.etag) });
    expect([known.status, known.text, known.headers.etag]).toEqual([304, '', kept.headers.etag]);
    await write(`${EVENTS}/${made.id as number}`, { title: 'Told anew' });
    expect(await sequence()).toBe(before + 1);
    expect((await get('/calendar.ics')).text).toContain('SUMMARY:Told anew');
    await site.client.request('DELETE', `/rest/${EVENTS}/${made.id as number}`, { headers: administrator });
    expect((await get('/calendar.ics')).text).not.toContain('SUMMARY:Told anew');
    expect((await get(file)).status).toBe(404);
    for (const path of ['/events/none.ics', '/events/%2e%2e.ics', '/events/.ics', '/calendar.ics/'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });
});

describe('/feed/', () => {
  test('has the newest posts with their whole texts, whatever is in them, and is as new as they are', async () => {
    const author = await makeUser(content(), 'author', { slug: 'ann', name: 'Ann &amp; &lt;Co&gt;' });
    const term = await makeTerm(content(), { name: 'R&amp;D', slug: 'rd' });
    const { id } = await makePost(content(), {
      slug: 'told',
      path: '2026/11/22/told',
      title_html: 'One &lt;b&gt; &amp; <em>two</em> ]]>',
      content_html: '<p>Whole ]]> text & <a href="/more/">more</a></p>\n<script>1</script>',
      excerpt_html: '<p>Short &lt;img src=x onerror=alert(1)&gt; &amp; <b>plain</b></p>',
      author: author.id,
      categories: [term.id],
      date_gmt: '2026-11-22 10:00:00Z',
      guid: 'https://old.example/?p=3&x=<1>',
    });
    await makePost(content(), {
      slug: 'secret',
      guid: 'http://old.example/?p=secret',
      path: 'x/secret',
      password: 'pw',
      content_html: 'hidden words',
    });
    await makePost(content(), { slug: 'draft', path: 'x/draft', status: 'draft', title_html: 'Not yet' });
    const { status, headers, text } = await get('/feed/');
    expect([status, headers['content-type']]).toEqual([200, 'application/rss+xml; charset=UTF-8']);
    expect(headers.etag).toMatch(/^"[\w-]+"$/);
    // Readers take it for HTML: what its author wrote as text is no tag there either.
    expect(text).toContain(
      '<description>Short &amp;lt;img src=x onerror=alert(1)&amp;gt; &amp;amp; plain</description>',
    );
    const { errors } = await validateXML({ xml: text, normalization: 'c14n' });
    expect(errors).toEqual([]);
    const { url, meta, self, items } = parseFeed(text).toJSON();
    expect([url, meta.type, meta.version, self]).toEqual([
      `${TEST_SITE_URL}/`,
      'rss',
      '2.0',
      `${TEST_SITE_URL}/feed/`,
    ]);
    // What programs know them by comes along from where the site was before.
    const [told, locked] = ['https://old.example/?p=3&x=<1>', 'http://old.example/?p=secret'].map((guid) =>
      items.find((item) => item.id === guid),
    );
    expect(told).toMatchObject({
      title: 'One <b> & two ]]>',
      url: `${TEST_SITE_URL}/2026/11/22/told/`,
      content: `<p>Whole ]]> text & <a href="${TEST_SITE_URL}/more/">more</a></p>\n<script>1</script>`,
      published: '2026-11-22T10:00:00.000Z',
      authors: [{ name: 'Ann & <Co>' }],
      categories: [{ label: 'R&D' }],
    });
    expect(locked?.title).toMatch(/^Protected: /);
    expect(text).not.toMatch(/hidden words|Not yet/);
    await until(async () => (await get('/feed/')).headers['x-cache'] === 'hit');
    const known = await get('/feed/', { 'if-none-match': String(headers.etag) });
    expect([known.status, known.text]).toEqual([304, '']);
    await write(`core/v2/posts/${id}`, { title: 'Told anew' });
    expect((await get('/feed/')).text).toContain('<title>Told anew</title>');
    const moved = await get('/feed');
    expect([moved.status, moved.headers.location]).toEqual([301, `${TEST_SITE_URL}/feed/`]);
  });

  test('stands below terms and authors, too, with their posts alone, and where nothing is there is none', async () => {
    const db = content();
    const author = await makeUser(db, 'author', { slug: 'bea', name: 'Bea' });
    const parent = await makeTerm(db, {
      name: 'Boats &amp; more',
      slug: 'boats',
      description: '<p>On water</p>',
    });
    const child = await makeTerm(db, {
      name: 'Ferries',
      slug: 'ferries',
      parent: parent.id,
      parent_path: 'boats',
    });
    const tag = await makeTerm(db, { taxonomy: 'post_tag', name: 'Slow', slug: 'slow' });
    await makeTerm(db, { taxonomy: 'calendar_events_cat', name: 'Races', slug: 'races' });
    const post = await makePost(db, {
      slug: 'line-62',
      path: 'y/line-62',
      title_html: 'Line 62',
      author: author.id,
      categories: [child.id],
      tags: [tag.id],
    });
    await makePost(db, { slug: 'other', path: 'y/other', title_html: 'Elsewhere' });
    const feeds = [
      '/category/boats/feed/',
      '/category/boats/ferries/feed/',
      '/tag/slow/feed/',
      '/author/bea/feed/',
    ];
    for (const path of feeds) {
      const { status, headers, text } = await get(path);
      expect([path, status, headers.location]).toEqual([path, 200, undefined]);
      const { url, self, items } = parseFeed(text).toJSON();
      expect([self, url]).toEqual([`${TEST_SITE_URL}${path}`, `${TEST_SITE_URL}${path.slice(0, -5)}`]);
      expect(items.map(({ title }) => title)).toEqual(['Line 62']);
    }
    const boats = parseFeed((await get(feeds[0]!)).text).toJSON();
    expect([boats.title, boats.description]).toEqual([
      expect.stringMatching(/^Boats & more – ./),
      'On water',
    ]);
    await until(async () => (await get(feeds[0]!)).headers['x-cache'] === 'hit');
    await write(`core/v2/posts/${post.id}`, { title: 'Line 72' });
    for (const path of feeds) expect((await get(path)).text).toContain('<title>Line 72</title>');
    await write(`core/v2/tags/${tag.id}`, { name: 'Slower' });
    expect((await get('/tag/slow/feed/')).text).toContain('<title>Slower – ');
    const moved = await get('/Category/boats/feed');
    expect([moved.status, moved.headers.location]).toEqual([301, `${TEST_SITE_URL}/category/boats/feed/`]);
    for (const path of ['/category/none/feed/', '/nothing/feed/', '/tag/slow/page/2/feed/'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    expect((await get('/tag/slow/feed/', {}, 'POST')).status).toBe(404);
  });

  test('of comments stand below what they are about, and all of them at an address of their own', async () => {
    const db = content();
    const talked = await makePost(db, {
      slug: 'talked',
      path: 'z/talked',
      title_html: 'Talked &amp; about',
      guid: 'https://old.example/?p=talked',
    });
    const kept = await makePost(db, { slug: 'kept', path: 'z/kept', password: 'pw' });
    const silent = await makePost(db, { slug: 'silent', path: 'z/silent', type: 'page' });
    const hidden = await makePost(db, { slug: 'hidden', path: 'z/hidden', status: 'private' });
    const say = (post: number, words: string, more: object = {}) =>
      makeComment(db, {
        post,
        content_html: `<p>${words}</p>`,
        author_name: 'Ben &amp; &lt;Co&gt;',
        ...more,
      });
    const first = await say(talked.id, 'One ]]> & more', { date_gmt: '2026-11-20 10:00:00Z' });
    await say(talked.id, 'Not yet', { status: 'hold' });
    await say(talked.id, 'Buy this', { status: 'spam' });
    await say(kept.id, 'For those who know it');
    await say(hidden.id, 'For those who write');
    const { status, headers, text } = await get('/z/talked/feed/');
    expect([status, headers['content-type']]).toEqual([200, 'application/rss+xml; charset=UTF-8']);
    expect((await validateXML({ xml: text, normalization: 'c14n' })).errors).toEqual([]);
    expect(text).toContain('<description>One ]]&amp;gt; &amp;amp; more</description>');
    const { url, self, title, items } = parseFeed(text).toJSON();
    expect([url, self]).toEqual([`${TEST_SITE_URL}/z/talked/`, `${TEST_SITE_URL}/z/talked/feed/`]);
    expect(title).toMatch(/^Comments on Talked & about – ./);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      id: `https://old.example/?p=talked#comment-${first.id}`,
      url: `${TEST_SITE_URL}/z/talked/#comment-${first.id}`,
      title: 'Ben & <Co>',
      content: '<p>One ]]> & more</p>',
      published: '2026-11-20T10:00:00.000Z',
      authors: [{ name: 'Ben & <Co>' }],
    });
    const all = parseFeed((await get('/comments/feed/')).text).toJSON();
    expect([all.url, all.self]).toEqual([`${TEST_SITE_URL}/`, `${TEST_SITE_URL}/comments/feed/`]);
    expect(all.items.map((one) => one.title)).toEqual(['Ben & <Co> on Talked & about']);
    expect(parseFeed((await get('/z/silent/feed/')).text).toJSON().items).toEqual([]);
    for (const path of ['/z/kept/feed/', '/z/hidden/feed/', '/z/none/feed/', '/comments/feed/x'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    for (const [path, whole] of [
      ['/comments/feed', '/comments/feed/'],
      ['/Z/talked/feed', '/z/talked/feed/'],
    ] as const) {
      const { status: code, headers: told } = await get(path);
      expect([path, code, told.location]).toEqual([path, 301, `${TEST_SITE_URL}${whole}`]);
    }
    // As new as what is said.
    for (const path of ['/comments/feed/', '/z/talked/feed/', '/z/silent/feed/'])
      await until(async () => (await get(path)).headers['x-cache'] === 'hit');
    const { id } = await write('core/v2/comments', { post: silent.id, content: 'Another word' });
    for (const path of ['/comments/feed/', '/z/silent/feed/'])
      expect((await get(path)).text).toContain('Another word');
    await write(`core/v2/comments/${String(id)}`, { status: 'hold' });
    for (const path of ['/comments/feed/', '/z/silent/feed/'])
      expect((await get(path)).text).not.toContain('Another word');
    const { link } = await write(`core/v2/posts/${talked.id}`, { title: 'Renamed' });
    const renamed = `${new URL(String(link)).pathname}feed/`;
    for (const path of ['/comments/feed/', renamed]) expect((await get(path)).text).toMatch(/ on Renamed/);
    await write(`core/v2/posts/${talked.id}`, { password: 'pw' });
    expect((await get(renamed)).status).toBe(404);
    expect((await get('/comments/feed/')).text).not.toContain('One ]]');
    expect((await get('/z/silent/', { accept: 'text/html' })).text).toContain(
      `<link rel="alternate" type="application/rss+xml" href="${TEST_SITE_URL}/z/silent/feed/">`,
    );
  });

  test('below an address that something had they lead to where it is now', async () => {
    // All of it, as the worker would in a moment.
    const catchUp = (): Promise<unknown> => reindexAll(site.service('seo').deps as SeoDeps, () => undefined);
    const page = await write('core/v2/pages', { title: 'Old', slug: 'old-name', status: 'publish' });
    const category = await write('core/v2/categories', { name: 'Old', slug: 'old-kind' });
    const times = { start_date: `${nextYear}-09-01 10:00:00`, end_date: `${nextYear}-09-01 11:00:00` };
    const event = await write(EVENTS, { title: 'Old', slug: 'old-feast', ...times, status: 'publish' });
    await catchUp();
    await write(`${EVENTS}/${String(event['id'])}`, { slug: 'new-feast' });
    await write(`core/v2/pages/${String(page['id'])}`, { slug: 'new-name' });
    await write(`core/v2/categories/${String(category['id'])}`, { slug: 'new-kind' });
    await catchUp();
    for (const [path, now] of [
      ['/old-name/feed/', '/new-name/feed/'],
      ['/old-name/feed', '/new-name/feed/'],
      ['/category/old-kind/feed/', '/category/new-kind/feed/'],
      ['/events/old-feast.ics', '/events/new-feast.ics'],
    ] as const) {
      const { status, headers } = await get(path);
      expect([path, status, headers.location]).toEqual([path, 301, `${TEST_SITE_URL}${now}`]);
      expect((await get(now)).status).toBe(200);
    }
    await write(`core/v2/pages/${String(page['id'])}`, { status: 'private' });
    await catchUp();
    expect((await get('/old-name/feed/')).status).toBe(404);
  });

  test('pages lead to what there is to subscribe to', async () => {
    const { id, slug, url } = await write(EVENTS, {
      title: 'Led to',
      start_date: `${nextYear}-10-01 10:00:00`,
      end_date: `${nextYear}-10-01 11:00:00`,
      status: 'publish',
    });
    const page = new URL(String(url)).pathname;
    const seo = site.service('seo').deps as SeoDeps;
    await put(seo.db, [{ subtype: 'event', id: Number(id), permalink: String(url) }]);
    await seo.db.run(
      `insert into addresses (path_key, object_type, object_id, path, is_current, held)
       values (md5($1)::uuid, 'post', $2, $1, true, 1)`,
      [page.slice(1, -1), id],
    );
    const { text } = await get(page, { accept: 'text/html' });
    const hrefs = Array.from(
      text.matchAll(
        /<link rel="alternate" type="(?:application\/rss\+xml|text\/calendar)"[^>]* href="([^"]+)"/g,
      ),
      ([, href]) => new URL(href!).pathname,
    );
    expect(hrefs).toEqual(['/feed/', '/calendar.ics', `/events/${String(slug)}.ics`]);
    for (const href of hrefs) expect([href, (await get(href)).status]).toEqual([href, 200]);
  });
});

describe('what people have, brought in', () => {
  const now = new Date();
  const year = nextYear + 2;
  const feed = `/calendar.ics?start_date=${year}-01-01&end_date=${year}-12-31`;
  const bring = async ({ events }: Found, origin: string): Promise<Record<string, unknown>> => {
    const deps = site.service('imports').deps as ImportsDeps;
    const { importId, batchHash } = await registerImport(deps, { origin });
    await push({ url: site.url, importId, batchHash, batches: batchesOf(events) });
    await until(async () => (await readImport(deps, importId)).state === 'success');
    const {
      eventsCreated: created,
      eventsUpdated: updated,
      eventsSkipped: skipped,
    } = await readImport(deps, importId);
    return { created, updated, skipped };
  };
  const calendarOf = (title: string): string =>
    [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'UID:weekly@elsewhere',
      `SUMMARY:${title}`,
      'DESCRIPTION:First < second\\n\\nThird & last',
      `DTSTART;TZID=Europe/Berlin:${year}0315T193000`,
      'DURATION:PT2H',
      'RRULE:FREQ=WEEKLY;COUNT=4',
      'LOCATION:The old \\"Hall\\"\\; upstairs',
      'GEO:52.5;13.4',
      'ORGANIZER;CN="The Choir":mailto:choir@example.org',
      'CONTACT;ALTREP="https://example.org/b":The Band',
      'CATEGORIES:Songs & more,Evenings',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:weekly@elsewhere',
      `RECURRENCE-ID;TZID=Europe/Berlin:${year}0322T193000`,
      'SUMMARY:Moved',
      `DTSTART;TZID=Europe/Berlin:${year}0323T200000`,
      'DURATION:PT1H',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:days@elsewhere',
      'SUMMARY:Three days',
      `DTSTART;VALUE=DATE:${year}0501`,
      `DTEND;VALUE=DATE:${year}0504`,
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\r\n');
  const wanted = { now, from: `${year}-01-01`, to: `${year}-12-31` };
  /** What both calendars say of an event; where to look at it is told by each in its own way. */
  const told = ({ events }: Found): unknown[] =>
    events.map(
      ({ title, description, all_day, start_date, end_date, timezone, categories, venue, organizer }) => ({
        title,
        description,
        all_day,
        start_date,
        end_date,
        timezone,
        categories: [...(categories as string[])].sort(),
        venue,
        organizer,
      }),
    );

  test('the feed of an import is the import; pushed again it changes and nothing is there twice', async () => {
    const first = readCalendar(calendarOf('Song night'), wanted);
    expect(first.events).toHaveLength(5);
    expect(await bring(first, 'ics')).toEqual({ created: 5, updated: 0, skipped: 0 });
    expect(told(readCalendar((await get(feed)).text, { now }))).toEqual(told(first));
    const second = readCalendar(calendarOf('Song night, renamed'), wanted);
    expect(await bring(second, 'ics')).toEqual({ created: 0, updated: 5, skipped: 0 });
    // Nothing went through the gateway, which hears of it a moment later.
    const { headers, text } = await until(async () => {
      const answer = await get(feed);
      return answer.text.includes('Song night\\, renamed') && answer;
    });
    expect(headers['x-total']).toBe('5');
    expect(told(readCalendar(text, { now }))).toEqual(told(second));
  });

  test('a table comes in once, however often, and only its good rows', async () => {
    const table = `title;start_date;start_time;venue;category\r\n"Fair; big";${year}-06-01;10:00;Square;Markets\r\nBad;never;;;\r\n`;
    const { faults, ...found } = readTable(table, { now });
    expect(faults.map(({ line }) => line)).toEqual([3]);
    expect(await bring({ ...found, faults }, 'csv')).toEqual({ created: 1, updated: 0, skipped: 0 });
    expect(await bring({ ...found, faults }, 'csv')).toEqual({ created: 0, updated: 1, skipped: 0 });
    const [fair, ...others] = eventsIn((await get(`${feed}&search=fair`)).text);
    expect([value(fair, 'summary'), value(fair, 'location'), others]).toEqual(['Fair; big', 'Square', []]);
  });
});
