import type { Actor } from '@sevenfold/chassis/actor';
import { makePost, makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
let user: Actor;
beforeAll(async () => {
  site = await startContent();
});
beforeEach(async () => {
  user = await makeUser(site.deps.db, 'author', { first_name: 'Old' });
});
afterAll(() => site.stop());

const update = (body: object, role: Parameters<ContentSite['by']>[0] = 'administrator') =>
  site.by(role).post(`/users/${user.id}`, body);
const stored = (id = user.id) =>
  site.deps.db.first<Record<string, unknown>>('select * from users where id = $1', [id]) as Promise<
    Record<string, unknown>
  >;

describe('POST, PUT, PATCH /users/{id}', () => {
  test('changes what was sent and keeps the rest', async () => {
    for (const method of ['POST', 'PUT', 'PATCH'] as const) {
      const answer = await site.by('administrator').request(method, `/users/${user.id}?context=view`, {
        body: { last_name: method, description: '<i>hi</i><iframe>' },
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        id: user.id,
        first_name: 'Old',
        last_name: method,
        username: user.username,
        email: user.email,
      });
    }
    const answer = await update({
      name: 'New',
      first_name: '',
      email: 'new-address@mail.test',
      url: 'new.test',
      nickname: 'Nick',
      slug: 'New Slug',
      locale: 'fr_FR',
      roles: ['contributor', 'author'],
      username: user.username,
    });
    expect(answer.body).toMatchObject({
      name: 'New',
      first_name: '',
      last_name: 'PATCH',
      email: 'new-address@mail.test',
      url: 'http://new.test',
      nickname: 'Nick',
      slug: 'new-slug',
      locale: 'fr_FR',
      roles: ['contributor', 'author'],
    });
    const event = await site.deps.db.first(
      `select payload from outbox where channel = 'content.user.changed' order by id desc limit 1`,
    );
    expect(event).toEqual({ payload: { id: user.id, link: '/author/new-slug/' } });
  });

  test('an empty body changes nothing', async () => {
    const before = await stored();
    expect((await update({})).status).toBe(200);
    expect(await stored()).toEqual(before);
  });

  test('a new password is hashed and never shown', async () => {
    const answer = await update({ password: 'new secret' });
    expect(answer.text).not.toContain('secret');
    expect((await stored()).password_hash).toMatch(/^\$argon2id/);
  });

  test('names emptied fall back to the user name; own values may be sent back', async () => {
    const answer = await update({ name: '', nickname: ' ', slug: '', email: user.email.toUpperCase() });
    expect(answer.body).toMatchObject({
      name: user.username,
      nickname: user.username,
      email: user.email.toUpperCase(),
    });
    expect((await update({ slug: answer.body.slug })).status).toBe(200);
  });

  test('another user name, and the e-mail address or slug of another user, are refused together', async () => {
    const other = await makeUser(site.deps.db, 'author', { slug: 'taken' });
    const mail = await update({ email: other.email.toUpperCase() });
    expect([mail.status, mail.body.code]).toEqual([400, 'rest_user_invalid_email']);
    const slug = await update({ slug: 'Taken' });
    expect([slug.status, slug.body.code]).toEqual([400, 'rest_user_invalid_slug']);
    const name = await update({ username: 'renamed' });
    expect([name.status, name.body.code]).toEqual([400, 'rest_user_invalid_argument']);
    const all = await update({ username: 'renamed', slug: 'taken', email: other.email, name: 'X' });
    expect(Object.keys(all.body.data.params)).toEqual(['email', 'username', 'slug']);
    expect((await stored()).name).toBe(user.name);
  });

  test('what another user logs in with is no e-mail address; what is there already may be sent back', async () => {
    const { db } = site.deps;
    await makeUser(db, 'author', { username: 'named@mail.test' });
    const mail = await site.as(user).post('/users/me', { email: 'NAMED@mail.test' });
    expect([mail.status, mail.body.code]).toEqual([400, 'rest_user_invalid_email']);
    await db.run(`update users set email = 'named@mail.test' where id = $1`, [user.id]);
    expect((await update({ email: 'named@mail.test', name: 'Kept' })).status).toBe(200);
    const own = await makeUser(db, 'author', { username: 'own@mail.test' });
    const same = await site.as(own).post('/users/me', { email: 'own@mail.test' });
    expect([same.status, same.body.email]).toEqual([200, 'own@mail.test']);
  });

  test('users edit themselves, and only administrators edit others', async () => {
    const own = await site
      .as(user)
      .post(`/users/${user.id}`, { name: 'Me', email: 'me@mail.test', password: 'mine' });
    expect(own.body).toMatchObject({ name: 'Me', email: 'me@mail.test' });
    for (const [role, status] of [
      ['anonymous', 401],
      ['subscriber', 403],
      ['editor', 403],
    ] as const) {
      await makePost(site.deps.db, { author: user.id });
      const answer = await update({ name: 'Mine' }, role);
      expect([answer.status, answer.body.code]).toEqual([status, 'rest_cannot_edit']);
    }
  });

  test('roles are given by those who may promote', async () => {
    for (const roles of [['administrator'], [], ['author']]) {
      const own = await site.as(user).post(`/users/${user.id}`, { roles });
      expect([own.status, own.body.code]).toEqual([403, 'rest_cannot_edit_roles']);
    }
    const unknown = await update({ roles: ['pope'] });
    expect([unknown.status, unknown.body.code]).toEqual([400, 'rest_user_invalid_role']);
    expect((await stored()).roles).toEqual(['author']);
    expect((await update({ roles: [] })).body.roles).toEqual([]);
  });

  test('administrators cannot take their own role away, nor anybody the last one', async () => {
    const { administrator } = site.users;
    for (const roles of [['editor'], []]) {
      const own = await site.by('administrator').post(`/users/${administrator.id}`, { roles });
      expect([own.status, own.body.code]).toEqual([403, 'rest_user_invalid_role']);
    }
    const more = await site
      .by('administrator')
      .post(`/users/${administrator.id}`, { roles: ['administrator', 'editor'] });
    expect(more.body.roles).toEqual(['administrator', 'editor']);

    const second = await makeUser(site.deps.db, 'administrator');
    expect(
      (await site.as(second).post(`/users/${administrator.id}`, { roles: ['editor'] })).body.roles,
    ).toEqual(['editor']);
    // Whose role is gone still holds a signed header for some seconds.
    const last = await site.by('administrator').post(`/users/${second.id}`, { roles: ['author'] });
    expect([last.status, last.body.code]).toEqual([409, 'rest_user_last_administrator']);
    await site.as(second).post(`/users/${administrator.id}`, { roles: ['administrator'] });
    const [a, b] = await Promise.all([
      site.as(second).post(`/users/${administrator.id}`, { roles: ['editor'] }),
      site.by('administrator').post(`/users/${second.id}`, { roles: ['editor'] }),
    ]);
    expect([a.status, b.status].sort()).toEqual([200, 409]);
    await site.deps.db.run(`update users set roles = '{administrator}' where id = $1`, [administrator.id]);
  });

  test('an unknown user is 404, whoever asks', async () => {
    const answer = await site.by('anonymous').post('/users/999999', { name: 'X' });
    expect([answer.status, answer.body.code]).toEqual([404, 'rest_user_invalid_id']);
  });

  test('bad arguments are named before rights are asked for', async () => {
    const answer = await update(
      { email: 'x', password: 'a\\b', locale: 'xx', name: 1, roles: 'author' },
      'author',
    );
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.data.params).sort()).toEqual(['email', 'locale', 'name', 'password']);
    expect(answer.body.data.details.password.code).toBe('rest_user_invalid_password');
  });

  test('markup beyond the plain is taken out for users without the right to it', async () => {
    const answer = await site
      .as(user)
      .post(`/users/${user.id}`, { description: '<b>bold</b><script>bad()</script>' });
    expect(answer.body.description).toContain('<b>bold</b>');
    expect(answer.body.description).not.toContain('script');
  });
});

describe('POST, PUT, PATCH /users/me', () => {
  test('changes the user who is logged in', async () => {
    for (const method of ['POST', 'PUT', 'PATCH'] as const) {
      const answer = await site.as(user).request(method, '/users/me', { body: { nickname: method } });
      expect(answer.body).toMatchObject({ id: user.id, nickname: method, email: user.email });
    }
    const roles = await site.as(user).post('/users/me', { roles: ['administrator'] });
    expect([roles.status, roles.body.code]).toEqual([403, 'rest_cannot_edit_roles']);
    const bad = await site.as(user).post('/users/me', { email: 'x' });
    expect([bad.status, Object.keys(bad.body.data.params)]).toEqual([400, ['email']]);
  });

  test('there is no such user for strangers and for users who are gone', async () => {
    for (const speaker of [site.by('anonymous'), site.as({ ...user, id: 999_999 })]) {
      const answer = await speaker.post('/users/me', { name: 'X' });
      expect([answer.status, answer.body.code]).toEqual([404, 'rest_user_invalid_id']);
    }
  });
});
