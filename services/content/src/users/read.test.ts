import { createHash } from 'node:crypto';
import type { Actor } from '@sevenfold/chassis/actor';
import { makePost, makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
let writer: Actor;

beforeAll(async () => {
  site = await startContent();
  writer = await makeUser(site.deps.db, 'author', {
    username: 'arthur',
    slug: 'arthur',
    name: 'Arthur Peer',
    email: 'Arthur@Mail.test',
    registered_at: '2020-01-03T04:05:06Z',
  });
  await makePost(site.deps.db, { author: writer.id });
});
afterAll(() => site.stop());

const link = (path: string): [{ href: string }] => [{ href: `http://site.test/rest/core/v2${path}` }];

describe('GET /users/{id}', () => {
  test('shows who has published something to everybody', async () => {
    const answer = await site.by('anonymous').get(`/users/${writer.id}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Allow')).toBe('GET');
    const { avatar_urls: avatars, ...rest } = answer.body;
    expect(rest).toEqual({
      id: writer.id,
      name: 'Arthur Peer',
      url: '',
      description: '',
      link: 'http://site.test/author/arthur/',
      slug: 'arthur',
      meta: [],
      _links: { self: link(`/users/${writer.id}`), collection: link('/users') },
    });
    expect(Object.keys(avatars)).toEqual(['24', '48', '96']);
    const hash = createHash('sha256').update('arthur@mail.test').digest('hex');
    expect(avatars['48']).toBe(`https://secure.gravatar.com/avatar/${hash}?s=48&d=mm&r=g`);
    const embedded = await site.by('anonymous').get(`/users/${writer.id}?context=embed`);
    expect(Object.keys(embedded.body)).toEqual([
      'id',
      'name',
      'url',
      'description',
      'link',
      'slug',
      'avatar_urls',
      '_links',
    ]);
  });

  test('hides the others from strangers and from those without the right to list users', async () => {
    const { id } = site.users.subscriber;
    const stranger = await site.by('anonymous').get(`/users/${id}`);
    expect([stranger.status, stranger.body.code]).toEqual([401, 'rest_user_cannot_view']);
    for (const role of ['contributor', 'author', 'editor'] as const) {
      const answer = await site.by(role).get(`/users/${id}`);
      expect([answer.status, answer.body.code]).toEqual([403, 'rest_user_cannot_view']);
    }
    expect((await site.by('administrator').get(`/users/${id}`)).status).toBe(200);
    const self = await site.by('subscriber').get(`/users/${id}`);
    expect([self.status, self.headers.get('Allow')]).toEqual([200, 'GET, POST, PUT, PATCH']);
  });

  test('shows everything in the edit context to administrators and to the user', async () => {
    const answer = await site.by('administrator').get(`/users/${writer.id}?context=edit`);
    expect(answer.headers.get('Allow')).toBe('GET, POST, PUT, PATCH, DELETE');
    expect(Object.keys(answer.body)).toEqual([
      'id',
      'username',
      'name',
      'first_name',
      'last_name',
      'email',
      'url',
      'description',
      'link',
      'locale',
      'nickname',
      'slug',
      'roles',
      'registered_date',
      'capabilities',
      'extra_capabilities',
      'avatar_urls',
      'meta',
      '_links',
    ]);
    expect(answer.body).toMatchObject({
      username: 'arthur',
      email: 'Arthur@Mail.test',
      locale: 'en_US',
      roles: ['author'],
      registered_date: '2020-01-03T04:05:06+00:00',
      extra_capabilities: { author: true },
    });
    expect(answer.body.capabilities).toMatchObject({ read: true, publish_posts: true, author: true });
    expect(answer.body.capabilities).not.toHaveProperty('edit_others_posts');
    for (const kind of ['events', 'venues', 'organizers'])
      expect(answer.body.capabilities).toHaveProperty(`publish_calendar_${kind}`, true);
    expect(answer.body.capabilities).not.toHaveProperty('publish_events');
    const self = await site.as(writer).get(`/users/${writer.id}?context=edit`);
    expect(self.body.email).toBe('Arthur@Mail.test');
  });

  test('users without a language who are sent back as they are shown go on with that of the site', async () => {
    const shown = () => site.as(writer).get('/users/me?context=edit');
    const { body } = await shown();
    expect(body.locale).toBe('en_US');
    expect((await site.by('administrator').put(`/users/${writer.id}`, body)).status).toBe(200);
    expect((await site.as(writer).put('/users/me', { locale: body.locale })).body.locale).toBe('en_US');
    await site.by('administrator').put('/settings', { language: 'de_DE' });
    expect((await shown()).body.locale).toBe('de_DE');
    await site.as(writer).put('/users/me', { locale: 'en_US' });
    expect((await shown()).body.locale).toBe('en_US');
    await site.as(writer).put('/users/me', { locale: '' });
    await site.by('administrator').put('/settings', { language: 'en_US' });
  });

  test('where the language of the site is none that users can choose, they are shown without one', async () => {
    const settings = (body: object) => site.by('administrator').put('/settings', body);
    const shown = () => site.as(writer).get('/users/me?context=edit');
    expect((await settings({ language: 'sv_SE' })).body.language).toBe('sv_SE');
    const me = await shown();
    expect(me.body.locale).toBe('');
    expect((await site.as(writer).put('/users/me', { locale: me.body.locale })).status).toBe(200);
    await settings({ language: 'de_DE' });
    expect((await shown()).body.locale).toBe('de_DE');
    await settings({ language: 'en_US' });
  });

  test('refuses the edit context to everybody else', async () => {
    for (const [role, status] of [
      ['anonymous', 401],
      ['editor', 403],
    ] as const) {
      const answer = await site.by(role).get(`/users/${writer.id}?context=edit`);
      expect([answer.status, answer.body.code]).toEqual([status, 'rest_forbidden_context']);
    }
  });

  test.each(['999999', '0', '9007199254740991'])('%s is 404', async (id) => {
    const answer = await site.by('anonymous').get(`/users/${id}`);
    expect([answer.status, answer.body.code]).toEqual([404, 'rest_user_invalid_id']);
  });

  test('bad arguments', async () => {
    const context = await site.by('anonymous').get(`/users/${writer.id}?context=raw`);
    expect([context.status, Object.keys(context.body.data.params)]).toEqual([400, ['context']]);
    const huge = await site.by('anonymous').get('/users/99999999999999999999');
    expect([huge.status, Object.keys(huge.body.data.params)]).toEqual([400, ['id']]);
  });
});

describe('GET /users/me', () => {
  test('is the user who is logged in', async () => {
    const answer = await site.by('subscriber').get('/users/me?context=edit');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      id: site.users.subscriber.id,
      roles: ['subscriber'],
      capabilities: { read: true },
    });
    expect(answer.headers.get('Allow')).toBe('GET, POST, PUT, PATCH');
    expect((await site.by('administrator').get('/users/me')).headers.get('Allow')).toBe(
      'GET, POST, PUT, PATCH, DELETE',
    );
  });

  test('looks at no posts, whoever holds them', async () => {
    await site.deps.db.transaction(async (tx) => {
      await tx.run('lock table posts in access exclusive mode');
      expect((await site.by('author').get('/users/me')).status).toBe(200);
    });
  });

  test('is nobody for strangers, and for users who are gone', async () => {
    const stranger = await site.by('anonymous').get('/users/me');
    expect([stranger.status, stranger.body.code]).toEqual([401, 'rest_not_logged_in']);
    expect(stranger.headers.get('Allow')).toBe('GET');
    const gone = await site.as({ ...writer, id: 999_999 }).get('/users/me');
    expect([gone.status, gone.body.code]).toEqual([401, 'rest_not_logged_in']);
  });

  test('a user without roles has no rights', async () => {
    const nobody = await makeUser(site.deps.db);
    const answer = await site.as(nobody).get('/users/me?context=edit');
    expect(answer.body).toMatchObject({ roles: [], capabilities: {}, extra_capabilities: {} });
  });

  test('a bad context is 400', async () => {
    const answer = await site.by('subscriber').get('/users/me?context=all');
    expect([answer.status, Object.keys(answer.body.data.params)]).toEqual([400, ['context']]);
  });
});
