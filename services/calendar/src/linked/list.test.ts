/** GET /venues and GET /organizers. */
import { makeEvent } from '../testing/factories';
import { idsIn, linkedKinds, removeAll } from '../testing/linked';
import { type CalendarSite, startCalendar } from '../testing/service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());
beforeEach(() => removeAll(site.deps.db));

describe.each(linkedKinds)('GET /$many', ({ one, many, make, linkOf }) => {
  const base = `http://site.test/rest/calendar/events/v1/${many}/`;
  const list = (query = '', role: Parameters<CalendarSite['by']>[0] = 'anonymous') => {
    // Rows that tests write themselves are heard of a moment later.
    site.deps.memory.forget('events');
    return site.by(role).get(`/${many}${query && `?${query}`}`);
  };
  const ids = async (query = '', role: Parameters<CalendarSite['by']>[0] = 'anonymous') =>
    idsIn(await list(query, role), many);
  const db = () => site.deps.db;

  test('is an envelope with the newest first', async () => {
    const old = await make(db(), { date_utc: '2020-01-01 00:00:00Z' });
    const young = await make(db(), { date_utc: '2024-01-01 00:00:00Z' });
    const twin = await make(db(), { date_utc: '2024-01-01 00:00:00Z' });
    const { status, body, headers } = await list();
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([many, 'rest_url', 'total', 'total_pages']);
    expect(idsIn({ body }, many)).toEqual([twin.id, young.id, old.id]);
    expect(body).toMatchObject({
      rest_url: `${base}?page=1&per_page=10&status=publish`,
      total: 3,
      total_pages: 1,
    });
    expect(body[many][0]).not.toHaveProperty('json_ld');
    expect([headers.get('x-total'), headers.get('x-total-pages')]).toEqual(['3', '1']);
    expect(headers.get('allow')).toBe('GET');
    expect((await list('', 'contributor')).headers.get('allow')).toBe('GET, POST');
  });

  test('is empty without any', async () => {
    expect(await list()).toMatchObject({ status: 200, body: { [many]: [], total: 0, total_pages: 0 } });
  });

  test('has pages with the way on and back', async () => {
    for (let n = 0; n < 5; n++) await make(db());
    const seen: number[] = [];
    const first = await list('per_page=2');
    expect(first.body.next_rest_url).toBe(`${base}?per_page=2&status=publish&page=2`);
    expect(first.body).not.toHaveProperty('previous_rest_url');
    expect(first.headers.get('link')).toContain('rel="next"');
    const second = await list('per_page=2&page=2');
    expect(Object.keys(second.body)).toEqual([
      many, 'rest_url', 'next_rest_url', 'previous_rest_url', 'total', 'total_pages',
    ]); // prettier-ignore
    expect(second.body.previous_rest_url).toBe(`${base}?per_page=2&status=publish`);
    const third = await list('per_page=2&page=3');
    expect(third.body).not.toHaveProperty('next_rest_url');
    for (const page of [first, second, third]) seen.push(...idsIn(page, many));
    expect(new Set(seen).size).toBe(5);
    expect(await list('per_page=2&page=4')).toMatchObject({
      status: 404,
      body: { code: `${one}-archive-page-not-found`, data: { status: 404 } },
    });
    expect((await list('page=2')).status).toBe(404);
    expect((await list('page=9007199254740991')).status).toBe(404);
  });

  test('shows 50 at most', async () => {
    await db().run(
      `insert into ${many} (name, slug, status, date_local, date_utc, modified_local, modified_utc)
       select 'n' || n, 'n' || n, 'publish', now(), now(), now(), now() from generate_series(1, 55) n`,
    );
    const { body } = await list('per_page=100');
    expect(body[many]).toHaveLength(50);
    expect(body).toMatchObject({ total: 55, total_pages: 2 });
    expect(body.rest_url).toContain('per_page=50');
  });

  test('search looks at name, description and the other fields, with true totals', async () => {
    const byName = await make(db(), { name: 'The Blue Note' });
    const byText = await make(db(), { description_raw: 'a bluesy place' });
    const byPhone = await make(db(), { phone: '555-BLUE' });
    await make(db(), { name: 'Red' });
    const { body } = await list('search=blue');
    expect(new Set(idsIn({ body }, many))).toEqual(new Set([byName.id, byText.id, byPhone.id]));
    expect(body).toMatchObject({ total: 3, total_pages: 1 });
    expect(body.rest_url).toContain('search=blue');
    expect((await list('search=nothing')).body).toMatchObject({ [many]: [], total: 0, total_pages: 0 });
    expect(await ids('search=100%25')).toEqual([]);
    expect(await ids('search=_')).toEqual([]);
    const { next_rest_url } = (await list('search=blue&per_page=2')).body;
    expect(new URL(next_rest_url).searchParams.get('search')).toBe('blue');
  });

  test('search takes vowel signs for letters, and small letters as the text has them', async () => {
    const { id } = await make(db(), { name: 'İzmir ΧΟΡΟΣ', description_raw: 'एक किताब' });
    for (const word of ['किताब', 'İzmir', 'izmir', 'χορος', 'İz'])
      expect([word, await ids(`search=${encodeURIComponent(word)}`)]).toEqual([word, [id]]);
  });

  test('event keeps those of one event', async () => {
    const [mine] = [await make(db()), await make(db())];
    const event = await makeEvent(db(), linkOf(mine.id));
    const bare = await makeEvent(db());
    const draft = await makeEvent(db(), { ...linkOf(mine.id), status: 'draft' });
    expect(await ids(`event=${event.id}`)).toEqual([mine.id]);
    expect(await ids(`event=${bare.id}`)).toEqual([]);
    expect(await ids(`event=${draft.id}`, 'editor')).toEqual([mine.id]);
    for (const id of [draft.id, 999_999])
      expect((await list(`event=${id}`)).body).toMatchObject({
        code: 'rest_invalid_param',
        data: { status: 400, params: { event: expect.any(String) } },
      });
  });

  test('has_events: yes keeps those with events, anything else those without', async () => {
    const [used, free, planned] = [await make(db()), await make(db()), await make(db())];
    await makeEvent(db(), linkOf(used.id));
    await makeEvent(db(), { ...linkOf(planned.id), status: 'draft' });
    for (const yes of ['true', '1', 'yes', 'TRUE']) expect(await ids(`has_events=${yes}`)).toEqual([used.id]);
    for (const no of ['false', '0', 'no', 'maybe', ''])
      expect(new Set(await ids(`has_events=${no}`))).toEqual(new Set([free.id, planned.id]));
    expect((await list('has_events=true')).body).toMatchObject({ total: 1 });
    expect((await list('has_events=true')).body.rest_url).toContain('has_events=true');
  });

  test('has_events follows what is written through the interface at once', async () => {
    const { id } = await make(db());
    expect(await ids('has_events=1')).toEqual([]);
    const event = { title: 'E', start_date: '2030-01-01 10:00', end_date: '2030-01-01 11:00' };
    await site.by('editor').post('/events', { ...event, [one]: id });
    expect(idsIn(await site.by('anonymous').get(`/${many}?has_events=1`), many)).toEqual([id]);
    expect(idsIn(await site.by('anonymous').get(`/${many}?has_events=0`), many)).toEqual([]);
  });

  test('private events count for those who may read them', async () => {
    const used = await make(db());
    await makeEvent(db(), { ...linkOf(used.id), status: 'private' });
    expect(await ids('has_events=1')).toEqual([]);
    expect(await ids('has_events=1', 'editor')).toEqual([used.id]);
  });

  test('only_with_upcoming keeps those of events that are not over', async () => {
    const [past, running, coming] = [await make(db()), await make(db()), await make(db())];
    await make(db());
    await makeEvent(db(), { ...linkOf(past.id), start_local: '2020-01-01 10:00:00' });
    await makeEvent(db(), {
      ...linkOf(running.id),
      start_local: '2020-01-01 10:00:00',
      end_local: '2099-01-01 10:00:00',
    });
    await makeEvent(db(), { ...linkOf(coming.id), start_local: '2090-01-01 10:00:00' });
    expect(new Set(await ids('only_with_upcoming=true'))).toEqual(new Set([running.id, coming.id]));
    expect(await ids('only_with_upcoming=false')).toHaveLength(4);
  });

  test('shows to each role what it may read, and counts just that', async () => {
    const { users } = site;
    const published = await make(db());
    const secret = await make(db(), { status: 'private' });
    const draft = await make(db(), { status: 'draft', author: users.editor.id });
    const own = await make(db(), { status: 'draft', author: users.contributor.id });
    await make(db(), { status: 'trash', status_before_trash: 'publish' });
    const expected: [Parameters<CalendarSite['by']>[0], number[]][] = [
      ['anonymous', [published.id]],
      ['subscriber', [published.id]],
      ['contributor', [own.id, published.id]],
      ['author', [published.id]],
      ['editor', [own.id, draft.id, secret.id, published.id]],
      ['administrator', [own.id, draft.id, secret.id, published.id]],
    ];
    for (const [role, wanted] of expected) {
      const { body } = await list('', role);
      expect([role, idsIn({ body }, many)]).toEqual([role, wanted]);
      expect(body.total).toBe(wanted.length);
    }
    expect((await list('', 'editor')).body.rest_url).toBe(`${base}?page=1&per_page=10&status=any`);
  });

  test('status: strangers may only name publish, others what is registered', async () => {
    const draft = await make(db(), { status: 'draft' });
    const trashed = await make(db(), { status: 'trash', status_before_trash: 'publish' });
    const published = await make(db());
    expect(await ids('status=publish')).toEqual([published.id]);
    expect(await ids('status=draft', 'editor')).toEqual([draft.id]);
    expect(await ids('status=trash', 'editor')).toEqual([trashed.id]);
    expect(new Set(await ids('status=draft,publish', 'editor'))).toEqual(new Set([draft.id, published.id]));
    expect(await ids('status=any', 'editor')).toEqual([published.id, draft.id]);
    expect(await ids('status=draft', 'author')).toEqual([]);
    for (const role of ['anonymous', 'subscriber'] as const)
      for (const status of ['draft', 'any', 'nonsense', 'publish,draft'])
        expect([status, (await list(`status=${status}`, role)).status]).toEqual([status, 400]);
    expect((await list('status=nonsense', 'editor')).body.data.params).toHaveProperty('status');
  });

  test('bad arguments are told together', async () => {
    const bad = await list('page=0&per_page=x&search=&event=y&only_with_upcoming=maybe');
    expect(bad).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(Object.keys(bad.body.data.params)).toEqual([
      'page',
      'per_page',
      'search',
      'event',
      'only_with_upcoming',
    ]);
    for (const query of ['per_page=0', 'per_page=1.5', 'page=-1', 'search=%20', 'search[]=a', 'event=0'])
      expect([query, (await list(query)).status]).toEqual([query, 400]);
  });
});

test('venues are found by their place', async () => {
  const { db } = site.deps;
  const [venue] = linkedKinds;
  for (const field of [
    'address',
    'city',
    'country',
    'province',
    'state',
    'stateprovince',
    'zip',
    'website',
  ]) {
    const { id } = await venue.make(db, { [field]: `x${field}x` });
    expect(idsIn(await site.by('anonymous').get(`/venues?search=x${field}x`), 'venues')).toEqual([id]);
  }
});

test('organizers are found by their e-mail address', async () => {
  const { id } = await linkedKinds[1].make(site.deps.db, { email: 'ann@example.org' });
  const found = await site.by('anonymous').get('/organizers?search=ann@ex');
  expect(idsIn(found, 'organizers')).toEqual([id]);
});
