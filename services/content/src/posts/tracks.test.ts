/** Long lists of posts, counted and passed by in indexes alone: totals and pages are those of a recount over the rows. */
import { stranger } from '@sevenfold/chassis/actor';
import { orderText } from '@sevenfold/chassis/db/selection';
import { withUsed } from '@sevenfold/chassis/db/sql';
import type { Track } from '@sevenfold/chassis/db/track';
import { lookingAt } from '@sevenfold/chassis/testing/looked-at';
import { type ContentSite, startContent } from '../testing/service';
import type { ListQuery } from './args';
import { prepareList } from './list';
import { listQuery } from './testing/list-query';

interface Row {
  readonly id: number;
  readonly title: string;
  readonly date: string;
  readonly modified: string;
  readonly slug: string;
  readonly author: number;
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  readonly sticky: boolean;
}

// More than what is found and sorted at once.
const ROWS = 25_000;
const MANY_TAGS = Array.from({ length: 500 }, (_, index) => 500 + index);

let site: ContentSite;
let rows: readonly Row[];

beforeAll(async () => {
  site = await startContent();
  const { db } = site.deps;
  await db.run('delete from posts');
  // Category 1 and tag 101 stand nearly everywhere, 2 at the oldest, 3 at the newest, 4 at every fifth; titles go round.
  await db.run(
    `insert into posts (type, status, slug, author, categories, tags, sticky, title_raw, date_local, date_gmt, modified_local, modified_gmt)
     select case when n % 1000 = 1 then 'page' else 'post' end, case when n % 500 = 2 then 'draft' else 'publish' end, 'some-' || n,
            case when n % 50 = 0 then 2 else 1 end,
            array_remove(array[case when n % 40 > 0 then 1 end, case when n < 23000 then 2 end, case when n > 2500 then 3 end,
                               case when n % 5 = 0 then 4 end], null)::bigint[],
            array_remove(array[case when n % 30 > 0 then 101 end, 500 + n % 2000], null)::bigint[],
            n % 3000 = 0, 'Some ' || n * 7919 % 25000, moment, moment at time zone 'UTC', edited, edited at time zone 'UTC'
       from generate_series(1, $1::integer) as n,
            lateral (select timestamp '2020-01-01' + n / 2 * interval '1 hour' as moment,
                                  timestamp '2026-01-01' + n * 331 % 24989 * interval '1 minute' as edited) as t`,
    [ROWS],
  );
  // Maps of what many name; what changes then is only noted.
  await db.run('select fold_links(null)');
  await db.run('select map_links(1000)');
  await db.run(
    `update posts set categories = case when id % 2 = 0 then '{4}' else categories || 4::bigint end, tags = '{101,600}' where id % 97 = 0`,
  );
  await db.run(
    `update posts set status = case status when 'draft' then 'publish' else 'draft' end where id % 211 = 0`,
  );
  await db.run('delete from posts where id % 307 = 0');
  await db.run('vacuum analyze posts');
  await db.run('vacuum analyze post_categories');
  await db.run('vacuum analyze post_tags');
  rows = await db.rows<Row>(
    `select id, title_key as title, date_gmt::text as date, modified_gmt::text as modified, slug, author, categories, tags, sticky from posts
      where type = 'post' and status = 'publish'`,
  );
  site.deps.memory.forget('posts');
});
afterAll(() => site?.stop());

const has = (list: readonly number[], ...ids: number[]): boolean => ids.some((id) => list.includes(id));
const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);
const orders: Record<string, (a: Row, b: Row) => number> = {
  date: (a, b) => compare(a.date, b.date) || a.id - b.id,
  title: (a, b) => compare(a.title, b.title) || a.id - b.id,
  id: (a, b) => a.id - b.id,
  slug: (a, b) => compare(a.slug, b.slug) || a.id - b.id,
  modified: (a, b) => compare(a.modified, b.modified) || a.id - b.id,
};

const cases: [query: string, keeps: (row: Row) => boolean][] = [
  ['categories=1', (row) => has(row.categories, 1)],
  ['categories=2', (row) => has(row.categories, 2)],
  ['categories=1,2', (row) => has(row.categories, 1, 2)],
  ['categories=2,2,4', (row) => has(row.categories, 2, 4)],
  ['categories=1&tags=101', (row) => has(row.categories, 1) && has(row.tags, 101)],
  ['categories=1,3&tags=101', (row) => has(row.categories, 1, 3) && has(row.tags, 101)],
  ['categories=101', () => false],
  ['tags=101&author=1', (row) => has(row.tags, 101) && row.author === 1],
  ['tags=101&author=2', (row) => has(row.tags, 101) && row.author === 2],
  [
    'categories=1&after=2020-01-03T00:00:00Z&before=2021-05-20T00:00:00Z',
    (row) => has(row.categories, 1) && row.date > '2020-01-03 00:00:00+00' && row.date < '2021-05-20',
  ],
  ['categories=1&sticky=false', (row) => has(row.categories, 1) && !row.sticky],
  ['categories=1&tags_exclude=600', (row) => has(row.categories, 1) && !has(row.tags, 600)],
  ['categories_exclude=3', (row) => !has(row.categories, 3)],
  ['categories_exclude=4', (row) => !has(row.categories, 4)],
  ['categories_exclude=2,4&sticky=false', (row) => !has(row.categories, 2, 4) && !row.sticky],
  [`tags_exclude=${MANY_TAGS.join()}`, (row) => !has(row.tags, ...MANY_TAGS)],
  ['author=1&tags_exclude=101', (row) => row.author === 1 && !has(row.tags, 101)],
  ['author=1', (row) => row.author === 1],
  ['author=2,1', () => true],
  ['author_exclude=1', (row) => row.author !== 1],
  ['author_exclude=2,7', (row) => row.author !== 2],
  ['author_exclude=0,1,2', () => false],
  ['author_exclude=2&sticky=false', (row) => row.author !== 2 && !row.sticky],
  ['author_exclude=2&author=1,2', (row) => row.author === 1],
  [
    'author_exclude=2&after=2020-01-03T00:00:00Z',
    (row) => row.author !== 2 && row.date > '2020-01-03 00:00:00+00',
  ],
  ['categories=1&author_exclude=2', (row) => has(row.categories, 1) && row.author !== 2],
  ['categories=1,2&author_exclude=1', (row) => has(row.categories, 1, 2) && row.author !== 1],
  ['after=2020-01-03T00:00:00Z', (row) => row.date > '2020-01-03 00:00:00+00'],
  ['author=1&before=2021-05-20T00:00:00Z', (row) => row.author === 1 && row.date < '2021-05-20'],
  ['tags=500,501', (row) => has(row.tags, 500, 501)],
  [`tags=101,${MANY_TAGS.slice(0, 30).join()}`, (row) => has(row.tags, 101, ...MANY_TAGS.slice(0, 30))],
];

const SIZE = 7;

describe.each(Object.keys(orders))('by %s', (orderby) => {
  test.each(cases)('%s', async (query, keeps) => {
    const kept = rows.filter(keeps).sort(orders[orderby]);
    for (const order of ['asc', 'desc']) {
      const ids = kept.map(({ id }) => id);
      if (order === 'desc') ids.reverse();
      const pages = Math.ceil(ids.length / SIZE);
      for (const page of new Set(
        [1, Math.ceil(pages / 3), pages - 1, pages].filter((n) => n > 0 || pages === 0),
      )) {
        const path = `/posts?${query}&orderby=${orderby}&order=${order}&page=${Math.max(page, 1)}&per_page=${SIZE}&_fields=id`;
        const { status, headers, body } = await site.by('anonymous').get(path);
        expect([status, Number(headers.get('x-total'))]).toEqual([200, ids.length]);
        const from = (Math.max(page, 1) - 1) * SIZE;
        expect((body as { id: number }[]).map(({ id }) => id)).toEqual(ids.slice(from, from + SIZE));
      }
    }
  });
});

/** The plan of a statement, of indexes where these can bring the rows. */
const planOf = (text: string, values: readonly unknown[]): Promise<string> =>
  site.deps.db.transaction(async (tx) => {
    for (const way of ['seqscan', 'bitmapscan']) await tx.run(`set local enable_${way} = off`);
    const used = withUsed(`explain (costs off) ${text}`, values);
    const lines = await tx.rows<Record<string, string>>(used.text, used.values, { planFor: 'values' });
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  });

test.each<[what: string, asked: Partial<ListQuery>]>([
  ['a category', { categories: [1] }],
  ['a tag of an author', { tags: [101], author: [1] }],
  ['some categories with a tag', { categories: [1, 4], tags: [101] }],
  ['a category by title', { categories: [1], orderby: 'title' }],
  ['a category by id', { categories: [1], orderby: 'id' }],
  ['a category by modification', { categories: [1], orderby: 'modified' }],
  ['a category by slug', { categories: [1], orderby: 'slug' }],
  ['what is left by a category', { categories_exclude: [4] }],
  ['some authors by slug', { author: [1, 2], orderby: 'slug' }],
  ['an author since a day by title', { author: [1], after: '2020-01-03T00:00:00', orderby: 'title' }],
  ['what others wrote', { author_exclude: [2], orderby: 'modified' }],
  ['what others wrote by author', { author_exclude: [2], orderby: 'author' }],
  ['what is left by many tags', { tags_exclude: MANY_TAGS, orderby: 'title' }],
])('no row is fetched to count or to pass by %s', async (_what, asked) => {
  const list = prepareList(
    stranger,
    'post',
    { ...listQuery, ...asked },
    { timezone: 'UTC', context: 'view' },
  );
  const { from, id, order, total = `(select count(*) ${from})` } = list.track as Track;
  const { values } = list.conditions;
  const plans = [
    await planOf(`select (${total})`, values),
    await planOf(`select ${id} ${from} order by ${orderText(order)} offset 12000 limit 10`, values),
  ];
  for (const plan of plans) {
    // By their ids rows are only found that were noted.
    expect(plan).toContain('Index Only Scan');
    expect(plan).not.toMatch(
      /Seq Scan on post|Bitmap Heap|Index Scan using (?!posts_pkey)(posts|post_tags|post_categories)_/,
    );
  }
});

test('links to what has a map are not read, neither to be counted nor for a page', async () => {
  const list = prepareList(
    stranger,
    'post',
    { ...listQuery, categories: [1, 2, 3, 4] },
    { timezone: 'UTC', context: 'view' },
  );
  const { from, id, order, total } = list.track as Track;
  for (const text of [
    `select ${total} as n`,
    `select ${id} as id ${from} order by ${orderText(order)} offset 12000 limit 10`,
  ]) {
    const { db, lookedAt } = lookingAt(site.deps.db);
    const used = withUsed(text, list.conditions.values);
    expect((await db.rows(used.text, used.values)).length).toBeGreaterThan(0);
    expect(lookedAt.get('post_categories') ?? 0).toBe(0);
  }
});
