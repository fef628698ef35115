/** What an import may do to what people wrote: overwrite it, leave the event, or fill what is empty. Written over HTTP by people. */
import type { AppliedBatch } from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';
import { type CalendarSite, startCalendar } from '../testing/service';
import { applyBatches } from './apply-batches';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

type Raw = Record<string, unknown>;
let batch = 0;
async function bring(events: Raw[], authority = ''): Promise<AppliedBatch> {
  const wanted = { importId: 'a', origin: 'ics', defaultStatus: 'publish', owner: 1, authority };
  const batches = [{ key: `a/${(batch += 1)}`, eventsJson: JSON.stringify(events) }];
  return (await applyBatches(site.deps, { ...wanted, batches }))[0] as AppliedBatch;
}

let uids = 0;
const source = (more: Raw = {}): Raw => ({
  uid: `u${(uids += 1)}`,
  title: 'From the source',
  start_date: '2027-05-01 10:00:00',
  end_date: '2027-05-01 12:00:00',
  timezone: 'America/New_York',
  ...more,
});
async function imported(event: Raw): Promise<number> {
  return (await bring([event])).events?.created[0] as number;
}
async function write(id: number, body: Raw, path = 'events'): Promise<void> {
  const answer = await site.by('editor').post(`/${path}/${id}`, body);
  if (answer.status !== 200) throw new Error(answer.text);
}
const read = async (id: number, path = 'events'): Promise<Raw> =>
  (await site.by('editor').get(`/${path}/${id}`)).body as Raw;
const editedOf = async (id: number, table = 'events'): Promise<string[] | undefined> =>
  (await site.deps.db.first<{ edited: string[] }>(`select edited from ${table} where id = $1`, [id]))?.edited;

const names = (list: unknown): string[] => (list as { name: string }[]).map(({ name }) => name);

/** A field: what the source says first, what a person makes of it, what the source says then, and what is to be seen. */
const FIELDS: readonly (readonly [
  part: string,
  first: Raw,
  person: Raw,
  then: Raw,
  see: (event: Raw) => unknown,
  persons: unknown,
  sources: unknown,
])[] = [
  ['title', {}, { title: 'Mine' }, { title: 'Theirs' }, ({ title }) => title, 'Mine', 'Theirs'],
  [
    'description',
    { description: 'a' },
    { description: 'Mine' },
    { description: 'Theirs' },
    ({ description }) => String(description).trim(),
    '<p>Mine</p>',
    '<p>Theirs</p>',
  ],
  [
    'when',
    {},
    { start_date: '2027-05-01 11:00:00' },
    { end_date: '2027-05-01 14:00:00' },
    ({ start_date, end_date }) => [start_date, end_date],
    ['2027-05-01 11:00:00', '2027-05-01 12:00:00'],
    ['2027-05-01 10:00:00', '2027-05-01 14:00:00'],
  ],
  ['cost', { cost: '5' }, { cost: '7' }, { cost: '9' }, ({ cost }) => cost, '$7', '$9'],
  [
    'website',
    { url: 'http://a.example/' },
    { website: 'http://mine.example/' },
    { url: 'http://theirs.example/' },
    ({ website }) => website,
    'http://mine.example/',
    'http://theirs.example/',
  ],
  ['featured', {}, { featured: true }, { featured: false }, ({ featured }) => featured, true, false],
  [
    'category_ids',
    { categories: ['First'] },
    { categories: [] },
    { categories: ['Second'] },
    ({ categories }) => names(categories),
    // What a person emptied is empty: nothing is lost by filling it.
    ['Second'],
    ['Second'],
  ],
  [
    'tag_ids',
    { tags: ['first'] },
    { tags: 'mine' },
    { tags: ['second'] },
    ({ tags }) => names(tags),
    ['mine'],
    ['second'],
  ],
  [
    'venue_id',
    { venue: { venue: 'First hall' } },
    { venue: { venue: 'My hall' } },
    { venue: { venue: 'Their hall' } },
    ({ venue }) => (venue as Raw).venue,
    'My hall',
    'Their hall',
  ],
  [
    'organizer_ids',
    { organizer: [{ organizer: 'First' }] },
    { organizer: [{ organizer: 'Me' }] },
    { organizer: [{ organizer: 'Them' }] },
    ({ organizer }) => (organizer as Raw[]).map((one) => one.organizer),
    ['Me'],
    ['Them'],
  ],
];

describe.each(FIELDS)('%s of an event', (part, first, person, then, see, persons, sources) => {
  test('fill keeps what a person wrote, and the import still brings the rest', async () => {
    const event = source(first);
    const id = await imported(event);
    await write(id, person);
    expect(await editedOf(id)).toEqual([part]);
    const after = await bring([{ ...event, ...then, excerpt: 'News' }], 'fill');
    expect(after.events?.updated).toEqual([id]);
    const shown = await read(id);
    expect(see(shown)).toEqual(persons);
    expect(shown.excerpt).toContain('News');
  });

  test('overwrite takes it, and from then on it is the source’s', async () => {
    const event = source(first);
    const id = await imported(event);
    await write(id, person);
    await bring([{ ...event, ...then }], 'overwrite');
    expect(see(await read(id))).toEqual(sources);
    expect(await editedOf(id)).toEqual([]);
  });

  test('leave does not touch the event, and says why', async () => {
    const event = source(first);
    const id = await imported(event);
    await write(id, person);
    const before = await read(id);
    const after = await bring([{ ...event, ...then, excerpt: 'News' }], 'leave');
    expect(after.events).toEqual({ created: [], updated: [], skipped: [id] });
    expect(after.skipped).toMatchObject(
      [{ uid: event.uid, leftAlone: true, reason: /changed it/ }].map(({ reason, ...rest }) => ({
        ...rest,
        reason: expect.stringMatching(reason) as string,
      })),
    );
    expect(await read(id)).toEqual(before);
  });
});

test('what nobody changed is written under each authority, and again the same is nothing', async () => {
  for (const authority of ['overwrite', 'leave', 'fill', '']) {
    const event = source();
    const id = await imported(event);
    const news = { ...event, title: 'New', description: 'New' };
    await bring([news], authority);
    expect((await read(id)).title).toBe('New');
    const { modified } = await read(id);
    await bring([news], authority);
    expect((await read(id)).modified).toBe(modified);
  }
});

test('what is sent back unchanged, statuses and slugs are no changes of what an import brings', async () => {
  const event = source({
    description: '5 x 3',
    cost: '5',
    venue: { venue: 'A hall of its own' },
    tags: ['t'],
  });
  const id = await imported(event);
  const { title, description, start_date, end_date, all_day, timezone, website } = await read(id);
  await write(id, {
    title,
    start_date,
    end_date,
    all_day,
    timezone,
    website,
    status: 'draft',
    slug: 'renamed',
  });
  expect(await editedOf(id)).toEqual([]);
  expect(description).toContain('5');
  await site.by('editor').delete(`/events/${id}`);
  await write(id, { status: 'publish' });
  expect(await editedOf(id)).toEqual([]);
});

test('changes add up, whoever makes them, and by slug as well', async () => {
  const id = await imported(source());
  await write(id, { title: 'Mine' });
  await site.by('administrator').post(`/events/by-slug/${String((await read(id)).slug)}`, { cost: '3' });
  expect(await editedOf(id)).toEqual(['cost', 'title']);
});

test('a group of batches asks of each event by itself', async () => {
  const events = [source(), source(), source()];
  const ids = (await bring(events)).events?.created as number[];
  await write(ids[1] as number, { title: 'Mine' });
  const news = events.map((event) => ({ ...event, title: 'New' }));
  expect((await bring(news, 'leave')).events).toEqual({
    created: [],
    updated: [ids[0], ids[2]],
    skipped: [ids[1]],
  });
  expect(await Promise.all(ids.map(async (id) => (await read(id)).title))).toEqual(['New', 'Mine', 'New']);
  await bring(
    news.map((event) => ({ ...event, title: 'Newer' })),
    'fill',
  );
  expect(await Promise.all(ids.map(async (id) => (await read(id)).title))).toEqual([
    'Newer',
    'Mine',
    'Newer',
  ]);
});

describe('venues and organizers', () => {
  const hall = (name: string, more: Raw): Raw => source({ venue: { venue: name, ...more } });
  const venueOf = async (id: number): Promise<number> => ((await read(id)).venue as { id: number }).id;

  test('of an import: fill keeps the fields that people wrote, leave all of it, overwrite none', async () => {
    const name = 'Imported hall';
    const id = await venueOf(await imported(hall(name, { address: 'Old street', city: 'Old town' })));
    await write(id, { address: 'My street' }, 'venues');
    expect(await editedOf(id, 'venues')).toEqual(['address']);
    const news = { address: 'New street', city: 'New town', phone: '1' };
    await bring([hall(name, news)], 'leave');
    expect(await read(id, 'venues')).toMatchObject({ address: 'My street', city: 'Old town' });
    await bring([hall(name, news)], 'fill');
    expect(await read(id, 'venues')).toMatchObject({ address: 'My street', city: 'New town', phone: '1' });
    await bring([hall(name, news)]);
    expect(await read(id, 'venues')).toMatchObject({ address: 'New street' });
    expect(await editedOf(id, 'venues')).toEqual([]);
  });

  test('of people: an import that fills adds what they left empty', async () => {
    const made = await site.by('editor').post('/venues', { venue: 'Our hall', address: 'Our street' });
    const { id } = made.body as { id: number };
    const news = { address: 'New street', city: 'New town', geo_lat: 1, geo_lng: 2 };
    await bring([hall('Our hall', news)], 'leave');
    expect((await read(id, 'venues')).city).toBeUndefined();
    await bring([hall('Our hall', news)], 'fill');
    expect(await read(id, 'venues')).toMatchObject({
      address: 'Our street',
      city: 'New town',
      geo_lat: 1,
      geo_lng: 2,
    });
  });

  test('an organizer likewise', async () => {
    const made = await site.by('editor').post('/organizers', { organizer: 'We', email: 'we@example.org' });
    const { id } = made.body as { id: number };
    await bring([source({ organizer: { organizer: 'We', email: 'they@example.org', phone: '2' } })], 'fill');
    expect(await read(id, 'organizers')).toMatchObject({ phone: '2' });
    const row = await site.deps.db.first('select email from organizers where id = $1', [id]);
    expect(row).toEqual({ email: 'we@example.org' });
  });
});
