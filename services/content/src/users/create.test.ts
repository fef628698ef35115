import type { Answer } from '@sevenfold/chassis/testing/service';
import { lockWaits } from '@sevenfold/chassis/testing/lock-waits';
import { until } from '@sevenfold/chassis/testing/until';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

let counter = 0;
const fresh = (fields: Record<string, unknown> = {}): Record<string, unknown> => {
  const n = (counter += 1);
  return { username: `new${n}`, email: `new${n}@mail.test`, password: 'secret words', ...fields };
};
const create = (body: object, role: Parameters<ContentSite['by']>[0] = 'administrator') =>
  site.by(role).post('/users', body);
const stored = (id: number) =>
  site.deps.db.first<Record<string, unknown>>('select * from users where id = $1', [id]) as Promise<
    Record<string, unknown>
  >;

describe('POST /users', () => {
  test('makes a subscriber with sensible names, answers in edit context, and tells others', async () => {
    const answer = await create({ username: 'Mary.Poppins', email: 'Mary@mail.test', password: 'umbrella' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('Location')).toBe(`http://site.test/rest/core/v2/users/${answer.body.id}`);
    expect(answer.body).toMatchObject({
      username: 'Mary.Poppins',
      name: 'Mary.Poppins',
      nickname: 'Mary.Poppins',
      slug: 'mary-poppins',
      email: 'Mary@mail.test',
      first_name: '',
      last_name: '',
      url: '',
      description: '',
      locale: 'en_US',
      roles: ['subscriber'],
      link: 'http://site.test/author/mary-poppins/',
      meta: [],
    });
    expect(answer.text).not.toContain('umbrella');
    const row = await stored(answer.body.id);
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const event = await site.deps.db.first(
      `select payload from outbox where channel = 'content.user.changed' order by id desc limit 1`,
    );
    expect(event).toEqual({ payload: { id: answer.body.id, link: '/author/mary-poppins/' } });
  });

  test('takes every field, cleaned', async () => {
    const answer = await create(
      fresh({
        name: ' Dr. <b>No</b>\n ',
        first_name: 'Julius',
        last_name: 'No',
        url: 'javascript:alert(1)',
        description: 'Ends <script>x</script><b>badly</b>',
        locale: 'de_DE',
        nickname: 'Doc',
        slug: 'Doctor No!',
        roles: ['editor', 'author', 'editor'],
        meta: { unknown: 1 },
      }),
    );
    expect(answer.body).toMatchObject({
      name: 'Dr. No',
      first_name: 'Julius',
      last_name: 'No',
      url: '',
      locale: 'de_DE',
      nickname: 'Doc',
      slug: 'doctor-no',
      roles: ['editor', 'author'],
      meta: [],
    });
    expect((await create(fresh({ first_name: 'Ada', last_name: 'King' }))).body.name).toBe('Ada King');
    expect((await create(fresh({ url: 'home.test/me' }))).body.url).toBe('http://home.test/me');
    expect((await create(fresh({ roles: [] }))).body.roles).toEqual([]);
    expect(
      (await create(new URLSearchParams(fresh({ roles: 'author' }) as Record<string, string>))).body.roles,
    ).toEqual(['author']);
  });

  test('numbers a slug that is taken', async () => {
    const slugs = [];
    for (let i = 0; i < 3; i++) slugs.push((await create(fresh({ slug: 'twin' }))).body.slug);
    expect(slugs).toEqual(['twin', 'twin-2', 'twin-3']);
    expect((await create(fresh({ username: 'user@home_.-', slug: '!' }))).body.slug).toBe('user-home_');
  });

  test('numbers one that many want at the same moment', async () => {
    const { db } = site.deps;
    let creating: Promise<Answer[]> | undefined;
    await db.transaction(async (tx) => {
      // What each of them writes last: the first one waits here, all others for the slug.
      await tx.run('select from identity_changes for update');
      creating = Promise.all(Array.from({ length: 16 }, () => create(fresh({ slug: 'triplet' }))));
      await until(async () => {
        // They take all other connections of the service.
        await tx.run('select pg_stat_clear_snapshot()');
        return (await lockWaits(tx)) >= 4;
      });
    });
    const answers = (await creating) as Answer[];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const slugs = answers.map(({ body }) => body.slug as string);
    const wanted = ['triplet', ...Array.from({ length: 15 }, (_, at) => `triplet-${at + 2}`)];
    expect(slugs.sort()).toEqual(wanted.sort());
  });

  test('a user name or e-mail address that is taken is 409; both are named', async () => {
    const first = fresh();
    await create(first);
    const name = await create({ ...fresh(), username: (first.username as string).toUpperCase() });
    expect([name.status, name.body.code]).toEqual([409, 'existing_user_login']);
    expect(name.body.data).toMatchObject({ status: 409, params: { username: expect.any(String) } });
    const mail = await create({ ...fresh(), email: (first.email as string).toUpperCase() });
    expect([mail.status, mail.body.code]).toEqual([409, 'existing_user_email']);
    expect(Object.keys(mail.body.data.params)).toEqual(['email']);
    const both = await create(first);
    expect([both.status, both.body.code]).toEqual([409, 'existing_user_login']);
    expect(Object.keys(both.body.data.params)).toEqual(['username', 'email']);
    expect(both.body.data.details.email.code).toBe('existing_user_email');
  });

  test('what somebody else logs in with is taken, be it a user name or an e-mail address', async () => {
    const first = fresh({ username: 'jane@mail.test' });
    // One's own may be the same.
    expect((await create({ ...first, email: 'jane@mail.test' })).status).toBe(201);
    const second = fresh();
    await create(second);
    const name = await create(fresh({ username: (second.email as string).toUpperCase() }));
    expect([name.status, name.body.code]).toEqual([409, 'existing_user_login']);
    expect(Object.keys(name.body.data.params)).toEqual(['username']);
    const third = fresh({ username: 'june@mail.test' });
    await create(third);
    const mail = await create(fresh({ email: 'JUNE@mail.test' }));
    expect([mail.status, mail.body.code]).toEqual([409, 'existing_user_email']);
    expect(Object.keys(mail.body.data.params)).toEqual(['email']);
  });

  test('of two equal requests at the same moment one wins', async () => {
    const user = fresh();
    const answers = await Promise.all([create(user), create(user)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409]);
  });

  test('so does one of two at the same moment of which one has as user name what is the address of the other', async () => {
    const answers = await Promise.all([
      create(fresh({ username: 'both@mail.test' })),
      create(fresh({ email: 'both@mail.test' })),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409]);
  });

  test.each([
    ['anonymous', 401],
    ['subscriber', 403],
    ['contributor', 403],
    ['author', 403],
    ['editor', 403],
  ] as const)('%s may not', async (role, status) => {
    const answer = await create(fresh(), role);
    expect([answer.status, answer.body.code]).toEqual([status, 'rest_cannot_create_user']);
  });

  test('names every missing argument, then every bad one', async () => {
    const missing = await create({ name: 'X', password: null }, 'author');
    expect(missing.body).toMatchObject({
      code: 'rest_missing_callback_param',
      data: { status: 400, params: ['username', 'email', 'password'] },
    });
    const bad = await create(
      { username: 'a*b', email: 'nowhere', password: '', locale: 'xx', roles: 'a', url: 5 },
      'author',
    );
    expect(bad.status).toBe(400);
    expect(Object.keys(bad.body.data.params).sort()).toEqual([
      'email',
      'locale',
      'password',
      'url',
      'username',
    ]);
    expect(bad.body.data.details.username.code).toBe('rest_user_invalid_username');
    expect(bad.body.data.details.password.code).toBe('rest_user_invalid_password');
    expect(bad.body.data.details.email.code).toBe('rest_invalid_email');
  });

  test.each([
    ['username', ''],
    ['username', ' a'],
    ['username', 'a  b'],
    ['username', 'ünal'],
    ['username', 'a'.repeat(61)],
    ['username', 5],
    ['email', ''],
    ['email', 'a@b'],
    ['email', `${'a'.repeat(60)}@${'b'.repeat(60)}.test`],
    ['password', ''],
    ['password', 'back\\slash'],
    ['password', 'x'.repeat(4097)],
    ['name', 'x'.repeat(251)],
    ['first_name', []],
    ['description', {}],
    ['description', 'x'.repeat(5_001)],
    ['nickname', []],
    ['locale', 'klingon'],
    ['roles', 7.5],
    ['meta', 'x'],
  ])('%s %j is 400', async (name, value) => {
    const answer = await create(fresh({ [name]: value }));
    if (name === 'roles') expect(answer.body.code).toBe('rest_user_invalid_role');
    else expect(Object.keys(answer.body.data.params)).toEqual([name]);
    expect(answer.status).toBe(400);
  });

  test('an unknown role and an id are refused', async () => {
    const role = await create(fresh({ roles: ['author', 'pope'] }));
    expect([role.status, role.body.code, Object.keys(role.body.data.params)]).toEqual([
      400,
      'rest_user_invalid_role',
      ['roles'],
    ]);
    const id = await create(fresh({ id: 5 }));
    expect([id.status, id.body.code]).toEqual([400, 'rest_user_exists']);
  });

  test('text that PostgreSQL cannot hold is no 500', async () => {
    const answer = await create(
      fresh({ name: 'a\0b', description: '\ud800x', slug: '\0', url: 'http://a\0' }),
    );
    expect(answer.status).toBe(201);
    expect(answer.body.name).toBe('ab');
    expect((await create(fresh({ username: 'a\ud800', email: '\udc00@mail.test' }))).status).toBe(400);
    expect((await site.by('administrator').get('/users?search=%00&slug=%00')).status).toBe(200);
    expect((await site.by('administrator').get('/users?roles=%00')).status).toBeLessThan(500);
  });
});
