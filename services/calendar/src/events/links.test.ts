/** What an event names: venues and organizers by number or data, terms by number or name. */
import { makeTerm } from '@sevenfold/content/testing/factories';
import { makeOrganizer, makeVenue } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

const BASE = { title: 'Concert', start_date: '2030-03-01 10:00:00', end_date: '2030-03-01 12:30:00' };
type Role = Parameters<CalendarSite['by']>[0];
const create = (fields: object = {}, role: Role = 'editor') =>
  site.by(role).post('/events', { ...BASE, ...fields });

describe('links of a new event', () => {
  it('makes a venue and organizers from their data, in the transaction of the event', async () => {
    const { status, body } = await create({
      venue: {
        venue: 'New hall',
        city: 'Lyon',
        country: 'France',
        province: 'Rhone',
        zip: 69000,
        show_map: false,
        geo_lat: 45.7,
        geo_lng: '4.8',
      },
      organizer: [{ organizer: 'Grace', email: 'grace@example.org' }, { organizer: 'Linus' }],
    });
    expect(status).toBe(201);
    expect(body.venue).toMatchObject({
      venue: 'New hall',
      slug: 'new-hall',
      zip: '69000',
      stateprovince: 'Rhone',
      show_map: false,
      geo_lat: 45.7,
      geo_lng: 4.8,
      status: 'publish',
    });
    expect(body.organizer.map(({ organizer }: { organizer: string }) => organizer)).toEqual([
      'Grace',
      'Linus',
    ]);
  });

  it('takes the one of the same name, with what is said anew', async () => {
    const venue = await makeVenue(site.deps.db, { name: 'Old Hall', phone: '1', city: 'Graz' });
    const { body } = await create({ venue: { venue: 'old hall', phone: '2' } });
    expect(body.venue).toMatchObject({ id: venue.id, venue: 'Old Hall', phone: '2', city: 'Graz' });
  });

  it('does not let a contributor change the venue of somebody else through an event', async () => {
    const venue = await makeVenue(site.deps.db, { name: 'Kept Hall', phone: '1' });
    const { body } = await create({ venue: { venue: 'Kept Hall', phone: '2' } }, 'contributor');
    expect(body.venue).toMatchObject({ id: venue.id, phone: '1' });
  });

  it('makes it once when many name it at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        create({ title: `Rush ${index}`, venue: { venue: 'Rush hall' }, organizer: { organizer: 'Rush' } }),
      ),
    );
    expect(new Set(answers.map(({ body }) => body.venue.id)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.organizer[0].id)).size).toBe(1);
  });

  it('does not take what is in the trash, nor what the caller may not read', async () => {
    const trashed = await makeVenue(site.deps.db, { name: 'Gone hall', status: 'trash' });
    const { body } = await create({ venue: { venue: 'Gone hall' } });
    expect(body.venue.id).not.toBe(trashed.id);
    const secret = await makeVenue(site.deps.db, { status: 'private' });
    expect((await create({ venue: secret.id }, 'author')).status).toBe(400);
    expect((await create({ venue: trashed.id })).status).toBe(400);
  });

  it('takes organizers by number, text, {id}, data and mixtures', async () => {
    const [one, two] = [await makeOrganizer(site.deps.db), await makeOrganizer(site.deps.db)];
    const ids = async (organizer: unknown): Promise<number[]> =>
      (await create({ organizer })).body.organizer.map(({ id }: { id: number }) => id);
    expect(await ids(one.id)).toEqual([one.id]);
    expect(await ids(String(one.id))).toEqual([one.id]);
    expect(await ids(`${two.id}, ${one.id}`)).toEqual([two.id, one.id]);
    expect(await ids({ id: one.id })).toEqual([one.id]);
    expect(await ids([two.id, { id: one.id }, two.id])).toEqual([two.id, one.id]);
    expect(await ids([one.id, { organizer: 'Mixed' }])).toEqual([one.id, expect.any(Number)]);
    expect(await ids('')).toEqual([]);
  });

  it('leaves nothing behind when a later part is refused', async () => {
    const before = await site.deps.db.first('select count(*) as n from venues');
    const { status } = await create({ venue: { venue: 'Never made' }, image: 999999, tags: 'never made' });
    expect(status).toBe(400);
    expect(await site.deps.db.first('select count(*) as n from venues')).toEqual(before);
    const terms = await site.content.deps.db.first(
      `select count(*) as n from terms where name = 'never made'`,
    );
    expect(terms).toEqual({ n: 0 });
  });
});

describe('terms of an event', () => {
  it('takes them by number, text, name and mixture', async () => {
    const jazz = await makeTerm(site.content.deps.db, {
      taxonomy: 'calendar_events_cat',
      name: 'Blues',
      slug: 'blues',
    });
    const other = await makeTerm(site.content.deps.db, {
      taxonomy: 'calendar_events_cat',
      name: 'Choir',
      slug: 'choir',
    });
    const names = async (categories: unknown): Promise<string[]> =>
      (await create({ categories })).body.categories.map(({ name }: { name: string }) => name);
    expect(await names(jazz.id)).toEqual(['Blues']);
    expect(await names(`${other.id},${jazz.id}`)).toEqual(['Blues', 'Choir']);
    expect(await names([other.id, 'blues'])).toEqual(['Blues', 'Choir']);
    expect(await names('Choir, Brand new')).toEqual(['Brand new', 'Choir']);
    expect(await names({ 0: jazz.id, 1: other.id })).toEqual(['Blues', 'Choir']);
    expect(await names([{ id: jazz.id, name: 'whatever' }])).toEqual(['Blues']);
    expect(await names([999999, jazz.id])).toEqual(['Blues']);
    expect(await names([])).toEqual([]);
  });

  it('leaves out terms of another taxonomy', async () => {
    const tag = await makeTerm(site.content.deps.db, { taxonomy: 'post_tag' });
    expect((await create({ categories: [tag.id] })).body.categories).toEqual([]);
  });

  it('makes new categories only for those who may', async () => {
    const answer = await create({ categories: 'Forbidden category' }, 'contributor');
    expect(answer.status).toBe(403);
    expect((await create({ tags: 'allowed tag' }, 'contributor')).body.tags).toMatchObject([
      { name: 'allowed tag' },
    ]);
  });
});
