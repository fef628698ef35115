/** Totals of event lists that leave something out: what a recount over the rows says, found in the index of starts alone. */
import { type CalendarSite, startCalendar } from '../testing/service';
import { makeVenue } from '../testing/factories';

type Role = Parameters<CalendarSite['by']>[0];

interface Row {
  readonly id: number;
  readonly status: string;
  readonly featured: boolean;
  readonly venue_id: number;
  readonly start_local: string;
  readonly end_local: string;
}

const STATUSES = ['publish', 'publish', 'publish', 'draft', 'private', 'trash'];
// A part of the rows: some before it, some behind, some that began before it and still run.
const WINDOW = { from: '2030-01-04 00:00:00', to: '2030-01-12 23:59:59' };
const DATES = 'start_date=2030-01-04&end_date=2030-01-12&per_page=50';

let site: CalendarSite;
let rows: Row[];
let placed: number;
let hidden: number;

beforeAll(async () => {
  site = await startCalendar();
  const { db } = site.deps;
  const there = { geo_lat: 48.2, geo_lng: 16.4 };
  placed = (await makeVenue(db, there)).id;
  hidden = (await makeVenue(db, { ...there, status: 'draft' })).id;
  const nowhere = (await makeVenue(db)).id;
  await db.run(
    `insert into events (status, slug, date_local, date_utc, modified_local, modified_utc, title_raw, title_html, timezone,
                         cost_details, featured, venue_id, start_local, end_local, start_utc, end_utc)
     select ($1::text[])[1 + n * 5 % 6], 'some-' || n, now(), now(), now(), now(), 'Some', 'Some', 'UTC',
            '{"symbol":"","position":"","values":[],"shown":[]}', n % 7 = 0, ($2::bigint[])[1 + n % 4], start, start + length, start::timestamptz, (start + length)::timestamptz
       from generate_series(1, 350) as n,
            lateral (select timestamp '2030-01-01' + n * interval '1 hour' as start,
                            case when n % 11 = 0 then interval '9 days' else interval '1 hour' end as length) as t`,
    [STATUSES, [0, nowhere, placed, hidden]],
  );
  rows = await db.rows<Row>(
    'select id, status, featured, venue_id, start_local, end_local from events order by start_local, id',
  );
  site.deps.memory.forget('events');
});
afterAll(() => site.stop());

const isShown = (row: Row): boolean => row.start_local <= WINDOW.to && row.end_local >= WINDOW.from;
const readers: [role: Role, statuses: readonly string[], places: () => number[]][] = [
  ['anonymous', ['publish'], () => [placed]],
  ['editor', ['publish', 'draft', 'private'], () => [placed, hidden]],
];

describe.each(readers)('%s', (role, statuses, places) => {
  test.each<[query: string, keeps: (row: Row) => boolean]>([
    ['featured=false', (row) => !row.featured],
    ['geoloc=false', (row) => !places().includes(row.venue_id)],
    ['geoloc=true', (row) => places().includes(row.venue_id)],
    ['featured=false&geoloc=false', (row) => !row.featured && !places().includes(row.venue_id)],
    ['featured=true&geoloc=false', (row) => row.featured && !places().includes(row.venue_id)],
  ])('%s', async (query, keeps) => {
    const kept = rows.filter((row) => statuses.includes(row.status) && isShown(row) && keeps(row));
    const { status, body } = await site.by(role).get(`/events?${DATES}&${query}`);
    expect(status).toBe(200);
    expect(body.total).toBe(kept.length);
    expect(body.events.map(({ id }: { id: number }) => id)).toEqual(kept.slice(0, 50).map(({ id }) => id));
  });
});

test.each([
  'not e.featured',
  'e.venue_id in (select id from venues where geo_lat is not null)',
  'e.venue_id not in (select id from venues where geo_lat is not null)',
])('%s is counted in the index', async (condition) => {
  const plan = await site.deps.db.transaction(async (tx) => {
    // A table this small is read as a whole, or by an index of whatever, given the choice. The database is this file's.
    await tx.run('set local enable_seqscan = off');
    await tx.run('set local enable_bitmapscan = off');
    await tx.run('drop index if exists events_published_venue');
    return tx.rows<{ 'QUERY PLAN': string }>(
      `explain select count(*) from events e
        where e.status = 'publish' and e.start_local >= timestamp '2030-01-04' and ${condition}`,
      [],
      { planFor: 'values' },
    );
  });
  const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect(lines).toContain('Index Only Scan using events_published_start');
});
