/** Searches are bounded: totals, pages, relevance, short words, and what a sample says of a large table. */
import { believed } from '@sevenfold/chassis/testing/searched';
import { makePost } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
let rare: { id: number };

// One more than a search counts.
const MANY = 10_001;

beforeAll(async () => {
  site = await startContent();
  const { db } = site.deps;
  await db.run(
    `insert into posts (type, status, slug, date_local, date_gmt, modified_local, modified_gmt, title_raw, title_html, content_raw, path)
     select 'post', 'publish', 'many-' || n, moment, moment, moment, moment,
            case when n <= 5 then 'Needle first' else 'Post' end, 'x', 'a needle in the haystack', 'many-' || n
       from (select n, timestamp '2020-01-01' + n * interval '1 minute' as moment from generate_series(1, $1::int) as n) as rows`,
    [MANY],
  );
  rare = await makePost(db, { title_raw: 'Qu’est-ce Xylophone', content_raw: 'needle, haystack in a' });
  await db.run('analyze posts');
});
afterAll(() => site.stop());

const get = (query: string) => site.by('anonymous').get(`/posts?${query}`);
const totals = (answer: { headers: Headers }) => [
  answer.headers.get('x-total'),
  answer.headers.get('x-total-relation'),
];

test('a total is exact up to 10,000 rows, and says when there are more', async () => {
  expect(totals(await get('search=needle'))).toEqual(['10000', 'gte']);
  expect(totals(await get('search=needle+-xylophone'))).toEqual(['10000', 'gte']);
  expect(totals(await get(`search=needle&before=2020-01-01T05:00:00`))).toEqual(['599', null]);
  expect(totals(await get('search=xylophone'))).toEqual(['1', null]);
  expect(totals(await get('per_page=1'))).toEqual([String(MANY + 1), null]);
});

test('the last page of the window is there, the one behind it is 400', async () => {
  const last = await get('search=needle&per_page=100&page=100');
  expect([last.status, last.body.length]).toEqual([200, 100]);
  const newest = (await get('search=needle&per_page=100&page=99')).body;
  expect(newest.at(-1).date > last.body[0].date).toBe(true);
  for (const query of ['per_page=100&page=101', 'offset=10000', 'per_page=1&page=999999', 'page=1001'])
    expect(await get(`search=needle&${query}`)).toMatchObject({
      status: 400,
      body: {
        code: 'rest_search_window',
        message: expect.stringContaining('10000'),
        data: { window: 10_000 },
      },
    });
  // What is no search has no window.
  expect((await get('per_page=1&page=10002')).status).toBe(200);
});

test('relevance orders the newest matches only', async () => {
  const { body } = await get('search=needle&orderby=relevance&_fields=title,slug');
  // The five oldest have the word in their title; the two oldest of all are not among the newest 10,000.
  expect(body.slice(0, 4).map(({ slug }: { slug: string }) => slug)).toEqual([
    'many-5',
    'many-4',
    'many-3',
    expect.not.stringMatching(/^many-[12]$/),
  ]);
});

test('words of one or two letters match the beginnings of words in titles only', async () => {
  const found = async (text: string) =>
    (await get(`search=${encodeURIComponent(text)}&_fields=id`)).body.map(({ id }: { id: number }) => id);
  for (const text of ['x', 'XY', 'qu', 'ce xy', '"es"', 'x needle'])
    expect(await found(text)).toEqual([rare.id]);
  for (const text of ['yl', 'ha', 'x ha', '_', '%%%']) expect(await found(text)).toEqual([]);
  expect(await found('xylophone -x')).toEqual([]);
  expect(totals(await get('search=po'))).toEqual(['9996', null]);
});

test('stop words are dropped unless nothing else is left; commas and plus signs are spaces', async () => {
  expect(totals(await get('search=the+xylophone+of'))).toEqual(['1', null]);
  expect(totals(await get('search=needle,xylophone'))).toEqual(['1', null]);
  expect(totals(await get('search=needle%2Bxylophone'))).toEqual(['1', null]);
  expect(totals(await get('search=the'))).toEqual(['10000', 'gte']);
});

test('signs that stand by themselves are no words, unless there is nothing else', async () => {
  const found = async (search: string, more = {}) => {
    const query = new URLSearchParams({ search, _fields: 'id', ...more });
    return (await get(query.toString())).body.map(({ id }: { id: number }) => id);
  };
  for (const title of ['Salt & Pepper market', 'Ping – Pong', 'Alpha / Beta talk', '♥ Valentine ball']) {
    const { id } = await makePost(site.deps.db, { title_raw: title });
    expect([title, await found(title)]).toEqual([title, [id]]);
    expect([title, await found(title, { orderby: 'relevance' })]).toEqual([title, [id]]);
  }
  expect(await found('Salt & -Pepper')).toEqual([]);
  for (const text of ['&', '& / @', 'salt "&"']) expect([text, await found(text)]).toEqual([text, []]);
});

describe('of a large table', () => {
  // The least that does, of the rows that are there: a sample is a share of what is believed. It is taken by blocks, of which few rows
  // have few, and would now and then hold next to none: here each has a row or three.
  beforeAll(async () => {
    await site.deps.db.run('alter table posts set (fillfactor = 10)');
    await site.deps.db.run('vacuum full posts');
    await believed(site.deps.db, 'posts', 50_000);
  });
  beforeEach(() => site.deps.memory.forget('posts'));

  test('frequent words are not counted, and pages are whole all the same', async () => {
    const answer = await get('search=needle&per_page=100&_fields=id');
    expect([totals(answer), answer.body.length]).toEqual([['10000', 'gte'], 100]);
    expect(answer.body[0].id).toBeGreaterThan(answer.body[1].id);
    for (const order of ['orderby=date&order=asc', 'orderby=title', 'orderby=author', 'orderby=relevance'])
      for (const page of [1, 50, 100]) {
        const { status, body } = await get(`search=needle&per_page=100&page=${page}&_fields=id&${order}`);
        expect([status, body.length]).toEqual([200, 100]);
      }
  });

  test('a rare phrase of frequent words is looked for among the newest rows, and says so', async () => {
    const answer = await get('search=%22haystack+in+a%22&_fields=id');
    expect(totals(answer)).toEqual(['1', 'gte']);
    expect(answer.body).toEqual([{ id: rare.id }]);
    expect(totals(await get('search=needle+-needle'))).toEqual(['0', 'gte']);
  });

  test('rare words are counted', async () => {
    expect(totals(await get('search=xylophone'))).toEqual(['1', null]);
  });
});
