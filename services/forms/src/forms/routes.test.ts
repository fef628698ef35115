/** Contact forms through HTTP on a real database: list, create, read, change, delete. */
import { type FormsSite, ROLES, startForms } from '../testing/service';
import { defaultsFor } from './defaults';
import { ensureFirstForm } from './setup';

let site: FormsSite;
beforeAll(async () => {
  site = await startForms();
});
afterAll(() => site.stop());

const editor = () => site.by('editor');
const LIST = '/contact-forms';
const own = defaultsFor('http://site.test');
const count = async (): Promise<number> =>
  (await site.deps.db.first<{ n: number }>('select count(*) as n from forms'))?.n ?? 0;

describe('the first form', () => {
  test('is there at the first start, in the words of the list', async () => {
    const { status, body, headers } = await editor().get(LIST);
    expect(status).toBe(200);
    expect(body).toEqual([
      { id: expect.any(Number), slug: 'contact-form-1', title: 'Contact form 1', locale: 'en_US' },
    ]);
    expect(headers.get('allow')).toBe('GET, POST');
    expect(headers.get('x-total')).toBeNull();
  });

  test('is made once, by however many replicas, and not again when it was deleted', async () => {
    await Promise.all([1, 2, 3, 4].map(() => ensureFirstForm(site.deps)));
    expect(await count()).toBe(1);
    await site.deps.db.run('delete from forms');
    await Promise.all([1, 2, 3, 4].map(() => ensureFirstForm(site.deps)));
    expect(await count()).toBe(1);
    const [{ id }] = (await editor().get(LIST)).body;
    await editor().delete(`${LIST}/${id}`);
    await ensureFirstForm(site.deps);
    expect((await editor().get(LIST)).body).toEqual([]);
  });
});

describe('who may', () => {
  const forbidden = (role: (typeof ROLES)[number] | 'anonymous', id: number) => [
    ...(['administrator', 'editor', 'author', 'contributor'].includes(role) ? [] : [['GET', LIST]]),
    ...(['administrator', 'editor'].includes(role)
      ? []
      : [
          ['POST', LIST],
          ['GET', `${LIST}/${id}`],
          ['POST', `${LIST}/${id}`],
          ['PUT', `${LIST}/${id}`],
          ['PATCH', `${LIST}/${id}`],
          ['DELETE', `${LIST}/${id}`],
        ]),
  ];

  test.each([...ROLES, 'anonymous' as const])('%s', async (role) => {
    const id = await site.makeForm({ title: 'Kept' });
    const before = await editor().get(`${LIST}/${id}`);
    const refused = forbidden(role, id);
    for (const [method, path] of refused) {
      const { status, body } = await site.by(role).request(method as string, path as string);
      expect([method, path, status, body.code]).toEqual([method, path, 403, 'contact_form_forbidden']);
    }
    expect((await editor().get(`${LIST}/${id}`)).body).toEqual(before.body);
    for (const [method, path, wanted] of [
      ['GET', LIST, 200],
      ['POST', LIST, 201],
      ['GET', `${LIST}/${id}`, 200],
      ['POST', `${LIST}/${id}`, 200],
      ['DELETE', `${LIST}/${id}`, 200],
    ] as const) {
      if (refused.some(([refusedMethod, refusedPath]) => refusedMethod === method && refusedPath === path))
        continue;
      expect([method, path, (await site.by(role).request(method, path)).status]).toEqual([
        method,
        path,
        wanted,
      ]);
    }
  });

  test('what is not there is not there before anybody is judged', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of [`${LIST}/999999`, `${LIST}/999999999999999`, `${LIST}/0`]) {
        const { status, body } = await site.by('anonymous').request(method, path);
        expect([method, path, status, body.code]).toEqual([method, path, 404, 'contact_form_not_found']);
      }
    }
  });

  test('Allow names what the caller may', async () => {
    const id = await site.makeForm();
    const allow = async (role: 'editor' | 'contributor' | 'anonymous', path: string) =>
      (await site.by(role).request('OPTIONS', path)).headers.get('allow');
    expect(await allow('editor', `${LIST}/${id}`)).toBe('GET, POST, PUT, PATCH, DELETE');
    expect(await allow('contributor', LIST)).toBe('GET');
    expect(await allow('anonymous', LIST)).toBeNull();
    expect(await allow('anonymous', `${LIST}/${id}/feedback`)).toBe('POST');
  });
});

describe('GET /contact-forms', () => {
  let ids: number[];
  beforeAll(async () => {
    await site.deps.db.run('update forms set deleted_at = now()');
    ids = [];
    for (const title of ['Beta harbour', 'alpha', 'Gamma 50% harbour'])
      ids.push(await site.makeForm({ title }));
  });
  const listed = async (query: string): Promise<number[]> =>
    ((await editor().get(`${LIST}?${query}`)).body as { id: number }[]).map(({ id }) => ids.indexOf(id));

  test.each([
    ['', [0, 1, 2]],
    ['order=DESC', [2, 1, 0]],
    ['order=desc&orderby=ID', [2, 1, 0]],
    ['orderby=title', [1, 0, 2]],
    ['orderby=slug&order=desc', [2, 0, 1]],
    ['orderby=date', [0, 1, 2]],
    ['orderby=modified', [0, 1, 2]],
    ['per_page=2', [0, 1]],
    ['per_page=2&offset=1', [1, 2]],
    ['per_page=-1', [0, 1, 2]],
    ['per_page=100000', [0, 1, 2]],
    // As clients know it: only with per_page.
    ['offset=1', [0, 1, 2]],
    ['search=harbour', [0, 2]],
    ['search=50%25', [2]],
    ['search=HARBOUR&order=desc&per_page=1', [2]],
    ['search=ga', [2]],
    ['search=nothing', []],
    ['search=', [0, 1, 2]],
  ])('%s', async (query, wanted) => {
    expect(await listed(query)).toEqual(wanted);
  });

  test('search takes vowel signs for letters, and small letters as the title has them', async () => {
    const id = await site.makeForm({ title: 'İzin ΤΥΠΟΣ किताब' });
    for (const search of ['किताब', 'İzin', 'izin', 'τυπος', 'İz']) {
      const { body } = await editor().get(`${LIST}?search=${encodeURIComponent(search)}`);
      expect([search, body]).toMatchObject([search, [{ id }]]);
    }
    await site.deps.db.run('update forms set deleted_at = now() where id = $1', [id]);
  });

  test('bad arguments are named together', async () => {
    const { status, body } = await editor().get(
      `${LIST}?per_page=x&offset=-1&order=up&orderby=shoe&search[]=1`,
    );
    expect(status).toBe(400);
    expect(Object.keys(body.data.params).sort()).toEqual([
      'offset',
      'order',
      'orderby',
      'per_page',
      'search',
    ]);
  });
});

describe('POST /contact-forms', () => {
  test('makes a form of what was sent over the defaults', async () => {
    const answer = await editor().post(LIST, {
      context: 'save',
      title: 'Own form',
      locale: 'de_DE',
      form: '[text* your-name]\r\n[submit "Go"]',
      mail: {
        subject: 'Own',
        sender: 'own <a@site.test>',
        use_html: 1,
        exclude_blank: 'true',
        active: false,
      },
      messages: { spam: 'OWN' },
      additional_settings: 'demo_mode: on',
    });
    expect(answer.status).toBe(201);
    const { id } = answer.body as { id: number };
    expect(answer.headers.get('location')).toBe(`http://site.test/rest/contact-form/v1/contact-forms/${id}`);
    const properties = {
      form: '[text* your-name]\n[submit "Go"]',
      mail: { ...own.mail, subject: 'Own', sender: 'own <a@site.test>', use_html: true, exclude_blank: true },
      mail_2: own.mail_2,
      messages: { ...own.messages, spam: 'OWN' },
      additional_settings: 'demo_mode: on',
    };
    expect(answer.body).toEqual({
      id,
      slug: null,
      title: 'Own form',
      locale: 'de_DE',
      properties,
      config_errors: expect.anything(),
    });
    expect((await editor().get(`${LIST}/${id}`)).body).toEqual({
      id,
      slug: 'own-form',
      title: 'Own form',
      locale: 'de_DE',
      properties,
    });
  });

  test('takes form fields as well, and nothing at all', async () => {
    const fields = new URLSearchParams({ title: 'By form', 'messages[spam]': 'OWN', 'mail[use_html]': '1' });
    const { status, body } = await editor().post(LIST, fields);
    expect(status).toBe(201);
    expect(body.properties.messages.spam).toBe('OWN');
    expect(body.properties.mail.use_html).toBe(true);
    const bare = await editor().post(LIST);
    expect(bare.body).toMatchObject({ title: 'Untitled', locale: 'en_US', properties: own });
  });

  test('a long title has a slug that ends with a whole letter, with room for a number', async () => {
    const slugs: string[] = [];
    for (const title of ['日'.repeat(30), '日'.repeat(30), `${'a'.repeat(189)} b`]) {
      const { body } = await editor().post(LIST, { title });
      slugs.push((await editor().get(`${LIST}/${body.id}`)).body.slug);
    }
    const letters = '%e6%97%a5'.repeat(21);
    expect(slugs).toEqual([letters, `${letters}-2`, 'a'.repeat(189)]);
  });

  test('gives each form a slug of its own, at one moment too', async () => {
    const made = await Promise.all([1, 2, 3, 4, 5].map(() => site.makeForm({ title: 'Same' })));
    const slugs = await Promise.all(made.map(async (id) => (await editor().get(`${LIST}/${id}`)).body.slug));
    expect(slugs.sort()).toEqual(['same', 'same-2', 'same-3', 'same-4', 'same-5']);
  });

  test('a context other than save shows the form and keeps nothing', async () => {
    const before = await count();
    const { status, body, headers } = await editor().post(LIST, {
      context: 'view',
      title: 'Dry',
      messages: {},
    });
    expect(status).toBe(200);
    expect(headers.get('location')).toBeNull();
    expect(body).toMatchObject({ id: null, slug: null, title: 'Dry', properties: own });
    expect(await count()).toBe(before);
  });

  test('an id is refused, whatever it is', async () => {
    const before = await count();
    for (const id of [1, 'x', -1]) {
      const { status, body } = await editor().post(LIST, { id, title: 'x' });
      expect([status, body.code]).toEqual([400, 'contact_form_post_exists']);
    }
    expect(await count()).toBe(before);
  });

  test('null is empty, and leaves title and objects as they were', async () => {
    const { status, body } = await editor().post(LIST, {
      title: null,
      form: null,
      mail: null,
      mail_2: { body: null },
      messages: null,
      additional_settings: null,
    });
    expect(status).toBe(201);
    expect(body.title).toBe('Untitled');
    expect(body.properties).toEqual({ ...own, form: '', mail_2: { ...own.mail_2, body: '' } });
  });

  test('wrong types are named together, with what is wrong in them', async () => {
    const { status, body } = await editor().post(LIST, {
      title: {},
      locale: 5,
      form: ['x'],
      mail: { subject: {}, use_html: 'maybe', body: 'x' },
      mail_2: 'x',
      messages: { spam: [], validation_error: true },
      additional_settings: 1,
    });
    expect(status).toBe(400);
    expect(body.code).toBe('rest_invalid_param');
    const { params } = body.data;
    expect(Object.keys(params).sort()).toEqual([
      'additional_settings',
      'form',
      'locale',
      'mail',
      'mail_2',
      'messages',
      'title',
    ]);
    expect(params.mail).toBe('must be text: subject; must be true or false: use_html.');
    expect(params.messages).toBe('must be text: validation_error, spam.');
  });

  test('texts beyond their bounds are refused', async () => {
    const { status, body } = await editor().post(LIST, {
      title: 'x'.repeat(501),
      form: 'x'.repeat(200_001),
      mail: { body: 'x'.repeat(200_001) },
    });
    expect(status).toBe(400);
    expect(Object.keys(body.data.params).sort()).toEqual(['form', 'mail', 'title']);
  });
});

describe('POST /contact-forms/{id}', () => {
  test.each(['POST', 'PUT', 'PATCH'])('%s changes what it names', async (method) => {
    const id = await site.makeForm({ title: 'Before', messages: { spam: 'S' }, mail: { subject: 'One' } });
    const { status, body } = await editor().request(method, `${LIST}/${id}`, {
      body: { messages: { invalid_tel: 'T' }, mail: { body: 'Two' }, mail_2: { active: true } },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, slug: 'before', title: 'Before', config_errors: expect.anything() });
    expect(body.properties).toEqual({
      ...own,
      messages: { ...own.messages, spam: 'S', invalid_tel: 'T' },
      mail: { ...own.mail, subject: 'One', body: 'Two' },
      mail_2: { ...own.mail_2, active: true },
    });
    const { config_errors: _errors, ...kept } = body;
    expect((await editor().get(`${LIST}/${id}`)).body).toEqual(kept);
    await site.deps.db.run('delete from forms where id = $1', [id]);
  });

  test('an empty title is none, and the slug stays', async () => {
    const id = await site.makeForm({ title: 'Named' });
    const { body } = await editor().post(`${LIST}/${id}`, { title: '  ' });
    expect(body).toMatchObject({ title: 'Untitled', slug: 'named' });
  });

  test('two changes at once both stay', async () => {
    const id = await site.makeForm();
    await Promise.all([
      editor().post(`${LIST}/${id}`, { messages: { spam: 'A' } }),
      editor().post(`${LIST}/${id}`, { messages: { invalid_tel: 'B' } }),
    ]);
    const { body } = await editor().get(`${LIST}/${id}`);
    expect(body.properties.messages).toMatchObject({ spam: 'A', invalid_tel: 'B' });
  });

  test('a context other than save changes nothing', async () => {
    const id = await site.makeForm({ title: 'Stays' });
    const { status, body } = await editor().post(`${LIST}/${id}`, { context: 'view', title: 'Other' });
    expect([status, body.title, body.id]).toEqual([200, 'Other', id]);
    expect((await editor().get(`${LIST}/${id}`)).body.title).toBe('Stays');
  });
});

test('whoever stores a form is told what will not work, in a list where nothing is wrong', async () => {
  const whole = await editor().post(LIST, { title: 'Sound' });
  expect(whole.body.config_errors).toEqual([]);
  const sent = {
    form: '[text* your-name',
    mail: { sender: 'own <site@example.org>', recipient: '[nobody]', additional_headers: '' },
  };
  const dry = await editor().post(LIST, { ...sent, context: 'view' });
  const { status, body } = await editor().post(`${LIST}/${whole.body.id}`, sent);
  expect(status).toBe(200);
  expect(body.config_errors).toEqual({
    'form.body': [{ message: expect.stringMatching(/^Line 1, column 1: /), link: expect.any(String) }],
    'mail.sender': [
      { message: expect.any(String), link: expect.stringContaining('#email-not-in-site-domain') },
    ],
    'mail.recipient': [{ message: expect.any(String), link: expect.stringContaining('#invalid-mailbox') }],
  });
  expect(dry.body.config_errors).toEqual(body.config_errors);
  await editor().delete(`${LIST}/${whole.body.id}`);
});

test('a deleted form is gone, its slug free', async () => {
  const id = await site.makeForm({ title: 'Short lived' });
  const { status, body } = await editor().delete(`${LIST}/${id}`);
  expect([status, body]).toEqual([200, { deleted: true }]);
  for (const method of ['GET', 'POST', 'DELETE'])
    expect((await editor().request(method, `${LIST}/${id}`)).status).toBe(404);
  const next = await site.makeForm({ title: 'Short lived' });
  expect((await editor().get(`${LIST}/${next}`)).body.slug).toBe('short-lived');
});

test('a database that has no room is told as a fault of the form, and when to come again', async () => {
  const { db } = site.deps;
  const id = await site.makeForm({ title: 'Unmoved' });
  await db.run(`create function refuse_forms() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
  await db.run(
    'create trigger refuse_forms before insert or update on forms for each row execute function refuse_forms()',
  );
  try {
    for (const [method, path, code] of [
      ['POST', LIST, 'contact_form_cannot_save'],
      ['PATCH', `${LIST}/${id}`, 'contact_form_cannot_save'],
      ['DELETE', `${LIST}/${id}`, 'contact_form_cannot_delete'],
    ] as const) {
      const { status, body, headers } = await editor().request(method, path, { body: { title: 'Other' } });
      expect([method, status, body.code, body.data.status]).toEqual([method, 500, code, 500]);
      expect(headers.get('retry-after')).toBe('30');
    }
  } finally {
    await db.run('drop trigger refuse_forms on forms');
  }
  expect((await editor().get(`${LIST}/${id}`)).body.title).toBe('Unmoved');
  expect((await editor().delete(`${LIST}/999999`)).status).toBe(404);
});
