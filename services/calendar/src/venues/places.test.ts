/** Lists of events by whether their venue has a place: the same before and after what was noted is written as bits. */
import { makeEvent, makeVenue } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';
import { placeSweep } from './places';

const PLACE = { geo_lat: 48.2, geo_lng: 16.4 };
const MAY = 'start_date=2030-05-01&end_date=2030-05-31';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site?.stop());

const fold = () => placeSweep.run(site.deps);

async function eventAt(venue: { readonly id: number }): Promise<number> {
  return (await makeEvent(site.deps.db, { venue_id: venue.id })).id;
}

/** Of one of the events, as lists with and without a place tell it. */
async function isListed(id: number, who: 'anonymous' | 'administrator' = 'anonymous'): Promise<boolean> {
  // Other rows than the factories know of are changed here: nothing that was remembered may answer.
  site.deps.memory.forget('linked');
  const shown = async (geoloc: boolean): Promise<boolean> => {
    const { body } = await site.by(who).get(`/events?geoloc=${geoloc}&include=${id}&per_page=1`);
    return (body.events as { id: number }[]).some((event) => event.id === id);
  };
  const [placed, without] = [await shown(true), await shown(false)];
  expect(placed).not.toBe(without);
  return placed;
}

const change = (id: number, changes: string) =>
  site.deps.db.run(`update venues set ${changes} where id = $1`, [id]);

const notes = async () => (await site.deps.db.rows('select from venue_place_notes')).length;

test('what a venue becomes is known at once, and stays known when it is written', async () => {
  const venue = await makeVenue(site.deps.db);
  const event = await eventAt(venue);
  const states: [changes: string, isPlaced: boolean][] = [
    ['geo_lat = 0', false],
    ['geo_lng = 0', true],
    [`name = 'Other'`, true],
    [`status = 'trash'`, false],
    [`status = 'publish'`, true],
    ['geo_lat = null', false],
    ['geo_lat = 1', true],
  ];
  expect(await isListed(event)).toBe(false);
  for (const [changes, isPlaced] of states) {
    await change(venue.id, changes);
    expect([changes, await isListed(event)]).toEqual([changes, isPlaced]);
    await fold();
    expect([changes, await isListed(event), await notes()]).toEqual([changes, isPlaced, 0]);
  }
  await site.deps.db.run('delete from venues where id = $1', [venue.id]);
  expect(await isListed(event)).toBe(false);
  await fold();
  expect(await isListed(event)).toBe(false);
});

test('only what changes a bit is noted, and several changes of one venue are one bit', async () => {
  await fold();
  const venue = await makeVenue(site.deps.db, PLACE);
  expect(await notes()).toBe(1);
  await change(venue.id, `name = 'Another', geo_lat = 3`);
  expect(await notes()).toBe(1);
  for (const lat of ['null', '4', 'null', '5']) await change(venue.id, `geo_lat = ${lat}`);
  const event = await eventAt(venue);
  expect([await notes(), await isListed(event)]).toEqual([5, true]);
  await fold();
  expect([await notes(), await isListed(event)]).toEqual([0, true]);
});

test('numbers on both sides of a chunk, and far beyond what is mapped, each have their own bit', async () => {
  const ids = [8_191_000, 2 ** 22 - 1, 2 ** 22, 2 ** 22 + 8191, 2 ** 22 + 8192, 2 ** 40];
  const events = new Map<number, number>();
  for (const id of ids) {
    await makeVenue(site.deps.db, { id, ...PLACE });
    await makeVenue(site.deps.db, { id: id + 20_000 });
    events.set(await eventAt({ id }), 1).set(await eventAt({ id: id + 20_000 }), 0);
  }
  for (const settle of [() => Promise.resolve(), fold]) {
    await settle();
    for (const [event, isPlaced] of events)
      expect([event, await isListed(event)]).toEqual([event, !!isPlaced]);
  }
});

test('a change whose transaction is still open when others are written is not lost', async () => {
  const venue = await makeVenue(site.deps.db);
  const other = await makeVenue(site.deps.db);
  const [event, otherEvent] = [await eventAt(venue), await eventAt(other)];
  await site.deps.db.transaction(async (tx) => {
    await tx.run('update venues set geo_lat = 1, geo_lng = 1 where id = $1', [venue.id]);
    await change(other.id, 'geo_lat = 1, geo_lng = 1');
    await fold();
    expect([await isListed(event), await isListed(otherEvent)]).toEqual([false, true]);
  });
  expect(await isListed(event)).toBe(true);
  await fold();
  expect([await isListed(event), await isListed(otherEvent)]).toEqual([true, true]);
});

test('a venue that is not published has its place for those who may read it', async () => {
  const venue = await makeVenue(site.deps.db, { status: 'draft', ...PLACE });
  const event = await eventAt(venue);
  expect([await isListed(event), await isListed(event, 'administrator')]).toEqual([false, true]);
});

test('venues that are named are judged by themselves', async () => {
  const [placed, without] = [await makeVenue(site.deps.db, PLACE), await makeVenue(site.deps.db)];
  const [at, nowhere] = [await eventAt(placed), await eventAt(without)];
  const list = async (query: string) =>
    ((await site.by('anonymous').get(`/events?${MAY}&${query}`)).body.events as { id: number }[]).map(
      ({ id }) => id,
    );
  const both = `venue=${placed.id},${without.id}`;
  expect(await list(`${both}&geoloc=true`)).toEqual([at]);
  expect(await list(`${both}&geoloc=false`)).toEqual([nowhere]);
  expect(await list(`venue=${without.id}&geoloc=true`)).toEqual([]);
});

test('a venue with a place that strangers may read counts, whatever its public status', async () => {
  const venue = await makeVenue(site.deps.db, {
    status: 'calendar-ea-success',
    geo_lat: 48.2,
    geo_lng: 16.4,
  });
  const { id } = await makeEvent(site.deps.db, { venue_id: venue.id, start_local: '2031-05-01 10:00:00' });
  const list = async (geoloc: boolean) =>
    (
      (await site.by('anonymous').get(`/events?include=${id}&geoloc=${geoloc}`)).body.events as {
        id: number;
      }[]
    ).map((event) => event.id);
  expect([await list(true), await list(false)]).toEqual([[id], []]);
});
