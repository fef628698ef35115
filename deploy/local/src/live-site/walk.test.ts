/** Lists that change while their pages are read. */
import { collectionOf, collections } from './collections';
import { findInterface } from './root';
import { type Given, askerOf, startStrange } from './testing';
import { type Page, walk } from './walk';

const posts = collections.find(({ one }) => one === 'post');

async function read(answer: (page: number, size: number) => Given) {
  const site = await startStrange((at, query) =>
    at === '/wp-json/'
      ? { body: { namespaces: ['wp/v2'], routes: {}, home: 'https://old.example' } }
      : at.endsWith('/posts')
        ? answer(Number(query.get('page')), Number(query.get('per_page')))
        : undefined,
  );
  const ask = askerOf(site.url);
  try {
    const face = await findInterface(ask, site.url);
    const skipped: string[] = [];
    const pages: Page[] = [];
    const walker = { ask, face, skip: (reason: string) => void skipped.push(reason) };
    for await (const page of walk(walker, collectionOf(posts!, face, {}))) pages.push(page);
    const ids = pages.flatMap(({ items }) => items.map(({ id }) => Number(id)));
    return { ids, skipped, asked: site.asked.length };
  } finally {
    await ask.close();
    await site.stop();
  }
}

describe('a collection that loses rows while it is read', () => {
  /** A list that changes before a page is answered. */
  const changing = (count: number, change: (ids: number[], asked: number) => number[]) => {
    let ids = Array.from({ length: count }, (_, n) => n + 1);
    let asked = 0;
    return read((page, size) => {
      if (size > 1) ids = change(ids, ++asked);
      const body = ids.slice((page - 1) * size, page * size).map((id) => ({ id }));
      const headers = {
        'x-wp-total': String(ids.length),
        'x-wp-totalpages': String(Math.ceil(ids.length / size)),
      };
      return page > 1 && body.length === 0
        ? { status: 400, body: { code: 'rest_post_invalid_page_number' } }
        : { headers, body };
    });
  };
  const without = (from: number, to: number, at: number) => (ids: number[], asked: number) =>
    asked === at ? ids.filter((id) => id < from || id > to) : ids;
  const to = (last: number): number[] => Array.from({ length: last }, (_, n) => n + 1);

  test.each([
    ['one of a page that was read', 250, without(3, 3, 2)],
    ['one that comes later', 250, without(203, 203, 2)],
    ['many, of pages that were read', 550, without(1, 230, 4)],
    ['so that the next page is none', 101, without(3, 3, 2)],
    ['so that pages from there on are none', 550, without(1, 300, 6)],
  ])('all others are given, once: %s', async (_what, count, change) => {
    const { ids, skipped } = await changing(count, change);
    const gone = to(count).filter((id) => !ids.includes(id));
    expect(gone.filter((id) => id !== 203)).toEqual([]);
    expect([ids.length, skipped]).toEqual([count - gone.length, []]);
  });

  test('again and again, it ends, and says so', async () => {
    const { ids, skipped, asked } = await changing(1_000, (all) => all.slice(1));
    expect(skipped[0]).toMatch(/lost rows again and again/);
    expect(new Set(ids).size).toBe(ids.length);
    expect(asked).toBeLessThan(100);
  });
});
