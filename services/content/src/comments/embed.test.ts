/** The lists of comments that posts embed, asked of the loader itself, as a route of posts does. */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import type { ContentCall } from '../deps';
import * as media from '../media/store';
import { makeMedia } from '../media/testing/factories';
import * as posts from '../posts/store';
import { makeComment, makePost } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { embedComments } from './embed';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

const load = (keys: number[], actor: Actor = stranger, args: Record<string, unknown> = {}) =>
  embedComments(
    {
      deps: site.deps,
      actor,
      args,
      root: site.deps.root,
      subject: { id: keys[0] },
    } as unknown as ContentCall,
    keys,
  );

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

test('long ones are as many as fit beside each other, the newest at least', async () => {
  const { db } = site.deps;
  const { id } = await makePost(db);
  const above = await makeComment(db, { post: id, date_gmt: '2024-03-09 00:00:00Z' });
  const long = {
    post: id,
    parent: above.id,
    content_html: 'x'.repeat(60_000),
    content_raw: 'x'.repeat(60_000),
  };
  const ids: number[] = [];
  for (let day = 10; day < 16; day++)
    ids.unshift((await makeComment(db, { ...long, date_gmt: `2024-03-${day} 00:00:00Z` })).id);
  expect((await load([id])).get(id)).toMatchObject([{ id: ids[0] }]);
  await db.run(`update comments set content_html = repeat('x', 300000) where id = $1`, [ids[0]]);
  expect((await load([id])).get(id)).toMatchObject([{ id: ids[0] }]);
  const { body } = await site.by('anonymous').get(`/comments/${above.id}?_embed=children`);
  expect(body._embedded.children[0]).toMatchObject([{ id: ids[0] }]);
  await db.run(`update comments set content_html = 'x' where post = $1`, [id]);
  expect((await load([id])).get(id)).toHaveLength(3);
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
  // It is for the one that was asked for.
  const beside = await load([(await makePost(db)).id, locked.id], stranger, { password: 'secret' });
  expect(beside.get(locked.id)).toMatchObject({ code: 'rest_cannot_read_post' });
});

test('what posts and files say at length is not read where it is not shown', async () => {
  const { db } = site.deps;
  const { id } = await makePost(db, { content_html: 'Long' });
  const file = await makeMedia(db, { content_raw: 'Long', content_html: 'Long', title_raw: 'Long' });
  expect(await posts.findEmbedded(db, [id])).toEqual([expect.objectContaining({ id, contentHtml: '' })]);
  expect(await media.findEmbedded(db, [file.id])).toEqual([
    expect.objectContaining({ id: file.id, contentHtml: '', contentRaw: '', titleRaw: '' }),
  ]);
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
