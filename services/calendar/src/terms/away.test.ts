/** Event categories and event tags while the content service is away: reads answer what was last seen, writes 503. */
import type { Speaker } from '@sevenfold/chassis/testing/service';
import { startContent } from '@sevenfold/content/testing/service';
import { makeTerm } from '@sevenfold/content/testing/factories';
import { reconcileKnown } from '../content/follow';
import { makeEvent } from '../testing/factories';
import { startCalendarOf } from '../testing/service';

let site: Awaited<ReturnType<typeof startCalendarOf>>;
let editor: Speaker;
let music: { id: number };
let blue: { id: number };
let jazz: { id: number };

beforeAll(async () => {
  const content = await startContent();
  site = await startCalendarOf(`127.0.0.1:${content.service.grpcPort}`);
  editor = site.as(content.users.editor);
  const { db } = content.deps;
  const taxonomy = 'calendar_events_cat';
  music = await makeTerm(db, { taxonomy, name: 'Music', slug: 'music', own_count: 2 });
  jazz = await makeTerm(db, { taxonomy, name: 'Jazz', slug: 'jazz', parent: music.id, own_count: 1 });
  await makeTerm(db, { taxonomy, name: 'Unused', slug: 'unused' });
  blue = await makeTerm(db, { taxonomy: 'post_tag', name: 'Blue', slug: 'blue', own_count: 1 });
  await makeTerm(db, { taxonomy: 'post_tag', name: 'ΧΟΡΟΣ', slug: 'dance' });
  await reconcileKnown(site.deps);
  await content.stop();
});
afterAll(() => site.stop());

const get = (path: string) => site.as().get(path);
const names = async (query: string) =>
  (await get(`/categories?${query}`)).body.categories.map(({ name }: { name: string }) => name);

test('lists are those that were last seen, with all their filters', async () => {
  const { status, body } = await get('/categories');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    total: 2,
    total_pages: 1,
    categories: [
      {
        id: jazz.id,
        name: 'Jazz',
        count: 1,
        parent: music.id,
        urls: { up: expect.stringContaining(`/${music.id}`) },
      },
      { id: music.id, name: 'Music' },
    ],
  });
  expect((await get('/tags')).body.tags).toMatchObject([{ id: blue.id, name: 'Blue' }]);
  expect(await names('hide_empty=false')).toEqual(['Jazz', 'Music', 'Unused']);
  expect(await names('order=desc&orderby=name')).toEqual(['Music', 'Jazz']);
  expect(await names('orderby=count')).toEqual(['Jazz', 'Music']);
  expect(await names('search=us&hide_empty=false')).toEqual(['Music', 'Unused']);
  const { body: found } = await get(`/tags?search=${encodeURIComponent('χορος')}&hide_empty=false`);
  expect(found.tags).toMatchObject([{ name: 'ΧΟΡΟΣ' }]);
  expect(await names('slug=music')).toEqual(['Music']);
  expect(await names(`parent=${music.id}`)).toEqual(['Jazz']);
  expect(await names(`exclude=${music.id}`)).toEqual(['Jazz']);
  expect(await names(`include=${music.id},${jazz.id}&orderby=include`)).toEqual(['Music', 'Jazz']);
  expect(await names('per_page=1&page=2')).toEqual(['Music']);
  const event = await makeEvent(site.deps.db, { category_ids: [jazz.id] });
  expect(await names(`event=${event.id}`)).toEqual(['Jazz']);
});

test('terms are those that were last seen', async () => {
  expect(await get(`/categories/${jazz.id}`)).toMatchObject({
    status: 200,
    body: { name: 'Jazz', slug: 'jazz' },
  });
  expect(await get(`/tags/${jazz.id}`)).toMatchObject({ status: 404, body: { code: 'rest_term_invalid' } });
});

test('whether a term exists that was never seen cannot be said', async () => {
  for (const path of ['/categories/9999', '/categories?include=9999'])
    expect(await get(path)).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
});

test('writes are put off, and nothing changes', async () => {
  const answers = [
    await editor.post('/categories', { name: 'New' }),
    await editor.put(`/categories/${jazz.id}`, { name: 'New' }),
    await editor.delete(`/categories/${jazz.id}`),
    await editor.post('/tags', { name: 'New' }),
  ];
  for (const { status, headers, body } of answers) {
    expect([status, body.code]).toEqual([503, 'service_unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(await names('hide_empty=false')).toEqual(['Jazz', 'Music', 'Unused']);
});

test('who may not write hears that first', async () => {
  expect((await site.as().post('/categories', { name: 'New' })).status).toBe(401);
});
