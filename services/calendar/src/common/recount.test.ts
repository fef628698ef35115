/** What is kept beside the rows and is not what they say is put right: by the sweep, and by the command. */
import { linkSweeps } from '@sevenfold/chassis/db/link-maps';
import { sizeOf } from '@sevenfold/chassis/db/id-sets';
import { linkedIds } from '@sevenfold/chassis/db/links';
import { Conditions, withUsed } from '@sevenfold/chassis/db/sql';
import { runSweep } from '@sevenfold/chassis/testing/sweeps';
import { makeEvent, makeOrganizer, makeVenue } from '../testing/factories';
import { idsIn, removeAll } from '../testing/linked';
import { type CalendarSite, startCalendar } from '../testing/service';
import { placeSweep } from '../venues/places';
import { linksTo } from './event-links';
import { listingSweep } from './listings';
import { recountListings } from './recount';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site?.stop());
beforeEach(() => removeAll(site.deps.db));

const db = () => site.deps.db;
const fold = async (): Promise<void> => {
  await listingSweep.run(site.deps);
  await placeSweep.run(site.deps);
};
const NOTHING = { links: 0, venues: 0, organizers: 0, days: 0, counts: 0, places: 0, maps: 0 };
const COMING = { start_local: '2090-01-01 10:00:00' };

const list = async (path: string): Promise<{ ids: number[]; total: number }> => {
  site.deps.memory.forget('events');
  const { body, headers } = await site.by('anonymous').get(path);
  return { ids: idsIn({ body }, path.split('?')[0]!.slice(1)), total: Number(headers.get('x-total')) };
};
const used = async () => ({
  venues: await list('/venues?has_events=1'),
  organizers: await list('/organizers?has_events=1'),
  allVenues: await list('/venues'),
  events: await list('/events?start_date=2090-01-01&end_date=2090-01-02'),
  placed: await list('/events?start_date=2090-01-01&end_date=2090-01-02&geoloc=true'),
});

async function fill(): Promise<void> {
  const venue = await makeVenue(db(), { geo_lat: 1, geo_lng: 1 });
  await makeVenue(db());
  const organizer = await makeOrganizer(db());
  await makeEvent(db(), { ...COMING, venue_id: venue.id, organizer_ids: [organizer.id] });
  await makeEvent(db(), COMING);
}

test('where all is well nothing is written, noted or not', async () => {
  await fill();
  expect(await recountListings(site.deps)).toEqual(NOTHING);
  await fold();
  expect(await recountListings(site.deps)).toEqual(NOTHING);
  await fill();
  await db().run(`update events set status = 'draft' where venue_id = 0`);
  expect(await recountListings(site.deps)).toEqual(NOTHING);
});

test('tables that were emptied, and filled again', async () => {
  await fill();
  await fold();
  await db().run('truncate events, venues, organizers');
  expect((await used()).allVenues.total).toBe(2);
  const found = await recountListings(site.deps);
  expect(found).toEqual({ links: 1, venues: 2, organizers: 1, days: 1, counts: 2, places: 1, maps: 0 });
  const none = { ids: [], total: 0 };
  const empty = { venues: none, organizers: none, allVenues: none, events: none, placed: none };
  expect(await used()).toEqual(empty);
  await fold();
  expect([await used(), await recountListings(site.deps)]).toEqual([empty, NOTHING]);
  await fill();
  await fold();
  const { venues, organizers, allVenues, events, placed } = await used();
  expect([venues, organizers, allVenues, events, placed].map(({ total }) => total)).toEqual([1, 1, 2, 2, 1]);
});

test('whatever is wrong, while other writes are noted and are under way', async () => {
  await fill();
  await fold();
  const before = await used();
  await db().run('update listed_counts set n = n + 7, used = used - 3');
  await db().run('delete from listed_venues');
  await db().run(`insert into listed_organizers (id, date_utc) values (999999, now())`);
  await db().run(`update event_days set n = n + 5`);
  await db().run(`update venue_places set bits = set_bit(bits, 77, 1)`);
  await db().transaction(async (tx) => {
    const open = await makeVenue(tx);
    await makeEvent(tx, { ...COMING, venue_id: open.id });
    const noted = await makeVenue(db());
    await makeEvent(db(), { ...COMING, venue_id: noted.id });
    expect(await recountListings(site.deps)).toEqual({
      ...NOTHING,
      venues: 2,
      organizers: 1,
      days: 1,
      counts: 2,
      places: 1,
    });
    const now = await used();
    expect(now.venues).toEqual({ ids: [noted.id, ...before.venues.ids], total: 2 });
    expect([now.allVenues.total, now.events.total]).toEqual([3, 3]);
    expect(now.organizers).toEqual(before.organizers);
  });
  expect((await used()).allVenues.total).toBe(4);
  await fold();
  expect([(await used()).venues.total, (await used()).events.total]).toEqual([3, 4]);
  expect(await recountListings(site.deps)).toEqual(NOTHING);
});

test('maps of links, while other events are noted and are under way', async () => {
  const ids = [(await makeOrganizer(db())).id, (await makeOrganizer(db())).id];
  const organized = (tx = db() as Parameters<typeof makeEvent>[0], organizers = ids) =>
    makeEvent(tx, { ...COMING, organizer_ids: organizers });
  const number = async () => {
    const conditions = new Conditions();
    const sql = sizeOf(linkedIds(conditions, { links: linksTo('organizers'), ids }));
    const { text, values } = withUsed(`select ${sql} as n`, conditions.values);
    return (await db().first<{ n: number }>(text, values))?.n;
  };
  for (let n = 0; n < 3; n++) await organized();
  await runSweep(linkSweeps, 'fold-links', site.deps);
  await db().run('select map_links(1)');
  expect(await number()).toBe(3);
  await db().run('update link_maps set bits = ~bits');
  expect(await number()).toBeGreaterThan(1_000);
  await db().transaction(async (tx) => {
    await organized(tx);
    await organized(db(), ids.slice(1));
    expect(await recountListings(site.deps)).toEqual({ ...NOTHING, maps: 2 });
    expect(await number()).toBe(4);
  });
  expect(await number()).toBe(5);
  await runSweep(linkSweeps, 'fold-links', site.deps);
  expect([await number(), await recountListings(site.deps)]).toEqual([5, NOTHING]);
  await db().run('truncate events');
  expect((await recountListings(site.deps)).maps).toBe(2);
  expect(await number()).toBe(0);
});
