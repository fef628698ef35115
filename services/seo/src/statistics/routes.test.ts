import type { TestService } from '@sevenfold/chassis/testing/service';
import type { Deps } from '../deps';
import { put } from '../testing/indexables';
import { administrator, author, contributor, editor, startSeo, subscriber } from '../testing/service';
import { READ, fold } from './store';

let site: TestService<Deps>;
beforeAll(async () => {
  site = await startSeo();
});
afterAll(() => site.stop());
beforeEach(() => site.deps.db.run('delete from indexables'));

type Score = { seo_rank: string; label: string; count: number; link: string };
const counts = async (actor = administrator): Promise<Record<string, number>> => {
  const { body } = await site.as(actor).get('/statistics');
  return Object.fromEntries((body.seo_scores as Score[]).map(({ seo_rank, count }) => [seo_rank, count]));
};
/** The same by reading all. */
const recount = async (): Promise<Record<string, number>> => {
  const rows = await site.deps.db.rows<{ rank: string; posts: number }>(
    `select seo_rank as rank, count(*) as posts from indexables
     where object_subtype = 'post' and status = 'publish' group by seo_rank`,
  );
  return Object.fromEntries(rows.map(({ rank, posts }) => [rank, posts]));
};

const some = [
  { id: 1, score: 100 },
  { id: 2, score: 71 },
  { id: 3, score: 70 },
  { id: 4, score: 41 },
  { id: 5, score: 40 },
  { id: 6, score: 0 },
  { id: 7, score: null },
  { id: 8, keyword: '', score: 90 },
  { id: 9, noindex: true, score: 90 },
  { id: 10, author: 2, score: 90 },
  { id: 11, author: 4, score: 90 },
  { id: 12, author: 0, score: 90 },
];

describe('GET /statistics', () => {
  test('answers a heading alone where there are no posts', async () => {
    const { status, body } = await site.as(administrator).get('/statistics');
    expect([status, body]).toEqual([200, { header: expect.any(String), seo_scores: [] }]);
  });

  test('counts published posts by rank, the best first, and leaves out ranks that no post has', async () => {
    await put(site.deps.db, [...some.filter(({ id }) => id !== 9), { id: 20, status: 'draft', score: 90 }]);
    await put(site.deps.db, [
      { id: 21, subtype: 'page', score: 90 },
      { id: 1, type: 'term', subtype: 'category', score: 90 },
    ]);
    const { body } = await site.as(administrator).get('/statistics');
    const row = (rank: string, count: number): Score => ({
      seo_rank: rank,
      label: expect.any(String) as never,
      count,
      link: `http://site.test/console/posts?post_status=publish&#038;post_type=post&#038;seo_filter=${rank}`,
    });
    expect(body).toEqual({
      header: expect.any(String),
      seo_scores: [row('good', 5), row('ok', 2), row('bad', 2), row('na', 2)],
    });
  });

  test.each([
    ['an administrator', administrator, { good: 5, ok: 2, bad: 2, na: 2, noindex: 1 }],
    ['an editor', editor, { good: 5, ok: 2, bad: 2, na: 2, noindex: 1 }],
    ['an author', author, { good: 2, ok: 2, bad: 2, na: 2, noindex: 1 }],
    // He may not edit what of his was published.
    ['a contributor', contributor, {}],
    ['a subscriber', subscriber, {}],
  ])('%s sees the posts that he may edit', async (_who, actor, expected) => {
    await put(site.deps.db, some);
    expect(await counts(actor)).toEqual(expected);
  });

  test('strangers are refused', async () => {
    const { status, body } = await site.as().get('/statistics');
    expect([status, body.code]).toEqual([401, 'rest_forbidden']);
  });
});

describe('the roll-up', () => {
  test('is what a recount gives after any changes, folded or not', async () => {
    const { db } = site.deps;
    let seed = 7;
    const dice = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most;
    for (let round = 0; round < 60; round++) {
      const rows = new Map(
        Array.from({ length: 1 + dice(8) }, () => {
          const id = 1 + dice(40);
          return [
            id,
            {
              id,
              author: dice(4),
              score: dice(101),
              noindex: dice(4) === 0,
              status: ['publish', 'draft', 'trash', 'gone'][dice(4)],
            },
          ];
        }),
      );
      await put(db, [...rows.values()]);
      if (dice(5) === 0) await db.run('delete from indexables where object_id = any ($1)', [[1 + dice(40)]]);
      if (dice(4) === 0) await fold(db, 1_000);
    }
    expect(await counts()).toEqual(await recount());
    await fold(db, 1_000);
    expect(await counts()).toEqual(await recount());
    const { rows } = (await db.first<{ rows: number }>(
      'select max(n) as rows from (select count(*) as n from rank_counts group by author, seo_rank) as kinds',
    )) as { rows: number };
    expect(rows).toBe(1);
  });

  test('grows by nothing where a batch changes no rank', async () => {
    const { db } = site.deps;
    await put(db, some);
    const size = async (): Promise<unknown> => db.first('select count(*) from rank_counts');
    const before = await size();
    await db.run('update indexables set incoming_link_count = incoming_link_count + 1');
    expect(await size()).toEqual(before);
  });

  test('is read by one look into one index', async () => {
    const { db } = site.deps;
    await db.run(`insert into rank_counts select n, 'na', 1 from generate_series(1, 20000) as n`);
    await db.run('vacuum analyze rank_counts');
    const plan = JSON.stringify(await db.rows(`explain (format json) ${READ.replace('$1', '77')}`));
    expect(plan).toContain('"Index Name":"rank_counts_author"');
    expect(plan).not.toContain('Seq Scan');
    await db.run('delete from rank_counts');
  });
});
