/**
 * The calendar beside a content service that goes away, comes back and changes: what is still shown, what is refused,
 * and how news arrives. The content service is a real one.
 */
import { freePort } from '@sevenfold/chassis/ports';
import { lockWaits } from '@sevenfold/chassis/testing/lock-waits';
import type { TestService } from '@sevenfold/chassis/testing/service';
import { makeMedia } from '@sevenfold/content/media/testing/factories';
import { makeTerm } from '@sevenfold/content/testing/factories';
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';
import type { Deps } from '../deps';
import { makeEvent, makeOrganizer, makeVenue } from '../testing/factories';
import { startCalendarOf } from '../testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { contentSubscriptions, reconcileKnown } from './follow';

const prefix = `known-${process.pid}-${Date.now()}`;
const EVENT = { title: 'Concert', start_date: '2030-05-01 10:00', end_date: '2030-05-01 11:00' };
const MAY = '/events?start_date=2030-05-01&end_date=2030-05-31';

let content: ContentSite;
let calendar: TestService<Deps>;
let grpcPort: number;
beforeAll(async () => {
  grpcPort = await freePort();
  content = await startContent({ ROLE: 'all', GRPC_PORT: grpcPort, REDIS_PREFIX: prefix });
  calendar = await startCalendarOf(`127.0.0.1:${grpcPort}`, { ROLE: 'all', REDIS_PREFIX: prefix });
});
afterAll(async () => {
  await calendar.stop();
  await content.stop();
});

const editor = () => calendar.as(content.users.editor);

/** The same content service again, as after a restart of its process. */
async function restart(): Promise<void> {
  const { DATABASE_URL } = content.deps.config;
  const before = content;
  content = await startContent({ ROLE: 'all', GRPC_PORT: grpcPort, REDIS_PREFIX: prefix, DATABASE_URL });
  const again = content;
  content = {
    ...content,
    users: before.users,
    stop: async () => {
      await again.stop();
      await before.stop().catch(() => undefined);
    },
  };
}

describe('while the content service is away', () => {
  let category: { id: number };
  let below: { id: number };
  let image: { id: number };
  let list: object;
  let single: object;
  let eventId: number;

  beforeAll(async () => {
    const { db } = content.deps;
    // Its name is the slug of the other.
    await makeTerm(db, { taxonomy: 'calendar_events_cat', name: 'Music', slug: 'music-2' });
    category = await makeTerm(db, { taxonomy: 'calendar_events_cat', name: 'Music', slug: 'music' });
    below = await makeTerm(db, { taxonomy: 'calendar_events_cat', name: 'Jazz', parent: category.id });
    image = await makeMedia(db);
    const venue = await makeVenue(calendar.deps.db, { image_id: image.id });
    const organizer = await makeOrganizer(calendar.deps.db);
    ({ id: eventId } = await makeEvent(calendar.deps.db, {
      category_ids: [below.id],
      image_id: image.id,
      venue_id: venue.id,
      organizer_ids: [organizer.id],
    }));
    await reconcileKnown(calendar.deps);
    list = (await editor().get(MAY)).body;
    single = (await editor().get(`/events/${eventId}`)).body;
    expect(single).toMatchObject({ image: { id: image.id }, categories: [{ name: 'Jazz' }] });
    await content.service.stop();
  });
  afterAll(async () => {
    await restart();
    await until(
      async () => (await editor().post('/events', { ...EVENT, tags: 'back again' })).status === 201,
    );
    await calendar.deps.db.run(`delete from events where id <> $1`, [eventId]);
  });

  it('lists and reads are whole, in a process that has just started too', async () => {
    const fresh = await startCalendarOf(`127.0.0.1:${grpcPort}`, {
      DATABASE_URL: calendar.deps.config.DATABASE_URL,
    });
    for (const process of [calendar, fresh]) {
      const reader = process.as(content.users.editor);
      expect((await reader.get(MAY)).body).toEqual(list);
      expect((await reader.get(`/events/${eventId}`)).body).toEqual(single);
      for (const name of [String(category.id), 'music'])
        expect((await reader.get(`${MAY}&categories=${name}`)).body.events).toMatchObject([{ id: eventId }]);
    }
    await fresh.stop();
  });

  it('writes that need no new answer work', async () => {
    const { status, body } = await editor().post('/events', {
      ...EVENT,
      categories: [below.id],
      image: image.id,
      venue: { venue: 'Made meanwhile' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      categories: [{ id: below.id }],
      image: { id: image.id },
      timezone: 'America/New_York',
    });
  });

  it.each([
    ['names of terms', { tags: 'never seen' }],
    ['numbers of unknown terms', { categories: [987_654] }],
    ['addresses of pictures', { image: 'http://pictures.example.org/a.png' }],
    ['numbers of unknown pictures', { image: 987_654 }],
    ['other authors', { author: 987_654 }],
  ])('%s are refused with 503, and nothing is written', async (_, fields) => {
    const before = await calendar.deps.db.first('select count(*) as n from events');
    const { status, headers, body } = await editor().post('/events', {
      ...EVENT,
      venue: { venue: 'Must not be there' },
      ...fields,
    });
    expect([status, body.code]).toEqual([503, 'service_unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await calendar.deps.db.first('select count(*) as n from events')).toEqual(before);
    const made = await calendar.deps.db.first(`select 1 from venues where name = 'Must not be there'`);
    expect(made).toBeUndefined();
  });
});

describe('news of the content service', () => {
  const write = (method: string, path: string, body?: object) =>
    content.by('administrator').request(method, path, { body });
  const read = async (id: number) => (await editor().get(`/events/${id}`)).body;

  it('a term that is renamed shows its new name, one that is deleted leaves the events', async () => {
    const term = await makeTerm(content.deps.db, { taxonomy: 'calendar_events_cat', name: 'Before' });
    const event = await makeEvent(calendar.deps.db, { category_ids: [term.id] });
    // The calendar may still rest after an answer that came too late on a busy machine.
    await until(async () => (await read(event.id)).categories[0]?.name === 'Before');
    await write('PATCH', `/calendar_events_cat/${term.id}`, { name: 'After' });
    await until(async () => (await read(event.id)).categories[0].name === 'After');
    await write('DELETE', `/calendar_events_cat/${term.id}?force=true`);
    await until(async () => {
      const row = await calendar.deps.db.first<{ ids: number[] }>(
        'select category_ids as ids from events where id = $1',
        [event.id],
      );
      return row?.ids.length === 0;
    });
    // What is remembered of it goes with the news of that commit, which come a moment later.
    await until(async () => (await read(event.id)).categories.length === 0);
  });

  it('an answer that is late is no later word than the next one', async () => {
    const { deps } = calendar;
    const term = await makeTerm(content.deps.db, { taxonomy: 'calendar_events_cat', name: 'Early' });
    let answered = false;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const terms: typeof deps.content.terms = {
      ...deps.content.terms,
      getTerms: async (...asked) => {
        const answer = await deps.content.terms.getTerms(...asked);
        answered = true;
        await held;
        return answer;
      },
    };
    const { topic, handle } = contentSubscriptions.find((one) => one.topic === 'content.term.changed')!;
    const hear = (id: number, by: Deps): Promise<void> =>
      deps.db.transaction((tx) =>
        handle({ deps: by, tx, topic, id, payload: { id: term.id }, log: deps.log }),
      );
    // Another worker, that stands still with what it was told.
    const late = hear(1, { ...deps, content: { ...deps.content, terms } });
    await until(() => answered);
    await write('PATCH', `/calendar_events_cat/${term.id}`, { name: 'Late' });
    let isHeard = false;
    const news = hear(2, deps).then(() => (isHeard = true));
    await until(async () => isHeard || (await lockWaits(deps.db, '%pg_advisory_xact_lock%')) > 0);
    release();
    await Promise.all([late, news]);
    expect(await deps.db.first('select name from known_terms where id = $1', [term.id])).toEqual({
      name: 'Late',
    });
  });

  it('a picture that is deleted leaves the events', async () => {
    const image = await makeMedia(content.deps.db);
    const event = await makeEvent(calendar.deps.db, { image_id: image.id });
    await until(async () => (await read(event.id)).image?.id === image.id);
    await write('DELETE', `/media/${image.id}?force=true`);
    await until(async () => (await read(event.id)).image === false);
  });

  it('a new zone of the site is the one of new events', async () => {
    await write('POST', '/settings', { timezone: 'Europe/Berlin' });
    await until(async () => (await calendar.deps.known.timezone()) === 'Europe/Berlin');
    const { body } = await editor().post('/events', EVENT);
    expect(body).toMatchObject({ timezone: 'Europe/Berlin', utc_start_date: '2030-05-01 08:00:00' });
    await write('POST', '/settings', { timezone: 'America/New_York' });
    await until(async () => (await calendar.deps.known.timezone()) === 'America/New_York');
  });

  it('events of a deleted user belong to whom his posts go to', async () => {
    const { users } = content;
    const event = await makeEvent(calendar.deps.db, { author: users.contributor.id });
    const { status } = await write(
      'DELETE',
      `/users/${users.contributor.id}?force=true&reassign=${users.author.id}`,
    );
    expect(status).toBe(200);
    await until(async () => (await read(event.id)).author === String(users.author.id));
  });
});
