/** What people choose for single objects, through the console: whose right it is, what is taken, and what becomes of it. */
import { makeEvent } from '@sevenfold/calendar/testing/factories';
import type { Deps as CalendarDeps } from '@sevenfold/calendar/deps';
import type { Answer } from '@sevenfold/chassis/testing/service';
import { makePost, makeTerm } from '@sevenfold/content/testing/factories';
import type { Role } from '@sevenfold/content/users/roles';
import { type Site, startSite } from '../support/site';

const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;

let site: Site;
const signedIn = new Map<Role, Record<string, string>>();
beforeAll(async () => {
  site = await startSite();
  for (const role of ROLES) signedIn.set(role, await site.signIn(site.content.users[role]));
});
afterAll(() => site.stop());

const at = (type: string, id: number): string => `/console/api/seo/overrides/${type}/${id}`;
const put = (path: string, body: object, role: Role = 'editor'): Promise<Answer> =>
  site.client.put(path, body, signedIn.get(role));
const get = (path: string, role: Role = 'editor'): Promise<Answer> =>
  site.client.get(path, signedIn.get(role));
const seo = () => site.service('seo').as(site.content.users.administrator);
const reindex = async (): Promise<void> => {
  while (((await seo().get('/reindex_posts')).body as number) > 0);
};

/** Statuses that the roles are answered with, in their order, then that of a stranger. */
async function statuses(path: string): Promise<number[]> {
  const found: number[] = [];
  for (const role of ROLES) {
    const [read, written] = [await get(path, role), await put(path, { title: `By ${role}` }, role)];
    expect([role, written.status]).toEqual([role, read.status]);
    found.push(read.status);
  }
  const strangers = [await site.client.get(path), await site.client.put(path, { title: 'x' })];
  expect(strangers.map(({ status, body }) => [status, body.code])).toEqual([
    [401, 'rest_forbidden'],
    [401, 'rest_forbidden'],
  ]);
  return found;
}

describe('who may choose is who may change the object', () => {
  const of = (author: Role, more: object = {}) => ({ author: site.content.users[author].id, ...more });
  const db = () => site.content.deps.db;

  test('posts, by owner and status', async () => {
    const [published, draft, page] = [
      await makePost(db(), of('author')),
      await makePost(db(), of('contributor', { status: 'draft' })),
      await makePost(db(), of('author', { type: 'page' })),
    ];
    expect(await statuses(at('post', published.id))).toEqual([200, 200, 200, 403, 403]);
    expect(await statuses(at('post', draft.id))).toEqual([200, 200, 403, 200, 403]);
    expect(await statuses(at('post', page.id))).toEqual([200, 200, 403, 403, 403]);
  });

  test('events, terms, users and the home page', async () => {
    const calendar = (site.service('calendar').deps as CalendarDeps).db;
    const event = await makeEvent(calendar, of('author'));
    const tag = await makeTerm(db(), { taxonomy: 'post_tag' });
    expect(await statuses(at('post', event.id))).toEqual([200, 200, 200, 403, 403]);
    expect(await statuses(at('term', tag.id))).toEqual([200, 200, 403, 403, 403]);
    expect(await statuses(at('user', site.content.users.subscriber.id))).toEqual([200, 403, 403, 403, 200]);
    expect(await statuses(at('home', 0))).toEqual([200, 403, 403, 403, 403]);
  });

  test('of what is not there nothing is said but that', async () => {
    for (const path of [
      at('post', 999_999),
      at('term', 999_999),
      at('user', 999_999),
      at('home', 1),
      at('boat', 1),
    ])
      expect([path, (await put(path, {}, 'administrator')).body.code]).toEqual([
        path,
        'seo_object_not_found',
      ]);
  });
});

describe('what is chosen', () => {
  let id: number;
  beforeAll(async () => {
    const words = 'The ferry sails to the island every morning and returns at night. '.repeat(30);
    const { db } = site.content.deps;
    const html = `<p>${words}</p>`;
    ({ id } = await makePost(db, {
      slug: 'ferry',
      path: '2024/01/02/ferry',
      title_html: 'Boats',
      content_html: html,
    }));
    await reindex();
  });

  test('wins over templates as soon as it is indexed, and is scored', async () => {
    const before = await get(at('post', id));
    expect(before.body).toMatchObject({
      title: null,
      is_cornerstone: null,
      primary_focus_keyword_score: null,
    });
    const chosen = {
      title: '  All about\n the ferry\u0007 ',
      description: 'When the ferry sails',
      primary_focus_keyword: 'ferry',
      is_cornerstone: true,
      is_robots_nosnippet: false,
    };
    const { status, body } = await put(at('post', id), chosen);
    expect([status, body]).toEqual([
      200,
      {
        ...before.body,
        ...chosen,
        title: 'All about the ferry',
      },
    ]);
    await reindex();
    const indexable = (await seo().get(`/indexables/post/${id}`)).body;
    expect(indexable).toMatchObject({
      title: 'All about the ferry',
      og_title: 'All about the ferry',
      description: 'When the ferry sails',
      primary_focus_keyword: 'ferry',
      is_cornerstone: true,
      is_robots_nosnippet: false,
    });
    // Title, description, slug, beginning, and the length of 900 words that a cornerstone should have: 360. It says the word too often.
    expect(indexable.primary_focus_keyword_score).toBe(20 + 10 + 10 + 15 + (15 * 360) / 900);
    expect((await get(at('post', id))).body).toMatchObject({
      primary_focus_keyword_score: indexable.primary_focus_keyword_score,
      readability_score: indexable.readability_score,
    });
    const head = await site.client.get('/console/api/head?url=/2024/01/02/ferry/');
    expect(head.body.html).toContain('<title>All about the ferry</title>');
  });

  test('is shown with what the variables in its titles stand for, and kept as it was written', async () => {
    const chosen = { title: '%%title%% by the sea', og_title: 'Look: %%title%%' };
    expect((await put(at('post', id), chosen)).body).toMatchObject(chosen);
    await reindex();
    expect((await seo().get(`/indexables/post/${id}`)).body).toMatchObject({
      title: 'Boats by the sea',
      og_title: 'Look: Boats',
    });
    const head = await site.client.get('/console/api/head?url=/2024/01/02/ferry/');
    expect(head.body.html).toContain('<title>Boats by the sea</title>');
    await put(at('post', id), { og_title: null });
  });

  test('makes nothing behind a password a find of searches: its page asks them to leave it out', async () => {
    const post = { title: 'Open', slug: 'open', status: 'publish' };
    const { body } = await site.client.post('/rest/core/v2/posts', post, signedIn.get('administrator'));
    const { id, link } = body as { id: number; link: string };
    const { pathname } = new URL(link);
    await put(at('post', id), { is_robots_noindex: false });
    await reindex();
    const isListed = async (): Promise<boolean> =>
      (await site.client.get('/sitemap-post-1.xml')).text.includes(pathname);
    expect(await isListed()).toBe(true);
    await site.client.post(`/rest/core/v2/posts/${id}`, { password: 'pw' }, signedIn.get('administrator'));
    await reindex();
    expect(await isListed()).toBe(false);
    const page = await site.client.get(pathname, { Accept: 'text/html' });
    expect(page.text).toContain('<meta name="robots" content="noindex">');
    // Without one it is as it was chosen.
    await site.client.post(`/rest/core/v2/posts/${id}`, { password: '' }, signedIn.get('administrator'));
    await reindex();
    expect(await isListed()).toBe(true);
  });

  test('stays where it is not named, and templates say again what is null or empty', async () => {
    const { body } = await put(at('post', id), { title: null, description: ' ', is_robots_noindex: true });
    expect(body).toMatchObject({
      title: null,
      description: null,
      is_robots_noindex: true,
      primary_focus_keyword: 'ferry',
      is_cornerstone: true,
    });
    await reindex();
    const indexable = (await seo().get(`/indexables/post/${id}`)).body;
    expect(indexable).toMatchObject({ is_robots_noindex: true, primary_focus_keyword: 'ferry' });
    expect(indexable.title).toMatch(/^Boats/);
  });

  test('is refused as a whole when something of it is wrong', async () => {
    const { status, body } = await put(at('post', id), {
      title: 'x'.repeat(201),
      description: 'x'.repeat(157),
      canonical: 'javascript:alert(1)',
      og_title: 'Kept by nobody',
    });
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['title', 'description', 'canonical']]);
    expect((await put(at('post', id), { is_cornerstone: 'perhaps' })).status).toBe(400);
    expect((await put(at('post', id), { title: ['x'] })).status).toBe(400);
    expect((await get(at('post', id))).body).toMatchObject({ og_title: null, is_cornerstone: true });
  });

  test('of two who choose at the same time, both are heard', async () => {
    const one = await makePost(site.content.deps.db);
    await Promise.all([
      ...Array.from({ length: 5 }, (_, n) => put(at('post', one.id), { title: `Title ${n}` })),
      ...Array.from({ length: 5 }, (_, n) => put(at('post', one.id), { og_title: `Shared ${n}` })),
    ]);
    expect((await get(at('post', one.id))).body).toMatchObject({
      title: expect.stringMatching(/^Title/) as string,
      og_title: expect.stringMatching(/^Shared/) as string,
    });
  });

  test('waits to be read once more, also where it waits already: whoever reads it then may have looked before', async () => {
    const one = await makePost(site.content.deps.db);
    const { db } = site.service('seo').service;
    await db.run(`insert into waiting (object_type, object_id) values ('post', $1)`, [one.id]);
    await put(at('post', one.id), { title: 'Once more' });
    expect(await db.rows('select 1 from waiting where object_id = $1', [one.id])).toHaveLength(2);
    await reindex();
    expect(await db.rows('select 1 from waiting where object_id = $1', [one.id])).toEqual([]);
  });

  test('goes with its object', async () => {
    const one = await makePost(site.content.deps.db);
    await put(at('post', one.id), { title: 'Short-lived' });
    await reindex();
    await site.content.deps.db.run('delete from posts where id = $1', [one.id]);
    await reindex();
    const left = 'select 1 from overrides where object_id = $1';
    expect(await site.service('seo').service.db.rows(left, [one.id])).toEqual([]);
  });
});
