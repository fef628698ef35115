/** Long lists of events, counted and passed by in indexes alone: totals and pages are those of a recount over the rows. */
import { makeOrganizer, makeVenue } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';

interface Row {
  readonly id: number;
  readonly start_local: string;
  readonly end_local: string;
  readonly venue_id: number;
  readonly featured: boolean;
  readonly category_ids: readonly number[];
  readonly tag_ids: readonly number[];
  readonly organizer_ids: readonly number[];
}

// More than what is found and sorted at once.
const ROWS = 24_000;
const WINDOW = { from: '2030-01-04 00:00:00', to: '2032-09-27 23:59:59' };
const DATES = 'start_date=2030-01-04&end_date=2032-09-27';

let site: CalendarSite;
let rows: readonly Row[];
let ids: Record<'most' | 'some' | 'below' | 'tag' | 'organizer' | 'other' | 'placed', number>;
/** More than are merged, of no events. */
let idle: string;

beforeAll(async () => {
  site = await startCalendar();
  const { db } = site.deps;
  const admin = site.by('administrator');
  const term = async (kind: string, name: string, parent = 0): Promise<number> =>
    (await admin.post(`/${kind}`, { name, ...(kind === 'categories' ? { parent } : {}) })).body.id;
  const some = await term('categories', 'Some');
  ids = {
    most: await term('categories', 'Most'),
    some,
    below: await term('categories', 'Below', some),
    tag: await term('tags', 'Tag'),
    organizer: (await makeOrganizer(db)).id,
    other: (await makeOrganizer(db)).id,
    placed: (await makeVenue(db, { geo_lat: 48.2, geo_lng: 16.4 })).id,
  };
  const none: number[] = [];
  for (let n = 0; n < 25; n++) none.push((await makeOrganizer(db)).id);
  idle = none.join(',');
  await db.run(
    `insert into events (status, slug, date_local, date_utc, modified_local, modified_utc, title_raw, title_html, timezone,
                         cost_details, featured, venue_id, category_ids, tag_ids, organizer_ids, start_local, end_local, start_utc, end_utc)
     select case when n % 100 = 3 then 'draft' else 'publish' end, 'some-' || n, now(), now(), now(), now(), 'Some', 'Some', 'UTC',
            '{"symbol":"","position":"","values":[],"shown":[]}', n % 50 = 0, case when n % 30 > 0 then $2::bigint else 0 end,
            array_remove(array[case when n % 40 > 0 then $3::bigint end, case when n > 21000 then $4::bigint end, case when n % 9 = 0 then $5::bigint end], null),
            array_remove(array[case when n % 35 > 0 then $6::bigint end], null),
            array_remove(array[case when n % 45 > 0 then $7::bigint end, case when n % 3 = 0 then $8::bigint end], null),
            start, start + length, start::timestamptz, (start + length)::timestamptz
       from generate_series(1, $1::integer) as n,
            lateral (select timestamp '2030-01-01' + n / 2 * interval '2 hours' as start,
                            case when n % 11 = 0 then interval '9 days' else interval '1 hour' end as length) as t`,
    [ROWS, ids.placed, ids.most, ids.some, ids.below, ids.tag, ids.organizer, ids.other],
  );
  // Maps of what many name; what changes then is only noted.
  await db.run('select fold_links(null)');
  await db.run('select map_links(1000)');
  await db.run(
    `update events set category_ids = array[$1::bigint], tag_ids = '{}', organizer_ids = array[$2::bigint] where id % 97 = 0`,
    [ids.below, ids.other],
  );
  await db.run(
    `update events set status = case status when 'draft' then 'publish' else 'draft' end where id % 211 = 0`,
  );
  await db.run('delete from events where id % 307 = 0');
  for (const table of ['events', 'event_categories', 'event_tags', 'event_organizers'])
    await db.run(`vacuum analyze ${table}`);
  rows = await db.rows<Row>(`select * from events where status = 'publish' order by start_local, id`);
  site.deps.memory.forget('events');
});
afterAll(() => site?.stop());

test.each<[name: string, query: () => string, keeps: (row: Row) => boolean]>([
  ['a category', () => `categories=${ids.most}`, (row) => row.category_ids.includes(ids.most)],
  [
    'a category with one below it',
    () => `categories=${ids.some}`,
    (row) => row.category_ids.includes(ids.some) || row.category_ids.includes(ids.below),
  ],
  [
    'two categories, one of them with one below it',
    () => `categories=${ids.most},${ids.some}`,
    (row) => row.category_ids.length > 0,
  ],
  [
    'a category and a tag',
    () => `categories=${ids.most}&tags=${ids.tag}`,
    (row) => row.category_ids.includes(ids.most) && row.tag_ids.includes(ids.tag),
  ],
  [
    'many organizers, together of few',
    () => `organizer=${ids.other},${idle}`,
    (row) => row.organizer_ids.includes(ids.other),
  ],
  [
    'many organizers, together of many',
    () => `organizer=${ids.organizer},${idle}`,
    (row) => row.organizer_ids.includes(ids.organizer),
  ],
  [
    'many organizers and two categories',
    () => `organizer=${ids.organizer},${idle}&categories=${ids.most},${ids.some}`,
    (row) => row.organizer_ids.includes(ids.organizer) && row.category_ids.length > 0,
  ],
  [
    'few of an organizer, of a tag and of many categories with a place',
    () => `organizer=${ids.other}&tags=${ids.tag}&categories=${ids.most},${ids.some}&geoloc=true`,
    (row) =>
      row.organizer_ids.includes(ids.other) &&
      row.tag_ids.includes(ids.tag) &&
      row.category_ids.length > 0 &&
      row.venue_id === ids.placed,
  ],
  ['an organizer', () => `organizer=${ids.organizer}`, (row) => row.organizer_ids.includes(ids.organizer)],
  [
    'an organizer and a venue',
    () => `organizer=${ids.organizer}&venue=${ids.placed}`,
    (row) => row.organizer_ids.includes(ids.organizer) && row.venue_id === ids.placed,
  ],
  [
    'a tag, with a place, and not featured',
    () => `tags=${ids.tag}&geoloc=true&featured=false`,
    (row) => row.tag_ids.includes(ids.tag) && row.venue_id === ids.placed && !row.featured,
  ],
  [
    'a tag, without a place',
    () => `tags=${ids.tag}&geoloc=false`,
    (row) => row.tag_ids.includes(ids.tag) && row.venue_id === 0,
  ],
  ['with a place', () => 'geoloc=true', (row) => row.venue_id === ids.placed],
])('%s', async (_name, query, keeps) => {
  const kept = rows
    .filter((row) => keeps(row) && row.start_local <= WINDOW.to && row.end_local >= WINDOW.from)
    .map(({ id }) => id);
  const pages = Math.ceil(kept.length / 50);
  for (const page of new Set(
    [1, 2, 4, 5, Math.ceil(pages / 3), pages - 1, pages].filter((n) => n > 0 && n <= pages),
  )) {
    const { status, body, headers } = await site
      .by('anonymous')
      .get(`/events?${query()}&${DATES}&per_page=50&page=${page}`);
    expect([status, Number(headers.get('x-total'))]).toEqual([200, kept.length]);
    expect(body.events.map(({ id }: { id: number }) => id)).toEqual(kept.slice((page - 1) * 50, page * 50));
  }
});
