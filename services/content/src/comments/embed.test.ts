/** The lists of comments that posts embed, asked of the loader itself, as a route of posts does. */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import type { ContentCall } from '../deps';
import { makeComment, makePost } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { embedComments } from './embed';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

const load = (keys: number[], actor: Actor = stranger, args: Record<string, unknown> = {}) =>
  embedComments({ deps: site.deps, actor, args, root: site.deps.root } as ContentCall, keys);

test('the newest ten approved of each post, as a list of the post shows them', async () => {
  const { db } = site.deps;
  const [many, one, none] = [await makePost(db), await makePost(db), await makePost(db)];
  for (let day = 10; day < 22; day++)
    await makeComment(db, { post: many.id, date_gmt: `2024-03-${day} 00:00:00Z` });
  await makeComment(db, { post: one.id, status: 'hold' });
  const single = await makeComment(db, { post: one.id });
  const found = await load([many.id, one.id, none.id, 999_999]);
  const listed = await site.by('anonymous').get(`/comments?post=${many.id}&context=embed`);
  expect(JSON.parse(JSON.stringify(found.get(many.id)))).toEqual(listed.body);
  expect(found.get(one.id)).toEqual([expect.objectContaining({ id: single.id })]);
  expect(found.get(none.id)).toEqual([]);
  expect(found.has(999_999)).toBe(false);
});

test('locked posts answer why not', async () => {
  const { db } = site.deps;
  const locked = await makePost(db, { password: 'secret' });
  await makeComment(db, { post: locked.id });
  expect((await load([locked.id])).get(locked.id)).toMatchObject({
    code: 'rest_cannot_read_post',
    status: 401,
  });
  expect((await load([locked.id], stranger, { password: 'secret' })).get(locked.id)).toHaveLength(1);
  expect((await load([locked.id], site.users.editor)).get(locked.id)).toHaveLength(1);
});

test('a post without comments has nothing embedded under replies', async () => {
  const { db } = site.deps;
  const [quiet, loud] = [await makePost(db), await makePost(db)];
  await makeComment(db, { post: loud.id });
  const embedded = async (id: number): Promise<object> =>
    (await site.by('anonymous').get(`/posts/${id}?_embed=replies`)).body._embedded;
  expect(await embedded(quiet.id)).toBeUndefined();
  expect(await embedded(loud.id)).toEqual({ replies: [[expect.objectContaining({ author: 0 })]] });
});
