/** What other services ask the calendar over gRPC. */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import {
  type EventServiceServer,
  EventServiceService,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/events';
import { makeTerm } from '@sevenfold/content/testing/factories';
import { makeEvent, makeOrganizer, makeVenue } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';

let site: CalendarSite;
let remote: Remote<EventServiceServer>;
let reader: Remote<EventServiceServer>;

const connect = (caller: string): Remote<EventServiceServer> =>
  site.dial<EventServiceServer>(EventServiceService, caller);

beforeAll(async () => {
  site = await startCalendar();
  remote = connect('seo');
  reader = connect('oembed');
});
afterAll(async () => {
  remote.close();
  reader.close();
  await site.stop();
});
beforeEach(async () => {
  for (const table of ['events', 'venues', 'organizers']) await site.deps.db.run(`delete from ${table}`);
});

it('gives events, venues and organizers by id', async () => {
  const event = await makeEvent(site.deps.db, {
    slug: 'concert',
    title_html: 'Concert',
    excerpt_html: '<p>E</p>',
    author: 3,
  });
  const venue = await makeVenue(site.deps.db, { slug: 'hall', name: 'Hall' });
  const organizer = await makeOrganizer(site.deps.db, { status: 'draft' });
  const { objects } = await remote.getEvents({ ids: [event.id, venue.id, organizer.id, 999999] });
  const byId = new Map(objects.map((object) => [object.id, object]));
  expect(byId.size).toBe(3);
  expect(byId.get(event.id)).toEqual({
    id: event.id,
    type: 'event',
    status: 'publish',
    slug: 'concert',
    link: 'http://site.test/event/concert/',
    title: 'Concert',
    description: expect.stringContaining('<p>Body'),
    excerpt: '<p>E</p>',
    author: 3,
    imageId: 0,
    dateUtc: '2024-01-02T03:04:05.000Z',
    modifiedUtc: '2024-01-02T03:04:05.000Z',
    public: true,
    version: expect.any(String),
    editors: {
      public: false,
      readers: [
        { user: 0, capabilities: ['edit_published_events', 'edit_others_events'] },
        { user: 3, capabilities: ['edit_published_events'] },
      ],
    },
    website: '',
    phone: '',
    place: undefined,
    event: expect.objectContaining({
      startUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      allDay: false,
      costValues: [],
      venueId: 0,
      organizerIds: [],
    }),
  });
  expect(byId.get(venue.id)).toMatchObject({
    type: 'venue',
    link: 'http://site.test/venue/hall/',
    title: 'Hall',
    event: undefined,
    place: { address: '', latitude: undefined },
  });
  expect(byId.get(organizer.id)).toMatchObject({ type: 'organizer', status: 'draft', public: false });
  const { ids, versions } = await remote.listVersions({ afterId: event.id - 1, limit: 0 });
  expect(ids).toEqual([event.id, venue.id, organizer.id]);
  expect(versions[0]).toBe(byId.get(event.id)?.version);
  expect((await remote.listVersions({ afterId: event.id, limit: 1 })).ids).toEqual([venue.id]);
});

it('tells no more of a text that is larger than a message than somebody looks at', async () => {
  const { db } = site.deps;
  const day = { start_local: `${new Date().getUTCFullYear() + 1}-10-01 10:00:00` };
  const event = await makeEvent(db, { ...day, slug: 'long' });
  const others = [await makeEvent(db, day), await makeOrganizer(db)];
  const ids = [event, ...others].map(({ id }) => id);
  for (const table of ['events', 'organizers'])
    await db.run(`update ${table} set excerpt_html = repeat('word ', 2 * 1024 * 1024)`);
  await db.run(`update events set description_html = repeat('x', 20 * 1024 * 1024) where id = $1`, [
    event.id,
  ]);
  const lengths: number[] = [];
  for await (const { description } of remote.streamObjects({ afterId: 0, limit: 0, ids }))
    lengths.push(description.length);
  expect([lengths.length, lengths[0]]).toEqual([3, 1_000_001]);
  expect((await remote.getEvents({ ids })).objects).toHaveLength(3);
  const found = await remote.findByUrl({ url: 'http://site.test/event/long/' });
  expect(found.object?.description.length).toBeGreaterThan(4 * 1024 * 1024);
  const framer = connect('oembed');
  const gateway = connect('gateway');
  try {
    const shown = await framer.findByUrl({ url: 'http://site.test/event/long/' });
    expect(shown.object?.description).toHaveLength(20_000);
    const asked = { categoryId: 0, tagId: 0, venueId: 0, organizerId: 0, page: 1, perPage: 10 };
    expect((await gateway.listUpcoming(asked)).objects).toHaveLength(2);
  } finally {
    framer.close();
    gateway.close();
  }
});

it('reads long texts a few at a time, as whoever asks for them takes them', async () => {
  const { db } = site.deps;
  const ids: number[] = [];
  for (let n = 0; n < 60; n++) ids.push((await (n % 2 === 0 ? makeEvent : makeVenue)(db)).id);
  for (const table of ['events', 'venues'])
    await db.run(`update ${table} set description_html = repeat('“x', 250000)`);
  const seen: string[] = [];
  for await (const { description } of remote.streamObjects({ afterId: 0, limit: 0, ids })) {
    // The last is not read yet.
    if (seen.length === 0)
      await db.run(`update venues set description_html = 'By now' where id = $1`, [ids.at(-1)]);
    seen.push(description.slice(0, 6));
  }
  expect(seen).toEqual([...Array<string>(59).fill('“x“x“x'), 'By now']);
});

it('gives a service that shows things what the actor of its call may read', async () => {
  const { author, editor, subscriber } = site.users;
  const event = await makeEvent(site.deps.db, { author: author.id });
  const draft = await makeEvent(site.deps.db, { author: author.id, status: 'draft' });
  const trashed = await makeVenue(site.deps.db, {
    author: author.id,
    status: 'trash',
    status_before_trash: 'publish',
  });
  const hidden = await makeOrganizer(site.deps.db, { author: editor.id, status: 'private' });
  const ids = [event.id, draft.id, trashed.id, hidden.id];
  const seen = async (actor?: Actor): Promise<number[]> =>
    (await reader.getEvents({ ids }, { actor })).objects.map(({ id }) => id).sort((a, b) => a - b);
  expect(await seen()).toEqual([event.id]);
  expect(await seen(subscriber)).toEqual([event.id]);
  expect(await seen(author)).toEqual([event.id, draft.id, trashed.id]);
  expect(await seen(editor)).toEqual(ids);
});

it('finds what is published by its address', async () => {
  const event = await makeEvent(site.deps.db, { slug: 'found' });
  const venue = await makeVenue(site.deps.db, { slug: 'hall' });
  const draft = await makeEvent(site.deps.db, { slug: 'hidden', status: 'draft' });
  const find = async (url: string): Promise<number | undefined> =>
    (await remote.findByUrl({ url })).object?.id;
  expect(await find('http://site.test/event/found/')).toBe(event.id);
  expect(await find('http://site.test/event/found')).toBe(event.id);
  expect(await find('http://site.test/venue/hall/')).toBe(venue.id);
  expect(await find(`http://site.test/?post_type=calendar_events&p=${event.id}`)).toBe(event.id);
  for (const url of [
    'http://site.test/event/hidden/',
    `http://site.test/?post_type=calendar_events&p=${draft.id}`,
    `http://site.test/?post_type=calendar_venue&p=${event.id}`,
    'http://other.test/event/found/',
    'http://site.test/',
    'no address',
    '',
  ])
    expect(await find(url)).toBeUndefined();
});

it('streams everything in the order of the ids', async () => {
  const made = [
    await makeVenue(site.deps.db),
    await makeEvent(site.deps.db),
    await makeOrganizer(site.deps.db),
  ];
  await site.deps.db
    .run(`insert into venues (status, date_local, date_utc, modified_local, modified_utc, name)
    select 'publish', now(), now(), now(), now(), 'V' || n from generate_series(1, 1200) as n`);
  const ids: number[] = [];
  for await (const { id } of remote.streamObjects({ afterId: made[0]!.id, limit: 0, ids: [] })) ids.push(id);
  expect(ids).toHaveLength(1202);
  expect(ids.slice(0, 2)).toEqual([made[1]!.id, made[2]!.id]);
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  const some: number[] = [];
  for await (const { id } of remote.streamObjects({ afterId: 0, limit: 2, ids: ids.slice(0, 3) }))
    some.push(id);
  expect(some).toEqual(ids.slice(0, 2));
});

it('lists what is to come of a place, a tag or everybody, page by page, and only what is public', async () => {
  const gateway = connect('gateway');
  try {
    const { db } = site.deps;
    const [venue, empty] = [await makeVenue(db), await makeVenue(db)];
    const year = new Date().getUTCFullYear() + 1;
    const tag = await makeTerm(site.content.deps.db, { taxonomy: 'post_tag' });
    const tagged = { venue_id: venue.id, tag_ids: [tag.id] };
    const later = await makeEvent(db, { start_local: `${year}-10-02 10:00:00`, ...tagged });
    const soon = await makeEvent(db, { start_local: `${year}-10-01 10:00:00`, venue_id: venue.id });
    await makeEvent(db, { start_local: `${year}-10-01 10:00:00`, venue_id: venue.id, status: 'draft' });
    await makeEvent(db, { start_local: '2001-10-01 10:00:00', venue_id: venue.id });
    await makeEvent(db, { start_local: `${year}-10-03 10:00:00` });
    await makeEvent(db, { start_local: `${year}-10-04 10:00:00`, hide_from_listings: true });
    const asked = { categoryId: 0, tagId: 0, venueId: venue.id, organizerId: 0, page: 1, perPage: 1 };
    const first = await gateway.listUpcoming(asked);
    expect([first.objects.map(({ id }) => id), first.pages]).toEqual([[soon.id], 2]);
    expect(first.objects[0]?.description).toBe('');
    const second = await gateway.listUpcoming({ ...asked, page: 2 });
    expect(second.objects.map(({ id }) => id)).toEqual([later.id]);
    const none = await gateway.listUpcoming({ ...asked, venueId: empty.id });
    expect(none).toEqual({ objects: [], pages: 0 });
    const ofTag = await gateway.listUpcoming({ ...asked, venueId: 0, tagId: tag.id });
    expect([ofTag.objects.map(({ id }) => id), ofTag.pages]).toEqual([[later.id], 1]);
    const all = await gateway.listUpcoming({ ...asked, venueId: 0, perPage: 50 });
    expect(all.objects).toHaveLength(3);
  } finally {
    gateway.close();
  }
});
