/** POST of events: every field, rights, statuses, slugs, and every fault. */
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
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

  it('takes several spellings of a category or tag for that one, whether it is new or known', async () => {
    const { id, name } = await makeTerm(site.content.deps.db, {
      taxonomy: 'calendar_events_cat',
      name: 'Spelled',
    });
    const answer = await create({
      categories: [name, 'SPELLED', id, 'Bread & wine', 'Bread &amp; wine'],
      tags: 'Spelled so,spelled SO',
    });
    expect([answer.status, answer.body.code]).toEqual([201, undefined]);
    const names = (terms: { name: string }[]): string[] => terms.map((term) => term.name).sort();
    expect(names(answer.body.categories)).toEqual(['Bread &amp; wine', 'Spelled']);
    expect(answer.body.tags).toHaveLength(1);
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
    const query = await site.by('editor').post(`/events?${new URLSearchParams(BASE).toString()}`);
    expect(query.status).toBe(201);
  });

  it('refuses a title and an excerpt that are longer than anybody looks at, with all other faults', async () => {
    const { status, body } = await site.by('editor').post('/events', {
      ...BASE,
      title: '<b>'.repeat(2_000),
      excerpt: 'x'.repeat(20_001),
      venue: 999_999_999,
    });
    expect([status, body.code, Object.keys(body.data.params).sort()]).toEqual([
      400,
      'rest_invalid_param',
      ['excerpt', 'title', 'venue'],
    ]);
    expect([body.data.details.title.code, body.data.params.title]).toEqual([
      'rest_too_long',
      'title must be at most 5000 characters long.',
    ]);
    for (const letter of ['x', '🌊']) {
      const longest = { title: letter.repeat(5_000), excerpt: letter.repeat(20_000) };
      expect((await site.by('editor').post('/events', { ...BASE, ...longest })).status).toBe(201);
    }
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

  it('tells all faults that only a handler can find at once, too', async () => {
    const { status, body } = await create({
      venue: 999999,
      organizer: [999999],
      image: 999999,
      author: 999999,
    });
    expect(status).toBe(400);
    expect(Object.keys(body.data.params).sort()).toEqual(['author', 'image', 'organizer', 'venue']);
  });

  it('tells users all faults at once, before any right is asked for; strangers have none', async () => {
    const bad = { start_date: 'x', featured: 'x', timezone: 'x' };
    expect((await create(bad, 'anonymous')).status).toBe(401);
    const { status, body } = await create(bad, 'subscriber');
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

  it('takes the next slug when somebody took the first without asking for its lock', async () => {
    const { db } = site.deps;
    let answer: ReturnType<typeof create> | undefined;
    await db.transaction(async (tx) => {
      await makeEvent(tx, { slug: 'raced' });
      answer = create({ title: 'Raced' });
      await untilLocked(db);
    });
    expect(await answer).toMatchObject({ status: 201, body: { slug: 'raced-2' } });
  });

  it('gives each a slug of its own from the start, in every status', async () => {
    const draft = await create({ title: 'Twins', status: 'draft' });
    expect([draft.body.slug, draft.body.date_utc]).toEqual(['twins', '0000-00-00 00:00:00']);
    expect((await site.by('editor').get('/events/by-slug/twins')).body.id).toBe(draft.body.id);
    expect((await site.by('anonymous').get('/events/by-slug/twins')).status).toBe(401);
    expect((await create({ title: 'Bin', status: 'trash' })).body).toMatchObject({
      status: 'trash',
      slug: 'bin',
    });
    const answers = await Promise.all([
      create({ title: 'Twins' }),
      create({ title: 'Twins' }),
      create({ title: 'Twins' }),
    ]);
    expect(answers.map(({ body }) => body.slug).sort()).toEqual(['twins-2', 'twins-3', 'twins-4']);
    const named = await create({ slug: 'twins' });
    expect(named.body.slug).toBe('twins-5');
    expect((await create({ title: '!!!' })).body.slug).toMatch(/^\d+$/);
  });
});

it('names of terms as one text are no more than as a list', async () => {
  const many = Array.from({ length: 201 }, (_, n) => `tag ${n}`);
  for (const tags of [many, many.join()]) expect((await create({ tags }, 'author')).status).toBe(400);
});

it('a picture at an address is fetched only for a body that is right otherwise', async () => {
  const media = site.deps.content.media as { sideload: unknown };
  const { sideload } = media;
  let fetched = 0;
  media.sideload = () => {
    fetched += 1;
    return Promise.reject(new Error('no picture was to be fetched'));
  };
  const organizer = [
    { organizer: 'A', image: 'https://pictures.example/a.png' },
    { organizer: 'B', image: 999_999 },
  ];
  try {
    for (const body of [
      { website: 'no address', organizer: organizer.slice(0, 1) },
      { organizer },
      { image: 999_999, venue: { venue: 'A', image: 'https://pictures.example/a.png' } },
      { image: 'https://pictures.example/a.png', venue: { venue: '' } },
    ])
      expect((await create(body)).status).toBe(400);
    expect(fetched).toBe(0);
  } finally {
    media.sideload = sideload;
  }
});
