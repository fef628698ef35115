/** POST, PUT and PATCH of events: every field, what is kept, rights by ownership, statuses, slugs, links, and faults. */
import { makeTerm } from '@sevenfold/content/testing/factories';
import { makeEvent, makeOrganizer, makeVenue } from '../testing/factories';
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
const stored = (id: number): Promise<Record<string, unknown> | undefined> =>
  site.deps.db.first('select * from events where id = $1', [id]);

describe('POST /events', () => {
  it('creates with the least that is needed', async () => {
    const answer = await create({ title: 'Own event by admin' }, 'administrator');
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.body).toMatchObject({
      author: String(site.users.administrator.id),
      status: 'publish',
      title: 'Own event by admin',
      description: '',
      excerpt: '',
      slug: 'own-event-by-admin',
      url: 'http://site.test/event/own-event-by-admin/',
      image: false,
      all_day: false,
      start_date: '2030-03-01 10:00:00',
      end_date: '2030-03-01 12:30:00',
      utc_start_date: '2030-03-01 15:00:00',
      timezone: 'America/New_York',
      timezone_abbr: 'EST',
      cost: '',
      cost_details: { currency_symbol: '', currency_position: '', values: [] },
      website: 'http://site.test/event/own-event-by-admin/',
      show_map: false,
      show_map_link: false,
      hide_from_listings: false,
      sticky: false,
      featured: false,
      categories: [],
      tags: [],
      venue: [],
      organizer: [],
    });
    expect(answer.body).not.toHaveProperty('json_ld');
  });

  it('takes every field', async () => {
    const category = await makeTerm(site.content.deps.db, { taxonomy: 'calendar_events_cat' });
    const venue = await makeVenue(site.deps.db);
    const organizer = await makeOrganizer(site.deps.db);
    const answer = await create({
      author: site.users.author.id,
      date: '2024-05-05 05:05:05',
      title: 'A "title" & <script>x</script><em>more</em>',
      description: 'One\n\nTwo',
      slug: 'Chosen Name',
      excerpt: 'Short',
      status: 'private',
      timezone: 'Europe/Berlin',
      all_day: true,
      cost: '5-15',
      website: 'https://example.org/a?b=1&c=2',
      show_map: true,
      show_map_link: '1',
      hide_from_listings: 'true',
      sticky: 1,
      featured: true,
      categories: [category.id],
      tags: `brand new, ${category.id}`,
      venue: venue.id,
      organizer: [organizer.id],
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      author: String(site.users.author.id),
      date: '2024-05-05 05:05:05',
      date_utc: '2024-05-05 09:05:05',
      description: '<p>One</p>\n<p>Two</p>',
      excerpt: '<p>Short</p>',
      slug: 'chosen-name',
      status: 'private',
      timezone: 'Europe/Berlin',
      all_day: true,
      start_date: '2030-03-01 00:00:00',
      end_date: '2030-03-01 23:59:59',
      cost: '$5 – $15',
      website: 'https://example.org/a?b=1&amp;c=2',
      show_map: true,
      show_map_link: true,
      hide_from_listings: true,
      sticky: true,
      featured: true,
      categories: [{ id: category.id }],
      tags: [{ name: 'brand new' }],
      venue: { id: venue.id },
      organizer: [{ id: organizer.id }],
    });
  });

  it('cleans the HTML of those without the right to write any', async () => {
    const { body } = await create(
      { title: 'T', description: 'x<script>alert(1)</script><b onclick="x">y</b>' },
      'author',
    );
    expect(body.description).not.toMatch(/<script|onclick/);
    const { body: own } = await create({ description: '<script>alert(1)</script>' }, 'editor');
    expect(own.description).toContain('<script>');
  });

  it('takes numbers and booleans where text means the same', async () => {
    const { status, body } = await create({
      title: 1984,
      cost: 12,
      start_date: 1900000000,
      end_date: '1900003600',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ title: '1984', cost: '$12', utc_start_date: '2030-03-17 17:46:40' });
  });

  it('takes form bodies and arguments in the query', async () => {
    const form = new URLSearchParams({ ...BASE, title: 'Form', 'venue[venue]': 'Form hall' });
    const answer = await site.by('editor').request('POST', '/events', { body: form });
    expect(answer.status).toBe(201);
    expect(answer.body.venue.venue).toBe('Form hall');
    const query = await site.by('editor').post(`/events?${new URLSearchParams(BASE)}`);
    expect(query.status).toBe(201);
  });

  it('names everything that is missing at once', async () => {
    const { status, body } = await site.by('editor').post('/events', { title: null });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'rest_missing_callback_param',
      data: { params: ['title', 'start_date', 'end_date'] },
    });
  });

  it.each([
    ['title', ''],
    ['title', ['x']],
    ['description', ''],
    ['excerpt', ''],
    ['slug', ''],
    ['start_date', 'someday'],
    ['start_date', ''],
    ['end_date', '2030-02-30'],
    ['start_date', '99999999999999'],
    ['timezone', 'Mars/Base'],
    ['status', 'any'],
    ['status', 'lost'],
    ['date', 'never'],
    ['author', 'me'],
    ['author', 999999],
    ['author', 0],
    ['all_day', 'maybe'],
    ['featured', 'yes'],
    ['image', ''],
    ['image', 'x.png'],
    ['image', 999999],
    ['image', 'javascript:alert(1)'],
    ['cost', true],
    ['cost', { a: { b: 1 } }],
    ['website', 'javascript:alert(1)'],
    ['website', 5],
    ['categories', true],
    ['categories', [[1]]],
    ['venue', 'Some hall'],
    ['venue', 999999],
    ['venue', [1, 2]],
    ['venue', true],
    ['venue', { city: 'Lyon' }],
    ['venue', { venue: 'Hall', website: 'no address at all' }],
    ['venue', { venue: 'Hall', status: 'lost' }],
    ['organizer', 'Ada'],
    ['organizer', [999999]],
    ['organizer', [{ email: 'a@b.c' }]],
    ['organizer', ['x']],
  ])('refuses %s = %j', async (name, value) => {
    const { status, body } = await create({ [name]: value });
    expect(status).toBe(400);
    expect(body.code).toBe('rest_invalid_param');
    expect(Object.keys(body.data.params)).toEqual([name]);
  });

  it('tells all faults at once, before any right is asked for', async () => {
    const { status, body } = await create({ start_date: 'x', featured: 'x', timezone: 'x' }, 'anonymous');
    expect(status).toBe(400);
    expect(Object.keys(body.data.params).sort()).toEqual(['featured', 'start_date', 'timezone']);
  });

  it.each([
    ['anonymous', 401],
    ['subscriber', 403],
    ['contributor', 201],
    ['author', 201],
    ['editor', 201],
    ['administrator', 201],
  ] as const)('answers %s with %d', async (role, expected) => {
    const { status, body } = await create({}, role);
    expect(status).toBe(expected);
    if (expected > 201) expect(body.code).toBe('rest_forbidden');
  });

  it.each([
    ['contributor', undefined, 'draft'],
    ['contributor', '', 'draft'],
    ['contributor', 'publish', 'pending'],
    ['contributor', 'future', 'pending'],
    ['contributor', 'private', 'pending'],
    ['contributor', 'calendar-ea-success', 'pending'],
    ['contributor', 'pending', 'pending'],
    ['author', undefined, 'publish'],
    ['author', '', 'publish'],
    ['author', 'draft', 'draft'],
    ['author', 'future', 'publish'],
    ['editor', 'calendar-ignored', 'calendar-ignored'],
  ] as const)('%s asking for the status %j gets %s', async (role, asked, expected) => {
    const { body } = await create({ status: asked }, role);
    expect(body.status).toBe(expected);
  });

  it('lets only editors write in the name of somebody else', async () => {
    const author = site.users.administrator.id;
    const answer = await create({ author }, 'author');
    expect([answer.status, answer.body.code]).toEqual([403, 'rest_cannot_edit_others']);
    expect((await create({ author }, 'editor')).body.author).toBe(String(author));
  });

  it('gives drafts no slug, and published ones one of their own', async () => {
    const draft = await create({ title: 'Twins', status: 'draft' });
    expect([draft.body.slug, draft.body.date_utc]).toEqual(['', '0000-00-00 00:00:00']);
    const answers = await Promise.all([
      create({ title: 'Twins' }),
      create({ title: 'Twins' }),
      create({ title: 'Twins' }),
    ]);
    expect(answers.map(({ body }) => body.slug).sort()).toEqual(['twins', 'twins-2', 'twins-3']);
    const named = await create({ slug: 'twins' });
    expect(named.body.slug).toBe('twins-4');
    expect((await create({ title: '!!!' })).body.slug).toMatch(/^\d+$/);
  });
});

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

describe.each(['PUT', 'PATCH', 'POST'])('%s /events/{id}', (method) => {
  it('keeps everything that is not named', async () => {
    const category = await makeTerm(site.content.deps.db, { taxonomy: 'calendar_events_cat' });
    const { body: before } = await create({
      title: `Kept ${method}`,
      description: 'Text',
      status: 'draft',
      timezone: 'Asia/Tokyo',
      all_day: true,
      cost: 'EUR 5',
      website: 'http://kept.example.org',
      show_map: true,
      sticky: true,
      featured: true,
      categories: [category.id],
      tags: 'kept',
      venue: { venue: `Kept ${method}` },
      organizer: { organizer: `Kept ${method}` },
    });
    const { status, body } = await site
      .by('editor')
      .request(method, `/events/${before.id}`, { body: { excerpt: 'New' } });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      excerpt: '<p>New</p>',
      modified: body.modified,
      modified_utc: body.modified_utc,
      date: body.date,
    });
  });
});

describe('PATCH /events/{id}', () => {
  const patch = (id: number, fields: object, role: Role = 'editor') =>
    site.by(role).patch(`/events/${id}`, fields);

  it('clears what is cleared', async () => {
    const { body } = await create({
      cost: 5,
      website: 'http://a.example.org',
      categories: 'Cleared',
      tags: 'cleared',
      venue: { venue: 'Cleared' },
      organizer: { organizer: 'Cleared' },
    });
    const answer = await patch(body.id, {
      cost: '',
      website: '',
      categories: [],
      tags: '',
      venue: '',
      organizer: [],
    });
    expect(answer.body).toMatchObject({
      cost: '',
      website: '',
      categories: [],
      tags: [],
      venue: [],
      organizer: [],
    });
    await patch(body.id, { venue: { venue: 'Cleared' } });
    expect((await patch(body.id, { venue: [] })).body.venue).toEqual([]);
  });

  it('takes back what it showed', async () => {
    const { body } = await create({
      cost: 'EUR 5',
      venue: { venue: 'Round' },
      organizer: { organizer: 'Trip' },
      tags: 'round,trip',
    });
    const answer = await patch(body.id, { ...body, description: 'x', excerpt: 'y' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...body,
      description: '<p>x</p>',
      excerpt: '<p>y</p>',
      modified: expect.any(String),
      modified_utc: expect.any(String),
    });
  });

  it('moves one date alone', async () => {
    const { body } = await create();
    expect((await patch(body.id, { start_date: '2030-03-01 11:00' })).body).toMatchObject({
      start_date: '2030-03-01 11:00:00',
      end_date: '2030-03-01 12:30:00',
    });
    expect((await patch(body.id, { start_date: '2030-03-02' })).body).toMatchObject({
      start_date: '2030-03-02 00:00:00',
      end_date: '2030-03-02 00:00:00',
    });
    expect((await patch(body.id, { timezone: 'Asia/Tokyo' })).body).toMatchObject({
      start_date: '2030-03-02 00:00:00',
      utc_start_date: '2030-03-01 15:00:00',
      timezone_abbr: 'JST',
    });
  });

  it('keeps the slug with a new title, and takes a new one when asked', async () => {
    const { body } = await create({ title: 'First name' });
    expect((await patch(body.id, { title: 'Second name' })).body.slug).toBe('first-name');
    expect((await patch(body.id, { slug: 'Third name' })).body.slug).toBe('third-name');
  });

  it('gives a draft its slug and date when it is published', async () => {
    const { body } = await create({ title: 'At last', status: 'draft' });
    const answer = await patch(body.id, { status: 'publish' });
    expect(answer.body).toMatchObject({ slug: 'at-last', status: 'publish' });
    expect(answer.body.date_utc).not.toMatch(/^0000/);
  });

  it.each([
    ['anonymous', 'publish', 'editor', 401],
    ['subscriber', 'publish', 'editor', 403],
    ['contributor', 'draft', 'editor', 403],
    ['contributor', 'draft', 'contributor', 200],
    ['contributor', 'pending', 'contributor', 200],
    ['contributor', 'publish', 'contributor', 403],
    ['author', 'publish', 'author', 200],
    ['author', 'draft', 'editor', 403],
    ['author', 'publish', 'editor', 403],
    ['editor', 'publish', 'author', 200],
    ['editor', 'private', 'administrator', 200],
    ['administrator', 'trash', 'author', 200],
  ] as const)('%s may change a %s event of %s: %d', async (role, status, owner, expected) => {
    const event = await makeEvent(site.deps.db, { status, author: site.users[owner].id });
    const answer = await patch(event.id, { title: 'Changed' }, role);
    expect(answer.status).toBe(expected);
    if (expected > 200) {
      expect(answer.body.code).toBe('rest_forbidden');
      expect((await stored(event.id))?.title_raw).not.toBe('Changed');
    } else expect(answer.body.status).toBe(status);
  });

  it('scales the status down to what the caller may set', async () => {
    const event = await makeEvent(site.deps.db, { status: 'draft', author: site.users.contributor.id });
    expect((await patch(event.id, { status: 'publish' }, 'contributor')).body.status).toBe('pending');
    expect((await patch(event.id, { title: 'Still' }, 'contributor')).body.status).toBe('pending');
  });

  it('takes an event out of the trash when a status is named', async () => {
    const { body } = await create({ title: 'Back again' });
    await site.by('editor').delete(`/events/${body.id}`);
    const kept = await patch(body.id, { excerpt: 'Still there' });
    expect(kept.body).toMatchObject({ status: 'trash', slug: 'back-again__trashed' });
    expect((await patch(body.id, { status: 'publish' })).body).toMatchObject({
      status: 'publish',
      slug: 'back-again',
    });
  });

  it.each([
    ['title', ''],
    ['description', ''],
    ['start_date', ''],
    ['slug', ''],
    ['image', ''],
    ['featured', 'maybe'],
    ['venue', 'Some hall'],
    ['status', 'lost'],
  ])('refuses %s = %j and changes nothing', async (name, value) => {
    const event = await makeEvent(site.deps.db);
    const before = await stored(event.id);
    const { status, body } = await patch(event.id, { [name]: value, excerpt: 'x' });
    expect([status, Object.keys(body.data.params)]).toEqual([400, [name]]);
    expect(await stored(event.id)).toEqual(before);
  });

  it('answers 404 for an unknown id, to strangers too', async () => {
    for (const role of ['editor', 'anonymous'] as const) {
      const { status, body } = await patch(999999, { title: 'x' }, role);
      expect([status, body.code]).toEqual([404, 'event-not-found']);
    }
  });

  it('changes the event of the path, whatever id the body names', async () => {
    const [one, two] = [await makeEvent(site.deps.db), await makeEvent(site.deps.db)];
    expect((await patch(one.id, { id: two.id, title: 'Path wins' })).body.id).toBe(one.id);
  });

  it('tells other services', async () => {
    const { body } = await create({ status: 'draft', tags: 'told' });
    await patch(body.id, { status: 'publish' });
    const rows = await site.deps.db.rows<{ payload: object }>(
      `select payload from outbox where name = 'calendar.event.changed' and (payload->>'id')::bigint = $1 order by id`,
      [body.id],
    );
    const tagIds = body.tags.map(({ id }: { id: number }) => id);
    expect(rows.map(({ payload }) => payload)).toEqual([
      { id: body.id, status: 'draft', before_status: '', category_ids: [], tag_ids: tagIds },
      { id: body.id, status: 'publish', before_status: 'draft', category_ids: [], tag_ids: tagIds },
    ]);
  });
});

describe('PATCH /events/by-slug/{slug}', () => {
  const patch = (slug: string, fields: object, role: Role = 'editor') =>
    site.by(role).patch(`/events/by-slug/${slug}`, fields);

  it('behaves as by id; a slug in the body renames', async () => {
    const event = await makeEvent(site.deps.db, { slug: 'old-name' });
    expect((await patch('old-name', { title: 'New title' })).body).toMatchObject({
      id: event.id,
      title: 'New title',
      slug: 'old-name',
    });
    expect((await patch('old-name', { slug: 'new-name' })).body).toMatchObject({
      id: event.id,
      slug: 'new-name',
    });
    expect((await site.by('anonymous').get('/events/by-slug/old-name')).status).toBe(404);
    for (const slug of ['', ['x'], null]) {
      const answer = await patch('new-name', { slug });
      expect([answer.status, Object.keys(answer.body.data.params)]).toEqual([400, ['slug']]);
    }
  });

  it('keeps rights and 404', async () => {
    const event = await makeEvent(site.deps.db, { author: site.users.editor.id });
    expect((await patch(event.slug, { title: 'x' }, 'author')).status).toBe(403);
    expect((await patch('nothing', { title: 'x' })).body.code).toBe('event-not-found');
  });
});
