/** Indexables over HTTP, the runs that build them, and what addresses say, with the real owners behind them. */
import type { TestService } from '@sevenfold/chassis/testing/service';
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { type HeadServiceServer, HeadServiceService } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
import type { Deps } from '../deps';
import { openReading, readKeys } from '../sources/read';
import { administrator, contributor, editor, startSeo, subscriber } from '../testing/service';
import { ticket } from './queue';
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
    const { deps } = seo;
    const reading = await openReading(deps, await ticket(deps.db));
    const built = await readKeys(reading, [{ objectType: 'term', objectId: id }]);
    await deps.db.transaction((tx) => write(tx, built));
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
  const options = { deadlineMs: 20_000 };
  const page = await make('/pages', {
    title: 'Old & <em>new</em>',
    slug: 'old',
    content: '<p>Secret words</p>',
  });
  await reindex();
  const { found, html } = await head.headFor({ url: page.link }, options);
  expect([found, html]).toEqual([true, expect.stringContaining('<title>Old &amp; new')]);
  await owners.content.by('editor').post(`/pages/${page.id}`, { slug: 'new' });
  await reindex();
  expect(await head.resolveUrl({ url: page.link }, options)).toMatchObject({
    status: 301,
    location: 'http://site.test/new/',
  });
  await owners.content.by('editor').post(`/pages/${page.id}`, { status: 'draft' });
  await reindex();
  expect(await head.headFor({ url: '/new/' }, options)).toEqual({ found: false, html: '', json: '' });
  expect((await head.resolveUrl({ url: page.link }, options)).status).toBe(404);
  await owners.content.by('editor').delete(`/pages/${page.id}`);
  await reindex();
  expect((await head.resolveUrl({ url: '/new/' }, options)).status).toBe(410);
  head.close();
});
