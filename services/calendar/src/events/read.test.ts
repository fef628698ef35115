/** GET of one event: every field, what it is linked to, and who may read what is not published. */
import { makeTerm } from '@sevenfold/content/testing/factories';
import { makeEvent, makeOrganizer, makeVenue } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

const details = (text: string): object => ({
  year: text.slice(0, 4),
  month: text.slice(5, 7),
  day: text.slice(8, 10),
  hour: text.slice(11, 13),
  minutes: text.slice(14, 16),
  seconds: text.slice(17, 19),
});

describe('GET /events/{id}', () => {
  it('shows every field in the order that clients know', async () => {
    const parent = await makeTerm(site.content.deps.db, { taxonomy: 'calendar_events_cat', name: 'Music' });
    const category = await makeTerm(site.content.deps.db, {
      taxonomy: 'calendar_events_cat',
      name: 'Jazz',
      slug: 'jazz',
      description: 'Swing',
      parent: parent.id,
    });
    const tag = await makeTerm(site.content.deps.db, {
      taxonomy: 'post_tag',
      name: 'open air',
      slug: 'open-air',
    });
    const venue = await makeVenue(site.deps.db, {
      name: 'Town hall',
      slug: 'town-hall',
      city: 'Lyon',
      country: 'France',
      description_html: '<p>Old</p>\n',
      phone: '555',
    });
    const organizer = await makeOrganizer(site.deps.db, {
      name: 'Ada',
      slug: 'ada',
      email: 'ada@example.org',
    });
    const event = await makeEvent(site.deps.db, {
      slug: 'night-of-jazz',
      title_html: 'Night of <em>jazz</em>',
      description_html: '<p>Long & loud</p>\n',
      author: 7,
      timezone: 'America/New_York',
      start_local: '2030-10-31 16:00:00',
      end_local: '2030-11-03 18:00:00',
      start_utc: '2030-10-31 20:00:00Z',
      end_utc: '2030-11-03 23:00:00Z',
      cost: '10',
      cost_details: '{"symbol":"","position":"","values":["10"],"shown":["10"]}',
      website: 'http://jazz.example.org/?a=1&b=2',
      show_map: true,
      venue_id: venue.id,
      organizer_ids: [organizer.id],
      category_ids: [category.id],
      tag_ids: [tag.id],
    });
    const answer = await site.by('anonymous').get(`/events/${event.id}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('allow')).toBe('GET');
    const { json_ld: jsonLd, ...body } = answer.body;
    const base = 'http://site.test/rest/calendar/events/v1';
    const dates = {
      date: '2024-01-02 03:04:05',
      date_utc: '2024-01-02 03:04:05',
      modified: '2024-01-02 03:04:05',
      modified_utc: '2024-01-02 03:04:05',
    };
    const term = { term_group: 0, filter: 'raw', count: 0 };
    const expected = {
      id: event.id,
      global_id: `site.test?id=${event.id}`,
      global_id_lineage: [`site.test?id=${event.id}`],
      author: '7',
      status: 'publish',
      ...dates,
      url: 'http://site.test/event/night-of-jazz/',
      rest_url: `${base}/events/${event.id}`,
      title: 'Night of <em>jazz</em>',
      description: '<p>Long & loud</p>',
      excerpt: '',
      slug: 'night-of-jazz',
      image: false,
      all_day: false,
      start_date: '2030-10-31 16:00:00',
      start_date_details: details('2030-10-31 16:00:00'),
      end_date: '2030-11-03 18:00:00',
      end_date_details: details('2030-11-03 18:00:00'),
      utc_start_date: '2030-10-31 20:00:00',
      utc_start_date_details: details('2030-10-31 20:00:00'),
      utc_end_date: '2030-11-03 23:00:00',
      utc_end_date_details: details('2030-11-03 23:00:00'),
      timezone: 'America/New_York',
      timezone_abbr: 'EDT',
      cost: '$10',
      cost_details: { currency_symbol: '', currency_position: '', values: ['10'] },
      website: 'http://jazz.example.org/?a=1&amp;b=2',
      show_map: true,
      show_map_link: false,
      hide_from_listings: false,
      sticky: false,
      featured: false,
      categories: [
        {
          name: 'Jazz',
          slug: 'jazz',
          ...term,
          term_taxonomy_id: category.id,
          taxonomy: 'calendar_events_cat',
          description: 'Swing',
          parent: parent.id,
          id: category.id,
          urls: {
            self: `${base}/categories/${category.id}`,
            collection: `${base}/categories`,
            up: `${base}/categories/${parent.id}`,
          },
        },
      ],
      tags: [
        {
          name: 'open air',
          slug: 'open-air',
          ...term,
          term_taxonomy_id: tag.id,
          taxonomy: 'post_tag',
          description: '',
          parent: 0,
          id: tag.id,
          urls: { self: `${base}/tags/${tag.id}`, collection: `${base}/tags` },
        },
      ],
      venue: expect.objectContaining({
        id: venue.id,
        venue: 'Town hall',
        city: 'Lyon',
        description: '<p>Old</p>',
      }),
      organizer: [expect.objectContaining({ id: organizer.id, organizer: 'Ada', email: 'ada@example.org' })],
    };
    expect(body).toEqual(expected);
    expect(Object.keys(answer.body)).toEqual([...Object.keys(expected), 'json_ld']);
    expect(body.venue).not.toHaveProperty('zip');
    expect(jsonLd).toMatchObject({
      '@context': 'http://schema.org',
      '@type': 'Event',
      name: 'Night of jazz',
      description: '&lt;p&gt;Long &amp; loud&lt;/p&gt;\\n',
      url: 'http://site.test/event/night-of-jazz/',
      startDate: '2030-10-31T16:00:00-04:00',
      endDate: '2030-11-03T18:00:00-05:00',
      location: { '@type': 'Place', name: 'Town hall' },
      organizer: { '@type': 'Person', name: 'Ada' },
      offers: { '@type': 'Offer', price: '10' },
    });
    expect(jsonLd.organizer.email).not.toContain('ada@');
  });

  it('has nothing in its structured data that ends a script', async () => {
    const event = await makeEvent(site.deps.db, {
      title_html: 'R&amp;B &lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;',
      excerpt_html: '<p>Short</p>\n',
    });
    const { body } = await site.by('anonymous').get(`/events/${event.id}`);
    expect(body.json_ld.name).toBe('R&B &lt;/script>&lt;script>alert(1)&lt;/script>');
    expect(JSON.stringify(body.json_ld)).not.toContain('<');
  });

  it('shows empty lists where nothing is linked, and its own address where no website was given', async () => {
    const event = await makeEvent(site.deps.db);
    const { body } = await site.by('anonymous').get(`/events/${event.id}`);
    expect(body).toMatchObject({
      venue: [],
      organizer: [],
      categories: [],
      tags: [],
      cost: '',
      image: false,
    });
    expect(body.website).toBe(`http://site.test/event/${event.slug}/`);
    expect(body.json_ld).not.toHaveProperty('offers');
    expect(body.json_ld).not.toHaveProperty('location');
  });

  it('keeps identities of imports', async () => {
    const event = await makeEvent(site.deps.db, {
      global_id: 'a.org?id=5',
      global_id_lineage: ['a.org?id=5', 'b.org?id=9'],
    });
    const { body } = await site.by('anonymous').get(`/events/${event.id}`);
    expect([body.global_id, body.global_id_lineage]).toEqual(['a.org?id=5', ['a.org?id=5', 'b.org?id=9']]);
  });

  it('leaves out venues and organizers in the trash, and terms that are gone', async () => {
    const venue = await makeVenue(site.deps.db, { status: 'trash' });
    const organizer = await makeOrganizer(site.deps.db, { status: 'trash' });
    const event = await makeEvent(site.deps.db, {
      venue_id: venue.id,
      organizer_ids: [organizer.id],
      category_ids: [999_999],
    });
    const { body } = await site.by('anonymous').get(`/events/${event.id}`);
    expect(body).toMatchObject({ venue: [], organizer: [], categories: [] });
  });

  it('keeps only the fields asked for', async () => {
    const event = await makeEvent(site.deps.db);
    const { body } = await site.by('anonymous').get(`/events/${event.id}?_fields=id,start_date_details.year`);
    expect(body).toEqual({ id: event.id, start_date_details: { year: '2030' } });
  });

  it.each(['0', '999999', '9007199254740991'])('answers 404 for the unknown id %s', async (id) => {
    const { status, body } = await site.by('anonymous').get(`/events/${id}`);
    expect([status, body.code]).toEqual([404, 'event-not-found']);
  });

  it('answers 400 for an id that no number can hold', async () => {
    const { status, body } = await site.by('anonymous').get('/events/99999999999999999999');
    expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
  });

  it.each([
    ['draft', 'anonymous', 401],
    ['draft', 'subscriber', 403],
    ['draft', 'contributor', 403],
    ['draft', 'author', 403],
    ['draft', 'editor', 200],
    ['draft', 'administrator', 200],
    ['private', 'anonymous', 401],
    ['private', 'author', 403],
    ['private', 'editor', 200],
    ['trash', 'anonymous', 401],
    ['trash', 'editor', 200],
    ['calendar-ea-success', 'anonymous', 200],
  ] as const)('shows a %s event to %s with %d', async (status, role, expected) => {
    const event = await makeEvent(site.deps.db, { status });
    const answer = await site.by(role).get(`/events/${event.id}`);
    expect(answer.status).toBe(expected);
    if (expected > 200) expect(answer.body.code).toBe('event-not-accessible');
  });

  it('shows drafts to their author, without a date and with the address by number', async () => {
    const event = await makeEvent(site.deps.db, {
      status: 'draft',
      slug: '',
      author: site.users.contributor.id,
      date_chosen: false,
    });
    const { body } = await site.by('contributor').get(`/events/${event.id}`);
    expect(body).toMatchObject({
      status: 'draft',
      slug: '',
      date_utc: '0000-00-00 00:00:00',
      url: `http://site.test/?post_type=calendar_events&p=${event.id}`,
    });
  });
});

describe('GET /events/by-slug/{slug}', () => {
  it('answers as by id', async () => {
    const event = await makeEvent(site.deps.db, { slug: 'by-name' });
    const bySlug = await site.by('anonymous').get('/events/by-slug/by-name');
    const byId = await site.by('anonymous').get(`/events/${event.id}`);
    expect(bySlug.status).toBe(200);
    expect(bySlug.body).toEqual(byId.body);
    expect((await site.by('anonymous').get('/events/by-slug/By-Name')).body.id).toBe(event.id);
  });

  it('answers 404 for an unknown slug', async () => {
    const { status, body } = await site.by('anonymous').get('/events/by-slug/nothing');
    expect([status, body.code]).toEqual([404, 'event-not-found']);
  });

  it('finds slugs of other scripts, encoded or not', async () => {
    const event = await makeEvent(site.deps.db, { slug: encodeURIComponent('праздник').toLowerCase() });
    const { body } = await site.by('anonymous').get(`/events/by-slug/${encodeURIComponent('праздник')}`);
    expect(body.id).toBe(event.id);
  });

  it('keeps unpublished ones to those with the right', async () => {
    const event = await makeEvent(site.deps.db, { status: 'draft' });
    const stranger = await site.by('anonymous').get(`/events/by-slug/${event.slug}`);
    expect([stranger.status, stranger.body.code]).toEqual([401, 'event-not-accessible']);
    expect((await site.by('editor').get(`/events/by-slug/${event.slug}`)).status).toBe(200);
  });
});
