/** What changes of terms do to the posts that carry them, and to the counts. */
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { makePost, makeTerm } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import * as store from './store';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());
beforeEach(async () => {
  await site.deps.db.run('delete from terms where id <> 1');
  await site.deps.db.run('update terms set own_count = 0');
  await site.deps.db.run('delete from posts');
});

const term = (name: string, fields: object = {}) =>
  makeTerm(site.deps.db, { name, slug: name.toLowerCase(), ...fields });
const tag = (name: string) => term(name, { taxonomy: 'post_tag' });
const carried = async (id: number) =>
  (await site.deps.db.first<{ categories: number[]; tags: number[] }>(
    'select categories, tags from posts where id = $1',
    [id],
  )) as {
    categories: number[];
    tags: number[];
  };
const ownCount = async (id: number) =>
  (await site.deps.db.first<{ n: number }>('select own_count as n from terms where id = $1', [id]))?.n;

describe('a new name', () => {
  test('puts the lists of posts in order again', async () => {
    const [a, b, c] = [await term('a'), await term('B'), await term('c')];
    const [t, u] = [await tag('t'), await tag('u')];
    const both = await makePost(site.deps.db, { categories: [a.id, b.id, c.id], tags: [t.id, u.id] });
    const other = await makePost(site.deps.db, { categories: [b.id, c.id] });
    await site.by('editor').put(`/categories/${a.id}`, { name: 'Bb' });
    await site.by('editor').put(`/tags/${u.id}`, { name: 'A' });
    expect(await carried(both.id)).toEqual({ categories: [b.id, a.id, c.id], tags: [u.id, t.id] });
    expect(await carried(other.id)).toEqual({ categories: [b.id, c.id], tags: [] });
  });
});

describe('a deletion', () => {
  test('gives posts without another category the default one, and counts them there', async () => {
    const [gone, kept] = [await term('gone'), await term('kept')];
    const only = await makePost(site.deps.db, { categories: [gone.id] });
    const draft = await makePost(site.deps.db, { categories: [gone.id], status: 'draft' });
    const both = await makePost(site.deps.db, { categories: [gone.id, kept.id] });
    expect((await site.by('editor').delete(`/categories/${gone.id}?force=1`)).status).toBe(200);
    expect((await carried(only.id)).categories).toEqual([1]);
    expect((await carried(draft.id)).categories).toEqual([1]);
    expect((await carried(both.id)).categories).toEqual([kept.id]);
    expect(await ownCount(1)).toBe(1);
  });

  test('takes a tag off its posts', async () => {
    const [t, u] = [await tag('t'), await tag('u')];
    const post = await makePost(site.deps.db, { tags: [t.id, u.id] });
    const single = await makePost(site.deps.db, { tags: [t.id] });
    await site.by('editor').delete(`/tags/${t.id}?force=1`);
    expect((await carried(post.id)).tags).toEqual([u.id]);
    expect((await carried(single.id)).tags).toEqual([]);
  });

  test('leaves posts bare when the default category is not there', async () => {
    const gone = await term('gone');
    const post = await makePost(site.deps.db, { categories: [gone.id] });
    await site.by('administrator').post('/settings', { default_category: 424242 });
    await site.by('editor').delete(`/categories/${gone.id}?force=1`);
    await site.by('administrator').post('/settings', { default_category: null });
    expect((await carried(post.id)).categories).toEqual([]);
  });

  test('reaches a post that is being written at the same moment', async () => {
    const gone = await term('gone');
    let deleting: Promise<unknown> = Promise.resolve();
    let postId = 0;
    await site.deps.db.transaction(async (tx) => {
      const categories = await store.existingInNameOrder(tx, 'category', [gone.id]);
      deleting = site.by('editor').delete(`/categories/${gone.id}?force=1`);
      // Long enough for the deletion to be at the term, where it has to wait for us.
      await untilLocked(site.deps.db);
      postId = (await makePost(tx, { categories })).id;
    });
    await deleting;
    expect((await carried(postId)).categories).toEqual([1]);
  });
});

describe('existingInNameOrder', () => {
  test('answers terms of the taxonomy, once each, ordered by name', async () => {
    const [b, a, t] = [await term('b'), await term('A'), await tag('t')];
    expect(
      await store.existingInNameOrder(site.deps.db, 'category', [b.id, 424242, t.id, a.id, b.id]),
    ).toEqual([a.id, b.id]);
    expect(await store.existingInNameOrder(site.deps.db, 'category', [])).toEqual([]);
  });
});

describe('adjustOwnCounts', () => {
  test('adds and takes, never below zero', async () => {
    const [a, b, c] = [await term('a'), await term('b'), await term('c')];
    await store.adjustOwnCounts(
      site.deps.db,
      new Map([
        [a.id, 3],
        [b.id, -1],
        [c.id, 0],
        [424242, 1],
      ]),
    );
    await store.adjustOwnCounts(site.deps.db, new Map([[a.id, -1]]));
    expect([await ownCount(a.id), await ownCount(b.id), await ownCount(c.id)]).toEqual([2, 0, 0]);
  });

  test('parallel writers in opposite orders all get through', async () => {
    const [a, b] = [await term('a'), await term('b')];
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => {
        const deltas = [
          [a.id, 1],
          [b.id, 1],
        ] as [number, number][];
        return site.deps.db.transaction((tx) =>
          store.adjustOwnCounts(tx, new Map(n % 2 ? deltas : deltas.reverse())),
        );
      }),
    );
    expect([await ownCount(a.id), await ownCount(b.id)]).toEqual([40, 40]);
  });
});
