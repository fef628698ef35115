/** PUT and PATCH of events: what is kept, what is cleared, rights by ownership, and what others are told. */
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { makeMedia } from '@sevenfold/content/media/testing/factories';
import { makeTerm } from '@sevenfold/content/testing/factories';
import { makeEvent, makeOrganizer, makeVenue } from '../testing/factories';
import { lockNames } from '../linked/store';
import { type CalendarSite, startCalendar } from '../testing/service';
import { venueKind } from '../venues/kind';

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

  it('takes back its picture as it is shown', async () => {
    const [shown, other] = [await makeMedia(site.content.deps.db), await makeMedia(site.content.deps.db)];
    const { body } = await create({ description: 'Text', excerpt: 'Short', image: shown.id });
    expect(body.image).toMatchObject({ id: shown.id });
    const back = await patch(body.id, body);
    expect([back.status, back.body.image]).toEqual([200, body.image]);
    const changed = await patch(body.id, { image: { ...body.image, id: String(other.id) } });
    expect(changed.body.image).toMatchObject({ id: other.id });
    const inside = await patch(body.id, { venue: { venue: 'Pictured', image: body.image } });
    expect(inside.body.venue.image).toMatchObject({ id: shown.id });
    for (const image of [{}, { id: 'x' }, { id: 999_999 }, { url: body.image.url }, [body.image.id]]) {
      const bad = await patch(body.id, { image });
      expect([bad.status, Object.keys(bad.body.data.params)]).toEqual([400, ['image']]);
    }
    expect((await stored(body.id))?.image_id).toBe(other.id);
  });

  it('takes back an author who is gone, and no other one', async () => {
    const { id } = await makeEvent(site.deps.db, { author: 999_999 });
    const { body } = await patch(id, { author: '999999', cost: '5' });
    expect(body).toMatchObject({ author: '999999', cost: '$5' });
    expect((await patch(id, { author: 999_998 })).status).toBe(400);
  });

  it('takes back a long title and excerpt that came with an import, and no other ones', async () => {
    const { id } = await makeEvent(site.deps.db, {
      title_raw: 'x'.repeat(6_000),
      title_html: 'x'.repeat(6_000),
      excerpt_raw: 'y'.repeat(30_000),
      excerpt_html: `<p>${'y'.repeat(30_000)}</p>\n`,
    });
    const { title, excerpt } = (await site.by('editor').get(`/events/${id}`)).body;
    const before = await stored(id);
    const { status, body } = await patch(id, { title, excerpt, cost: 5 });
    expect([status, body.title, body.excerpt]).toEqual([200, title, excerpt]);
    expect(await stored(id)).toMatchObject({
      title_raw: before?.title_raw,
      excerpt_raw: before?.excerpt_raw,
    });
    const refused = await patch(id, { title: `${title}x`, excerpt: `${excerpt}y` });
    expect([refused.status, Object.keys(refused.body.data.params).sort()]).toEqual([
      400,
      ['excerpt', 'title'],
    ]);
  });

  it('waits for the name of a venue before it holds the event, as imports do', async () => {
    const { db } = site.deps;
    const { body: event } = await create({ title: 'In order' });
    const fields = { title: 'In order, written', venue: { venue: 'In order' } };
    const written = await db.transaction(async (tx) => {
      await lockNames(tx, venueKind, [fields.venue.venue]);
      const answer = patch(event.id, fields);
      await untilLocked(db, '%pg_advisory_xact_lock%');
      await tx.run('select from events where id = $1 for no key update nowait', [event.id]);
      return { answer };
    });
    expect((await written.answer).body).toMatchObject({ title: fields.title, venue: fields.venue });
  });

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

  it('keeps the prices that it did not show, and a currency that nobody named', async () => {
    const written = 'Members 5, guests 10, patrons 15';
    const { body } = await create({ cost: written });
    expect(body).toMatchObject({ cost: '$5 – $15', cost_details: { values: ['5', '10', '15'] } });
    expect((await patch(body.id, { cost: body.cost, title: 'Other' })).body).toMatchObject({
      title: 'Other',
      cost_details: body.cost_details,
    });
    expect((await stored(body.id))?.cost).toBe(written);
    expect((await patch(body.id, { cost: '$5 – $16' })).body.cost_details.values).toEqual(['5', '16']);
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

  it('resets the date of publication by null, as posts do', async () => {
    const { body } = await create({ title: 'Reset', status: 'draft', date: '2020-01-01 10:00:00' });
    expect(body).toMatchObject({ date: '2020-01-01 10:00:00', date_utc: '2020-01-01 15:00:00' });
    for (const fields of [{ date: null }, { date_utc: null }]) {
      const kept = await patch(body.id, { date: '2020-01-01 10:00:00' });
      expect(kept.body.date_utc).toBe('2020-01-01 15:00:00');
      expect((await patch(body.id, fields)).body.date_utc).toBe('0000-00-00 00:00:00');
    }
    expect((await patch(body.id, { status: 'publish' })).body.date.slice(0, 4)).not.toBe('2020');
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

  it('gives a long slug back whole', async () => {
    const { body } = await create({ title: '日'.repeat(22) });
    await site.by('editor').delete(`/events/${body.id}`);
    expect((await patch(body.id, { status: 'publish' })).body).toMatchObject({
      status: 'publish',
      slug: '%e6%97%a5'.repeat(22),
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
      `select payload from outbox where name = 'calendar.event.changed' and (payload->'events'->0->>'id')::bigint = $1 order by id`,
      [body.id],
    );
    const tagIds = body.tags.map(({ id }: { id: number }) => id);
    const told = { id: body.id, category_ids: [], tag_ids: tagIds };
    const [plain, page] = [`/?post_type=calendar_events&p=${body.id}`, `/event/${body.slug}/`];
    expect(rows.map(({ payload }) => payload)).toEqual([
      { events: [{ ...told, status: 'draft', before_status: '', link: plain }] },
      { events: [{ ...told, status: 'publish', before_status: 'draft', link: page }] },
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
    for (const slug of ['', ['x']]) {
      const answer = await patch('new-name', { slug });
      expect([answer.status, Object.keys(answer.body.data.params)]).toEqual([400, ['slug']]);
    }
    for (const way of [`/events/${event.id}`, '/events/by-slug/new-name']) {
      const { status, body } = await site.by('editor').patch(way, { slug: null, title: way });
      expect([way, status, body.slug, body.title]).toEqual([way, 200, 'new-name', way]);
    }
    const flag = await patch('new-name', { slug: true });
    expect([flag.status, flag.body.slug]).toEqual([200, 'true']);
  });

  it('keeps rights and 404', async () => {
    const event = await makeEvent(site.deps.db, { author: site.users.editor.id });
    expect((await patch(event.slug, { title: 'x' }, 'author')).status).toBe(403);
    expect((await patch('nothing', { title: 'x' })).body.code).toBe('event-not-found');
  });
});

describe('what its caller may not see', () => {
  const linked = async (status: string) => {
    const { db } = site.deps;
    const [venue, hidden, open, late] = [
      await makeVenue(db, { status }),
      await makeOrganizer(db, { status }),
      await makeOrganizer(db),
      await makeOrganizer(db, { status }),
    ];
    const event = await makeEvent(db, {
      author: site.users.author.id,
      venue_id: venue.id,
      organizer_ids: [hidden.id, open.id, late.id],
    });
    return { id: event.id, venue: venue.id, hidden: hidden.id, open: open.id, late: late.id };
  };
  const links = async (id: number): Promise<unknown[]> => {
    const { venue_id, organizer_ids } = (await stored(id))!;
    return [venue_id, organizer_ids];
  };

  it.each(['private', 'trash'])('stays linked when he sends an event back: %s', async (status) => {
    const { id, venue, hidden, open, late } = await linked(status);
    const author = site.by('author');
    const { body } = await author.get(`/events/${id}`);
    expect([body.venue, body.organizer.length]).toEqual([[], 1]);
    expect((await author.put(`/events/${id}`, { ...body, description: 'x', excerpt: 'x' })).status).toBe(200);
    expect(await links(id)).toEqual([venue, [hidden, open, late]]);
    for (const cleared of [{ venue: '', organizer: '' }, { venue: [], organizer: [] }, { venue: null }]) {
      const { status, body } = await author.patch(`/events/${id}`, cleared);
      expect([status, body.venue, body.organizer]).toEqual([200, [], []]);
      expect(await links(id)).toEqual([venue, [hidden, late]]);
    }
  });

  it('stays beside what he names, but for the one venue', async () => {
    const { id, hidden, late } = await linked('private');
    const own = await makeVenue(site.deps.db);
    const other = await makeOrganizer(site.deps.db);
    await site.by('author').patch(`/events/${id}`, { venue: own.id, organizer: [other.id] });
    expect(await links(id)).toEqual([own.id, [hidden, other.id, late]]);
  });

  it('is cleared by who may see it', async () => {
    const { id } = await linked('private');
    await site.by('editor').patch(`/events/${id}`, { venue: '', organizer: [] });
    expect(await links(id)).toEqual([0, []]);
  });

  it('stays its picture', async () => {
    const picture = await makeMedia(site.content.deps.db, {
      status: 'private',
      author: site.users.editor.id,
    });
    const { id } = await makeEvent(site.deps.db, { author: site.users.author.id, image_id: picture.id });
    const author = site.by('author');
    const { body } = await author.get(`/events/${id}`);
    expect(body.image).toBe(false);
    expect((await author.put(`/events/${id}`, { ...body, description: 'x', excerpt: 'x' })).status).toBe(200);
    expect((await stored(id))?.image_id).toBe(picture.id);
    await site.by('editor').patch(`/events/${id}`, { image: false });
    expect((await stored(id))?.image_id).toBe(0);
  });
});

it('a clock time that only the second pass of an hour has behind the start is that', async () => {
  const editor = site.by('editor');
  const dates = { start_date: '2027-10-31T01:30:00Z', end_date: '2027-10-31 02:50' };
  const { body } = await editor.post('/events', { title: 'T', timezone: 'Europe/Berlin', ...dates });
  expect(body.utc_end_date).toBe('2027-10-31 01:50:00');
  await editor.patch(`/events/${body.id}`, { end_date: '2027-10-31 02:40:00' });
  expect((await editor.get(`/events/${body.id}`)).body.utc_end_date).toBe('2027-10-31 01:40:00');
});

it('the second pass of an hour is kept when an event is sent back', async () => {
  const editor = site.by('editor');
  const { body } = await editor.post('/events', {
    title: 'T',
    timezone: 'America/New_York',
    start_date: '2027-11-07T01:30:00-05:00',
    end_date: '2027-11-07T01:45:00-05:00',
  });
  const changed = await editor.put(`/events/${body.id}`, { ...body, description: 'x', excerpt: 'y' });
  const moments = ({ utc_start_date: start, utc_end_date: end }: Record<string, unknown>) => [start, end];
  expect(moments(changed.body)).toEqual(moments(body));
});
