/** Settings through HTTP and gRPC on a real database. */
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import { newsDuring } from '@sevenfold/chassis/testing/news-during';
import { until } from '@sevenfold/chassis/testing/until';
import {
  SettingsServiceService,
  type SettingsServiceServer,
} from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
let remote: Remote<SettingsServiceServer>;
let mailer: Remote<SettingsServiceServer>;

beforeAll(async () => {
  site = await startContent({ SITE_TITLE: 'My Site', ADMIN_EMAIL: 'boss@site.test' });
  [remote, mailer] = ['gateway', 'forms'].map((caller) =>
    site.dial<SettingsServiceServer>(SettingsServiceService, caller),
  ) as [Remote<SettingsServiceServer>, Remote<SettingsServiceServer>];
});
afterAll(async () => {
  remote.close();
  mailer.close();
  await site.stop();
});
afterEach(() => site.deps.db.run('delete from settings').then(() => site.deps.memory.forget('settings')));

const admin = () => site.by('administrator');
const put = async (values: object) =>
  (await admin().post('/settings', values)).body as Record<string, unknown>;

describe('GET /settings', () => {
  test('shows all settings in the order of the interface', async () => {
    const answer = await admin().get('/settings');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('allow')).toBe('GET, POST, PUT, PATCH');
    expect(JSON.stringify(answer.body)).toBe(
      JSON.stringify({
        title: 'My Site',
        description: '',
        url: 'http://site.test',
        email: 'boss@site.test',
        timezone: 'America/New_York',
        date_format: 'F j, Y',
        time_format: 'g:i a',
        start_of_week: 1,
        language: 'en_US',
        use_smilies: true,
        default_category: 1,
        default_post_format: '0',
        posts_per_page: 10,
        default_ping_status: 'open',
        default_comment_status: 'open',
      }),
    );
  });

  test('takes a context without minding it', async () => {
    for (const context of ['view', 'edit', 'whatever'])
      expect((await admin().get(`/settings?context=${context}`)).status).toBe(200);
  });

  test.each(['anonymous', 'subscriber', 'contributor', 'author', 'editor'] as const)(
    'is not for %s',
    async (role) => {
      const status = role === 'anonymous' ? 401 : 403;
      for (const method of ['GET', 'POST', 'PUT', 'PATCH']) {
        const answer = await site
          .by(role)
          .request(method, '/settings', method === 'GET' ? {} : { body: { title: 'Mine' } });
        expect([answer.status, answer.body.code]).toEqual([status, 'rest_forbidden']);
      }
      expect((await admin().get('/settings')).body.title).toBe('My Site');
    },
  );

  test('there is nothing to delete', async () => {
    const answer = await admin().delete('/settings');
    expect([answer.status, answer.body.code]).toEqual([404, 'rest_no_route']);
  });
});

describe('POST, PUT, PATCH /settings', () => {
  test('each changes what was sent and answers all', async () => {
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const answer = await admin().request(method, '/settings', {
        body: { description: method, nonsense: 1 },
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ title: 'My Site', description: method });
      expect(answer.body).not.toHaveProperty('nonsense');
    }
    expect((await admin().get('/settings')).body.description).toBe('PATCH');
  });

  test('takes every setting', async () => {
    const values = {
      title: 'R & D',
      description: 'words',
      email: 'new@site.test',
      timezone: 'Europe/Vienna',
      date_format: 'Y-m-d',
      time_format: 'H:i',
      start_of_week: 9,
      language: 'de_AT',
      use_smilies: false,
      default_category: 4711,
      default_post_format: 'aside',
      posts_per_page: 7,
      default_ping_status: 'closed',
      default_comment_status: 'closed',
    };
    expect(await put(values)).toEqual({ ...values, title: 'R &amp; D', url: 'http://site.test' });
  });

  test('cleans values instead of refusing them', async () => {
    expect(await put({ url: 'http://elsewhere.test' })).toMatchObject({ url: 'http://site.test' });
    expect(await put({ timezone: 'Nowhere/City', language: 'xx_YY' })).toMatchObject({
      timezone: 'America/New_York',
      language: 'en_US',
    });
    expect(await put({ language: 'not a locale' })).toMatchObject({ language: 'en_US' });
    expect(await put({ timezone: 'UTC+5.5' })).toMatchObject({ timezone: 'UTC+5.5' });
    expect(await put({ language: 'de_DE_formal' })).toMatchObject({ language: 'de_DE_formal' });
    expect(await put({ language: '' })).toMatchObject({ language: 'en_US' });
    expect(await put({ posts_per_page: 0 })).toMatchObject({ posts_per_page: 1 });
    expect(await put({ posts_per_page: -5 })).toMatchObject({ posts_per_page: 5 });
    expect(await put({ title: ' <b>Bold</b>\u0000 title ' })).toMatchObject({
      title: '&lt;b&gt;Bold&lt;/b&gt; title',
    });
  });

  test('null takes a setting back to its default', async () => {
    await put({ title: 'Other', posts_per_page: 3, default_ping_status: 'closed', email: 'x@site.test' });
    expect(
      await put({ title: null, posts_per_page: null, default_ping_status: null, email: null, url: null }),
    ).toMatchObject({
      title: null,
      posts_per_page: 10,
      default_ping_status: 'open',
      email: 'boss@site.test',
      url: 'http://site.test',
    });
    expect(await site.deps.db.rows('select * from settings')).toEqual([{ name: 'title', value: null }]);
    expect(await put({ title: 'Set again' })).toMatchObject({ title: 'Set again' });
  });

  test('names every bad argument and stores nothing', async () => {
    const answer = await admin().post('/settings', {
      title: 5,
      email: 'nobody',
      start_of_week: 'Monday',
      posts_per_page: 1e12,
      use_smilies: 'maybe',
      default_category: 1.5,
      default_ping_status: 'ajar',
      description: 'stays unstored',
    });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.data.params)).toEqual([
      'title',
      'email',
      'start_of_week',
      'use_smilies',
      'default_category',
      'posts_per_page',
      'default_ping_status',
    ]);
    expect((await admin().get('/settings')).body.description).toBe('');
  });

  test('tells other services in the same transaction, and only when something changed', async () => {
    const before = await site.deps.db.rows(
      "select payload from outbox where channel = 'content.settings.changed'",
    );
    await put({ title: 'News', timezone: 'Nowhere/City' });
    await put({ url: 'http://elsewhere.test' });
    const after = await site.deps.db.rows<{ payload: unknown }>(
      "select payload from outbox where channel = 'content.settings.changed' order by id",
    );
    expect(after.slice(before.length)).toEqual([{ payload: { names: ['title'] } }]);
  });

  test('who sends back what is there makes nothing old', async () => {
    await put({ title: 'News', timezone: 'Asia/Tokyo' });
    const told = (changes: object): Promise<string[]> => newsDuring(site.deps.db, () => put(changes));
    expect(await told({ title: 'News', timezone: 'Asia/Tokyo' })).toEqual([]);
    expect(await told({ title: 'News', timezone: 'Asia/Seoul' })).toEqual(['setting:timezone|settings']);
    expect(await told({ timezone: null })).toEqual(['setting:timezone|settings']);
    expect(await told({ timezone: null })).toEqual([]);
  });

  test('another process hears of a change', async () => {
    expect((await site.deps.settings.get()).title).toBe('My Site');
    await site.deps.db.run(`insert into settings values ('title', '"From elsewhere"')`);
    await until(async () => (await site.deps.settings.get()).title === 'From elsewhere');
  });
});

describe('GetSettings', () => {
  test('answers what other services need', async () => {
    await put({ timezone: 'Asia/Kolkata', start_of_week: 0 });
    expect(await remote.getSettings({})).toEqual({
      title: 'My Site',
      useSmilies: true,
      description: '',
      url: 'http://site.test',
      email: '',
      timezone: 'Asia/Kolkata',
      dateFormat: 'F j, Y',
      timeFormat: 'g:i a',
      startOfWeek: 0,
      language: 'en_US',
      defaultCategory: 1,
      postsPerPage: 10,
      defaultCommentStatus: 'open',
      defaultPingStatus: 'open',
      gmtOffset: 5.5,
    });
  });

  test('tells those who send mail where mail of the site goes', async () => {
    expect((await mailer.getSettings({})).email).toBe('boss@site.test');
  });
});
