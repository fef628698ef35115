/** The events that each category, tag and organizer lists equal a recount, whoever wrote at the same time. */
import { makeOrganizer, makeVenue } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site?.stop());

const lists = { event_categories: 'category_ids', event_tags: 'tag_ids', event_organizers: 'organizer_ids' };

/** Rows that should be there and are not, or the other way round. */
async function differences(): Promise<object[]> {
  const found: object[] = [];
  for (const [table, ids] of Object.entries(lists)) {
    const kept = `select target, start_local, event_id, end_utc, venue_id, featured from ${table}`;
    const wanted = `select distinct target, start_local, id, end_utc, venue_id, featured from events, unnest(${ids}) as target where status = 'publish'`;
    const text = `select '${table}' as list, * from ((${kept} except ${wanted}) union all (${wanted} except ${kept})) as other`;
    found.push(...(await site.deps.db.rows(text)));
  }
  return found;
}

test('many write at once: create, change, move, trash, restore', async () => {
  const { db } = site.deps;
  const admin = site.by('administrator');
  const idOf = async (path: string, body: object): Promise<number> => (await admin.post(path, body)).body.id;
  const categories = await Promise.all(['a', 'b', 'c'].map((name) => idOf('/categories', { name })));
  const tags = await Promise.all(['d', 'e', 'f'].map((name) => idOf('/tags', { name })));
  const organizers = [(await makeOrganizer(db)).id, (await makeOrganizer(db)).id];
  const venues = [(await makeVenue(db)).id, (await makeVenue(db)).id];
  const when = (n: number): object => ({
    start_date: `203${n % 10}-05-0${1 + (n % 9)} 10:00:00`,
    end_date: `203${n % 10}-05-0${1 + (n % 9)} 12:00:00`,
  });
  const all = {
    title: 'Event',
    status: 'publish',
    categories,
    tags,
    organizer: organizers,
    venue: venues[0],
  };
  const events = await Promise.all(
    Array.from({ length: 8 }, (_, n) => idOf('/events', { ...all, ...when(n) })),
  );
  const faults: string[] = [];
  await Promise.all(
    [1, 2, 3, 4, 5].map(async (seed) => {
      for (let turn = 0; turn < 16; turn++) {
        const n = (seed * 31 + turn * 17) % 97;
        const path = `/events/${events[n % events.length]}`;
        const some = (of: readonly number[]): number[] => of.filter((_, place) => (n >> place) % 2 === 0);
        const answer = await [
          () => admin.post('/events', { ...all, ...when(n), tags: some(tags) }),
          () => admin.post(path, when(n)),
          () => admin.post(path, { status: ['publish', 'draft', 'private'][n % 3] }),
          () => admin.post(path, { categories: some(categories), tags: some(tags) }),
          () =>
            admin.post(path, { organizer: some(organizers), venue: venues[n % 2], featured: n % 2 === 0 }),
          () => admin.delete(path),
          () => admin.post(path, { ...all, ...when(n) }),
        ][n % 7]!();
        if (answer.status >= 500) faults.push(`${answer.status} ${answer.text}`);
      }
    }),
  );
  expect(faults).toEqual([]);
  expect(await differences()).toEqual([]);
  expect(await db.rows('select from event_organizers limit 1')).toHaveLength(1);
});

test('whole batches, in one statement each', async () => {
  const { db } = site.deps;
  await db.run(
    `insert into events (status, slug, date_local, date_utc, modified_local, modified_utc, title_raw, title_html, timezone,
                         category_ids, tag_ids, organizer_ids, start_local, end_local, start_utc, end_utc)
     select case when n % 4 = 0 then 'future' else 'publish' end, 'some-' || n, now(), now(), now(), now(), 'Some', 'Some', 'UTC',
            array[1, 1 + n % 3], array[90 + n % 5], array[7, 7], start, start, start::timestamptz, start::timestamptz
       from generate_series(1, 200) as n, lateral (select timestamp '2030-01-01' + n * interval '1 hour' as start) as t`,
  );
  expect(await differences()).toEqual([]);
  for (const change of [
    `update events set tag_ids = array_remove(tag_ids, 91)`,
    `update events set start_local = start_local - interval '1 day' where id % 3 = 0`,
    `update events set end_utc = end_utc + interval '1 day'`,
    `update events set status = 'trash' where id % 10 = 0`,
    `update events set venue_id = 7, featured = true, category_ids = array[1, 77] where id % 7 = 0`,
    `update events set status = 'publish' where status = 'future'`,
    `delete from events where id % 11 = 0`,
  ]) {
    expect(await db.run(change)).toBeGreaterThan(0);
    expect([change, await differences()]).toEqual([change, []]);
  }
});
