/** POST /venues and POST /organizers: making one, or taking over the one of the same name. */
import { setTimeout as sleep } from 'node:timers/promises';
import { linkedKinds } from '../testing/linked';
import { type CalendarSite, startCalendar } from '../testing/service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());
beforeEach(() => site.deps.db.run('truncate events, venues, organizers, outbox'));

describe.each(linkedKinds)('POST /$many', ({ one, many, make }) => {
  const db = () => site.deps.db;
  const post = (body: object, role: Parameters<CalendarSite['by']>[0] = 'editor') =>
    site.by(role).post(`/${many}`, body);
  const named = (name: string, more: object = {}) => ({ [one]: name, ...more });
  const count = async () => (await db().first<{ n: number }>(`select count(*) as n from ${many}`))?.n;

  test('makes one and shows it', async () => {
    const made = await post(
      named('  The <i>Hall</i> ', {
        description: 'one\n\ntwo',
        phone: '555',
        website: 'https://a.example.org/x?y=1&z=2',
      }),
    );
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBeNull();
    const { id } = made.body;
    expect(made.body).toMatchObject({
      author: String(site.users.editor.id),
      status: 'publish',
      [one]: 'The Hall',
      slug: 'the-hall',
      url: `http://site.test/${one}/the-hall/`,
      description: '<p>one</p>\n<p>two</p>',
      phone: '555',
      website: 'https://a.example.org/x?y=1&z=2',
      global_id: `site.test?id=${id}`,
      global_id_lineage: [`site.test?id=${id}`],
    });
    expect(made.body).not.toHaveProperty('json_ld');
    const { json_ld, ...read } = (await site.by('anonymous').get(`/${many}/${id}`)).body;
    expect(read).toEqual(made.body);
    expect(json_ld).toMatchObject({ name: 'The Hall' });
    expect(await db().rows('select name, payload from outbox')).toEqual([
      expect.objectContaining({
        payload: expect.objectContaining({ id, status: 'publish', before_status: '' }),
      }),
    ]);
  });

  test('so much of a description, which each event shows, alone and inside an event', async () => {
    const [most, more] = ['x'.repeat(100_000), 'x'.repeat(100_001)];
    const made = await post(named('Long', { description: most }));
    expect(made.status).toBe(201);
    const refused = await post(named('Longer', { description: more }));
    expect([refused.status, Object.keys(refused.body.data.params)]).toEqual([400, ['description']]);
    const changed = await site.by('editor').post(`/${many}/${made.body.id}`, { description: more });
    expect([changed.status, Object.keys(changed.body.data.params)]).toEqual([400, ['description']]);
    const event = { title: 'With it', start_date: '2031-06-01', end_date: '2031-06-01' };
    const inside = await site
      .by('editor')
      .post('/events', { ...event, [one]: named('Longest', { description: more }) });
    expect([inside.status, Object.keys(inside.body.data.params)]).toEqual([400, [one]]);
    expect(await count()).toBe(1);
  });

  test('takes arguments from form and query too', async () => {
    const form = await site
      .by('editor')
      .request('POST', `/${many}`, { body: new URLSearchParams({ [one]: 'By form', phone: '1' }) });
    expect(form).toMatchObject({ status: 201, body: { [one]: 'By form', phone: '1' } });
    expect((await site.by('editor').post(`/${many}?${one}=By+query`)).status).toBe(201);
  });

  test('numbers and truth values stand for text', async () => {
    expect((await post(named(1999 as never, { phone: 555, description: true }))).body).toMatchObject({
      [one]: '1999',
      phone: '555',
      description: '<p>true</p>',
    });
  });

  test('HTML of those without the right to it is made safe', async () => {
    const body = named('Safe', { description: '<p onclick="x()">a</p><script>b()</script>' });
    expect((await post(body, 'author')).body.description).not.toMatch(/script|onclick/);
    const made = await post(named('<script>alert(1)</script>Name &amp; Co'));
    expect(made.body[one]).toBe('Name &amp; Co');
  });

  test.each([
    ['anonymous', 401, undefined, undefined],
    ['subscriber', 403, undefined, undefined],
    ['contributor', 201, 'draft', 'pending'],
    ['author', 201, 'publish', 'publish'],
    ['editor', 201, 'publish', 'publish'],
    ['administrator', 201, 'publish', 'publish'],
  ] as const)('by %s', async (role, status, unnamed, publish) => {
    const made = await post(named('One'), role);
    expect([made.status, made.body.status]).toEqual(status === 201 ? [201, unnamed] : [status, undefined]);
    if (status > 400) expect(made.body.code).toBe('rest_forbidden');
    const asked = await post(named('Two', { status: 'publish' }), role);
    expect(asked.body.status).toBe(publish);
    const empty = await post(named('Three', { status: '' }), role);
    expect(empty.body.status).toBe(unnamed);
    expect(await count()).toBe(status === 201 ? 3 : 0);
  });

  test('drafts have a slug, and no date yet; scheduled ones are shown when their time comes', async () => {
    const draft = await post(named('Draft', { status: 'draft' }));
    expect(draft.body).toMatchObject({
      date_utc: '0000-00-00 00:00:00',
      url: expect.stringContaining('post_type='),
    });
    expect(draft.body.slug).toBe('draft');
    expect((await site.by('editor').get(`/${many}/by-slug/draft`)).body.id).toBe(draft.body.id);
    expect((await site.by('anonymous').get(`/${many}/by-slug/draft`)).status).toBe(401);
    const later = await post(named('Later', { date: '2099-01-02 03:04:05' }));
    expect(later.body).toMatchObject({
      status: 'future',
      date: '2099-01-02 03:04:05',
      date_utc: '2099-01-02 08:04:05',
    });
    expect((await site.by('anonymous').get(`/${many}/${later.body.id}`)).status).toBe(401);
  });

  test('dates of publication', async () => {
    const past = await post(named('Past', { date_utc: '2020-06-01 12:00:00' }));
    expect(past.body).toMatchObject({
      status: 'publish',
      date: '2020-06-01 08:00:00',
      date_utc: '2020-06-01 12:00:00',
    });
  });

  test('author: others only by editors, and only users that exist', async () => {
    const { users } = site;
    expect((await post(named('Mine', { author: users.author.id }), 'author')).status).toBe(201);
    expect(await post(named('Theirs', { author: users.editor.id }), 'author')).toMatchObject({
      status: 403,
      body: { code: 'rest_cannot_edit_others' },
    });
    expect((await post(named('Given', { author: users.author.id }))).body.author).toBe(
      String(users.author.id),
    );
    expect((await post(named('Nobody', { author: 999_999 }))).body).toMatchObject({
      code: 'rest_invalid_param',
      data: { status: 400, params: { author: expect.any(String) } },
    });
    expect(await count()).toBe(2);
  });

  test('missing and bad arguments are told, all at once, and nothing is made', async () => {
    expect((await post({})).body).toMatchObject({
      code: 'rest_missing_callback_param',
      data: { status: 400, params: [one] },
    });
    expect((await post({ [one]: null })).body.code).toBe('rest_missing_callback_param');
    const bad = await post(
      named(' <b></b> ', {
        author: 'x', date: 'never', date_utc: '', description: ['x'], status: 'any', phone: {}, website: 'not a url',
        image: 'nothing',
      }), // prettier-ignore
    );
    expect(bad).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(Object.keys(bad.body.data.params).sort()).toEqual(
      ['author', 'date', 'date_utc', 'description', 'image', 'phone', 'status', 'website', one].sort(),
    );
    for (const website of [
      'nonsense',
      'javascript:alert(1)',
      'ftp://example.org',
      'http://',
      'http://a b.org',
      '"><x',
    ])
      expect([website, (await post(named('Bad', { website }))).status]).toEqual([website, 400]);
    for (const image of ['', true, -1, 1.5, [1], { id: 1 }, 'ftp://a.b/c.png', 999_999, '999999'])
      expect([image, (await post(named('Bad', { image }))).status]).toEqual([image, 400]);
    for (const status of ['published', 7, 'PUBLISH'])
      expect([status, (await post(named('Bad', { status }))).status]).toEqual([status, 400]);
    expect((await post(named('Bad'), 'anonymous')).status).toBe(401);
    expect(await count()).toBe(0);
  });

  test('of an existing name, in whatever case, the existing one is taken over with what is new', async () => {
    const first = await post(named('The Hall', { phone: '1', description: 'kept' }));
    const again = await post(named('the HALL', { phone: '2' }));
    expect(again.status).toBe(201);
    expect(again.body).toMatchObject({
      id: first.body.id,
      [one]: 'The Hall',
      phone: '2',
      description: '<p>kept</p>',
    });
    expect(await count()).toBe(1);
    const same = await post(named('The Hall'));
    expect(same.body).toEqual(again.body);
  });

  test('what is in the trash is not taken over', async () => {
    const trashed = await make(db(), { name: 'Gone', status: 'trash', status_before_trash: 'publish' });
    expect((await post(named('Gone'))).body.id).not.toBe(trashed.id);
  });

  test('of somebody else’s, those without the right get it as it is', async () => {
    const theirs = await make(db(), { name: 'Shared', phone: '1', author: site.users.editor.id });
    for (const role of ['contributor', 'author'] as const) {
      const answer = await post(named('shared', { phone: '2', status: 'draft' }), role);
      expect(answer).toMatchObject({ status: 201, body: { id: theirs.id, phone: '1', status: 'publish' } });
    }
    expect((await post(named('shared', { phone: '3' }))).body).toMatchObject({ id: theirs.id, phone: '3' });
  });

  test('what one may not read is not shown that way', async () => {
    const theirs = await make(db(), { name: 'Secret', status: 'draft', author: site.users.editor.id });
    const made = await post(named('Secret'), 'author');
    expect(made.body.id).not.toBe(theirs.id);
    const again = await post(named('Secret', { phone: '1' }), 'author');
    expect(again.body).toMatchObject({ id: made.body.id, phone: '1' });
  });

  test('a taken slug gets a number', async () => {
    await make(db(), { name: 'Other', slug: 'hall' });
    await make(db(), { name: 'Another', slug: 'hall-2' });
    expect((await post(named('Hall'))).body.slug).toBe('hall-3');
    expect((await post(named('!!!'))).body.slug).toMatch(/^\d+$/);
  });

  test('many at once of one name make one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        post(named(n % 2 ? 'Together' : 'TOGETHER', { phone: String(n) })),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await count()).toBe(1);
  });

  test('many at once with names of one slug all get their own', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => post(named(`Hall${'!'.repeat(n)}`))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(8);
  });
});

test('many writes at once while the settings must be asked for: nobody waits for a connection that another writer holds', async () => {
  const { deps } = site;
  const settings = deps.content.settings as { getSettings: (...args: never[]) => Promise<unknown> };
  const ask = settings.getSettings.bind(settings);
  settings.getSettings = async (...args) => {
    await sleep(300);
    return ask(...args);
  };
  const { max } = deps.db.pool.options;
  await Promise.all(Array.from({ length: max }, () => deps.db.run('select pg_sleep(0.1)')));
  deps.memory.forget('known', 'settings');
  try {
    const answers = await Promise.all(
      Array.from({ length: max + 2 }, (_, n) => site.by('editor').post('/venues', { venue: `At once ${n}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  } finally {
    settings.getSettings = ask;
  }
});

test('texts of one line have a length', async () => {
  const author = site.by('author');
  const long = 'x'.repeat(2_001);
  for (const [path, body] of [
    ['/organizers', { organizer: long }],
    ['/organizers', { organizer: 'A', phone: long }],
    ['/organizers', { organizer: 'A', email: long }],
    ['/venues', { venue: 'A', address: long }],
    ['/venues', { venue: 'A', stateprovince: long }],
    [
      '/events',
      {
        title: 'T',
        start_date: '2030-01-01 10:00',
        end_date: '2030-01-01 11:00',
        organizer: [{ organizer: 'A', phone: long }],
      },
    ],
  ] as const)
    expect([path, (await author.post(path, body)).status]).toEqual([path, 400]);
});

test('null of an author says nothing', async () => {
  for (const role of ['author', 'editor'] as const)
    expect((await site.by(role).post('/venues', { venue: `V ${role}`, author: null })).status).toBe(201);
});
