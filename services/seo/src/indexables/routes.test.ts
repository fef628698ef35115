/** Indexables over HTTP, the runs that build them, and what addresses say, with the real owners behind them. */
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import type { TestService } from '@sevenfold/chassis/testing/service';
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { makePost } from '@sevenfold/content/testing/factories';
import { type HeadServiceServer, HeadServiceService } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
import type { ObjectType } from '../analysis/shape';
import type { Deps } from '../deps';
import { openReading, readKeys } from '../sources/read';
import { administrator, contributor, editor, startSeo, subscriber } from '../testing/service';
import { ticket } from './queue';
import { reindexAll } from './reindex';
import { write } from './write';

let owners: CalendarSite;
let seo: TestService<Deps>;
beforeAll(async () => {
  owners = await startCalendar();
  seo = await startSeo({
    CONTENT_GRPC: `127.0.0.1:${owners.content.service.grpcPort}`,
    CALENDAR_GRPC: `127.0.0.1:${owners.service.grpcPort}`,
  });
});
afterAll(async () => {
  await seo.stop();
  await owners.stop();
});

/** Everything, of whatever type. */
const indexAll = async (): Promise<void> => void (await reindexAll(seo.deps, () => undefined));

/** As somebody who does not stop before all is done. */
async function reindex(): Promise<number[]> {
  const runs: number[] = [];
  do {
    const { status, body } = await seo.as(contributor).get('/reindex_posts');
    expect(status).toBe(200);
    runs.push(body as number);
  } while (runs.at(-1) !== 0);
  return runs;
}

/** As a job does it: runs on demand are for posts. */
async function index(objectType: ObjectType, objectId: number): Promise<void> {
  const { deps } = seo;
  const reading = await openReading(deps, await ticket(deps.db));
  const built = await readKeys(reading, [{ objectType, objectId }]);
  await deps.db.transaction((tx) => write(tx, built));
}

const make = async (path: '/posts' | '/pages', body: object): Promise<{ id: number; link: string }> =>
  (await owners.content.by('editor').post(path, { status: 'publish', ...body })).body as {
    id: number;
    link: string;
  };
const read = async (id: number, type = 'post') =>
  (await seo.as(administrator).get(`/indexables/${type}/${id}`)).body as Record<string, unknown>;

describe('GET /reindex_posts', () => {
  test('is for those who may edit posts', async () => {
    expect((await seo.as().get('/reindex_posts')).status).toBe(401);
    expect((await seo.as(subscriber).get('/reindex_posts')).status).toBe(403);
  });

  test('builds the index from nothing, and says 0 when all of it is there', async () => {
    const target = await make('/posts', { title: 'Target', content: '<p>Words</p>' });
    await make('/posts', { title: 'Source', content: `<p><a href="${target.link}">x</a></p>` });
    const { body: event } = await owners.by('editor').post('/events', {
      title: 'Opening',
      status: 'publish',
      description: `<p><a href="/?p=${target.id}">x</a></p>`,
      start_date: '2030-01-02 10:00:00',
      end_date: '2030-01-02 12:00:00',
    });
    const runs = await reindex();
    expect(runs.reduce((sum, count) => sum + count)).toBe(3);
    expect(await read(target.id)).toMatchObject({
      object_id: target.id,
      object_type: 'post',
      object_subtype: 'post',
      permalink: target.link,
      is_robots_noindex: null,
      link_count: 0,
      incoming_link_count: 2,
    });
    expect(await read((event as { id: number }).id)).toMatchObject({
      object_subtype: 'event',
      link_count: 1,
    });
    expect(await reindex()).toEqual([0]);
  });

  test('finds what changed and what is gone without having heard of it', async () => {
    const post = await make('/posts', { title: 'Here', slug: 'here' });
    await reindex();
    await owners.content.by('editor').post(`/posts/${post.id}`, { slug: 'there' });
    expect((await reindex())[0]).toBe(1);
    expect((await read(post.id)).permalink).toMatch(/\/there\/$/);
    await owners.content.by('editor').delete(`/posts/${post.id}?force=true`);
    await reindex();
    expect((await seo.as(administrator).get(`/indexables/post/${post.id}`)).status).toBe(404);
  });
});

describe('GET /indexables/{object_type}/{object_id}', () => {
  test('is for administrators', async () => {
    expect((await seo.as().get('/indexables/post/1')).body).toMatchObject({ code: 'rest_forbidden' });
    expect((await seo.as(editor).get('/indexables/post/1')).status).toBe(403);
  });

  test('answers bare texts where there is nothing', async () => {
    const [type, id] = await Promise.all([
      seo.as(administrator).get('/indexables/user/1'),
      seo.as(administrator).get('/indexables/post/999999'),
    ]);
    expect([type.status, id.status]).toEqual([400, 404]);
    expect([typeof type.body, typeof id.body]).toEqual(['string', 'string']);
  });

  test('terms have no counts, and types no case', async () => {
    const { body } = await owners.content.by('editor').post('/categories', { name: 'News' });
    const { id } = body as { id: number };
    await index('term', id);
    expect(await read(id, 'TERM')).toMatchObject({
      object_type: 'term',
      object_subtype: 'category',
      link_count: null,
      incoming_link_count: null,
      is_robots_nofollow: null,
    });
  });
});

test('heads and addresses follow their object, and tell nothing of what is hidden', async () => {
  const head = seo.dial<HeadServiceServer>(HeadServiceService, 'gateway');
  const page = await make('/pages', {
    title: 'Old & <em>new</em>',
    slug: 'old',
    content: '<p>Secret words</p>',
  });
  await reindex();
  const { found, html } = await head.headFor({ url: page.link });
  expect([found, html]).toEqual([true, expect.stringContaining('<title>Old &amp; new')]);
  await owners.content.by('editor').post(`/pages/${page.id}`, { slug: 'new' });
  await reindex();
  expect(await head.resolveUrl({ url: page.link })).toMatchObject({
    status: 301,
    location: 'http://site.test/new/',
  });
  await owners.content.by('editor').post(`/pages/${page.id}`, { status: 'draft' });
  await reindex();
  const hidden = await head.headFor({ url: '/new/' });
  expect(hidden).toEqual(await head.headFor({ url: '/nowhere/' }));
  expect([hidden.found, hidden.html]).toEqual([false, expect.stringContaining('<title>Page not found')]);
  expect((await head.resolveUrl({ url: page.link })).status).toBe(404);
  await owners.content.by('editor').delete(`/pages/${page.id}`);
  await reindex();
  expect((await head.resolveUrl({ url: '/new/' })).status).toBe(410);
  head.close();
});

describe('heads of what is no single thing', () => {
  let head: Remote<HeadServiceServer>;
  beforeAll(() => {
    head = seo.dial<HeadServiceServer>(HeadServiceService, 'gateway');
  });
  afterAll(() => head.close());
  const of = async (url: string) => {
    const { found, html, json } = await head.headFor({ url });
    const { title, canonical, robots, schema } = JSON.parse(json) as Record<string, unknown>;
    expect(html).toContain(`<title>${String(title)}</title>`);
    return { found, title, canonical, robots, schema };
  };

  test('a later page of a list stands for itself, under its own name', async () => {
    const { body } = await owners.content
      .by('editor')
      .post('/categories', { name: 'Boats', description: 'All boats' });
    const { id, link } = body as { id: number; link: string };
    await make('/posts', { title: 'One', categories: [id] });
    await indexAll();
    expect(await of(link)).toMatchObject({ found: true, title: 'Boats - Sevenfold', canonical: link });
    const second = await of(`${link}page/2/`);
    expect(second).toMatchObject({
      found: true,
      title: 'Boats Page 2 - Sevenfold',
      canonical: `${link}page/2/`,
      robots: 'index, follow, max-image-preview:large',
    });
    expect(JSON.stringify(second.schema)).toContain('All boats');
    // With a title of somebody's choice, too.
    await seo.deps.db.run(
      `insert into overrides values ('term', $1, '{"title":"Ships","canonical":"https://elsewhere.test/"}')`,
      [id],
    );
    await indexAll();
    expect(await of(link)).toMatchObject({ title: 'Ships', canonical: 'https://elsewhere.test/' });
    expect(await of(`${link}page/3/`)).toMatchObject({ title: 'Ships Page 3', canonical: `${link}page/3/` });
  });

  test('so do later pages of the home page and of an author', async () => {
    const { id } = owners.users.author;
    await makePost(owners.content.deps.db, { author: id });
    await indexAll();
    const home = await of('/page/2/');
    expect([home.title, home.canonical]).toEqual([
      expect.stringContaining('Page 2'),
      'http://site.test/page/2/',
    ]);
    const { link } = (await owners.content.by('anonymous').get(`/users/${id}`)).body as { link: string };
    const later = await of(`${link}page/2/`);
    expect(later.canonical).toBe(`${link}page/2/`);
    // Who it is does not depend on the page.
    const person = (schema: unknown) =>
      (schema as { '@graph': { '@type': string }[] })['@graph'].find((node) => node['@type'] === 'Person');
    expect(person(later.schema)).toEqual(person((await of(link)).schema));
  });

  test('whoever has published events alone has no page, and none is named until there is a post', async () => {
    const { id } = owners.users.contributor;
    const { body } = await owners.by('administrator').post('/events', {
      title: 'Fair',
      status: 'publish',
      author: id,
      start_date: '2030-03-02 10:00:00',
      end_date: '2030-03-02 12:00:00',
    });
    await indexAll();
    const { url } = body as { url: string };
    const named = async () => JSON.stringify((await of(url)).schema);
    expect(await named()).not.toContain('/author/');
    await makePost(owners.content.deps.db, { author: id });
    await reindex();
    // The post sent for its author, and what that one is now for what shows it.
    await index('user', id);
    await reindex();
    expect(await named()).toContain('/author/');
  });

  test.each([
    ['/?s=ferry', 'ferry - Search results - Sevenfold', true],
    ['/page/2/?s=%3Cb%3Eferry', '&lt;b&gt;ferry - Search results Page 2 - Sevenfold', true],
    ['/nowhere/', 'Page not found - Sevenfold', false],
    ['/nowhere/page/2/', 'Page not found - Sevenfold', false],
    ['https://elsewhere.test/?s=ferry', 'Page not found - Sevenfold', false],
    ['no address at all', 'Page not found - Sevenfold', false],
  ])('%s', async (url, title, found) => {
    const { html, json, ...answer } = await head.headFor({ url });
    expect(answer.found).toBe(found);
    expect(html).toContain(`<title>${title}</title>`);
    expect(html).toContain('<meta name="robots" content="noindex, follow" />');
    expect(JSON.parse(json)).toMatchObject({ canonical: '' });
  });
});
