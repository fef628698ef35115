/** What searches of a large table look at: bounded whatever is left out, and of one table alone. */
import { stranger } from '@sevenfold/chassis/actor';
import { lookingAt } from '@sevenfold/chassis/testing/looked-at';
import { believed } from '@sevenfold/chassis/testing/searched';
import { listMedia } from '../media/list';
import { columnsWithin } from '../media/store';
import { searched as mediaRows } from '../media/testing/searched';
import { type ContentSite, startContent } from '../testing/service';
import { list as listUsers } from '../users/store';
import type { ListQuery } from './args';
import { prepareList } from './list';
import { listPosts } from './run-list';
import { listQuery } from './testing/list-query';

const MANY = 12_000;
/** As many as make the table five times as large as it is. A search looks at 32,000 of them: eight of fifteen. */
const BELIEVED = 60_000;

/** So many are newer than the one that has the word in its title: it is still one of the newest 10,000. */
const OLD = 9_000;

let site: ContentSite;

beforeAll(async () => {
  site = await startContent();
  const { db } = site.deps;
  await db.run(
    `insert into users (username, email, slug, name, password_hash, roles)
     select 'writer-' || n, 'writer-' || n || '@example.org', 'writer-' || n, 'Needle ' || n, '!', '{author}'
       from generate_series(1, $1::int) as n`,
    [MANY],
  );
  await db.run(
    `insert into posts (type, status, slug, author, categories, tags, date_local, date_gmt, modified_local, modified_gmt, title_raw, content_raw, path)
     select 'post', 'publish', 'some-' || n, u.id, '{1}', array[10 + n % 5], moment, moment, moment, moment,
            case n when $1::int then 'Needle' else 'Same title' end,
            case n % 8 when 0 then 'in the haystack a needle' else 'a needle in the haystack' end || ' या', 'some-' || n
       from (select id, row_number() over (order by id) as n from users where username like 'writer-%') as u,
            lateral (select timestamp '2020-01-01' + n * interval '1 minute' as moment) as dates`,
    [MANY - OLD],
  );
  const [first] = await db.rows<{ id: number }>(`select id from posts where slug = 'some-1'`);
  await db.run(`alter table posts alter parent set default ${first?.id}`);
  await db.run(mediaRows.media?.insert as string, [1, MANY, 'Harbour']);
  await db.run('alter table posts alter parent set default 0');
  // A sample is taken by blocks: of a few rows each, so that it is one of all.
  for (const table of ['posts', 'users']) {
    await db.run(`alter table ${table} set (fillfactor = 10)`);
    await db.run(`vacuum full analyze ${table}`);
  }
  await db.run('vacuum analyze media');
  await believed(db, 'posts', 2 * BELIEVED);
  await believed(db, 'users', BELIEVED);
});
afterAll(() => site?.stop());

const query: ListQuery = { ...listQuery, search: 'needle' };

async function search(asked: Partial<ListQuery>) {
  const { db: looking, lookedAt } = lookingAt(site.deps.searches);
  const statements: string[] = [];
  const db: typeof looking = {
    ...looking,
    rows: (text, ...rest) => {
      statements.push(text);
      return looking.rows(text, ...rest);
    },
  };
  const whole = { ...query, ...asked };
  const list = prepareList(stranger, 'post', whole, { timezone: 'UTC', context: 'view' });
  const deps = {
    db: { ...site.deps.db, ...db },
    searches: db,
    lists: db,
    postOutlines: site.deps.postOutlines,
  };
  const { rows, total, more } = await listPosts<{ id: number }>(
    deps,
    stranger,
    { columns: 'p.id' },
    list,
    whole,
  );
  return {
    found: rows.length,
    first: rows[0]?.id,
    ids: rows.map(({ id }) => id),
    total,
    more,
    posts: lookedAt.get('posts') ?? 0,
    statements,
  };
}

test('a far page is found alone, by one sample, and the first pages when they are asked for', async () => {
  site.deps.memory.forget('posts');
  const ordered = { orderby: 'slug', order: 'asc' } as const;
  const far = await search({ ...ordered, page: 200 });
  const having = (statements: readonly string[], part: string): number =>
    statements.filter((text) => text.includes(part)).length;
  const firstOnes = 'limit 200 offset 0';
  expect([far.found, having(far.statements, 'tablesample'), having(far.statements, firstOnes)]).toEqual([
    10, 1, 0,
  ]);
  const near = await search(ordered);
  expect(having(near.statements, firstOnes)).toBeGreaterThan(0);
  const [least, at200] = await Promise.all(
    [0, 1990].map((place) =>
      site.deps.db.first<{ id: number }>(
        `select id from posts where type = 'post' and search_text like '%needle%' order by slug, id limit 1 offset $1`,
        [place],
      ),
    ),
  );
  expect([near.first, far.first]).toEqual([least?.id, at200?.id]);
  // What is known of the first pages serves the far ones.
  site.deps.memory.forget('posts');
  await search(ordered);
  const again = await search({ ...ordered, page: 200 });
  expect([again.first, again.total]).toEqual([far.first, far.total]);
});

test('what leaves every row out is not looked for in all of them', async () => {
  const { found, total, more, posts } = await search({ search: 'needle -haystack' });
  expect([found, total, more]).toEqual([0, 0, true]);
  expect(posts).toBeGreaterThan(0);
  expect(posts).toBeLessThan((MANY * 3) / 4);
});

test('a word of which the index knows next to nothing is not looked for in all rows', async () => {
  const { found, total, more, posts } = await search({ search: 'ट्या' });
  expect([found, total, more]).toEqual([0, 0, true]);
  expect(posts).toBeGreaterThan(0);
  expect(posts).toBeLessThan((MANY * 3) / 4);
});

test('where indexes know that nothing is left it is told that there is no more', async () => {
  const { found, total, more } = await search({ categories_exclude: [1] });
  expect([found, total, more]).toEqual([0, 0, false]);
});

const orders: [orderby: ListQuery['orderby'], sql: string][] = [
  ['date', 'date_gmt, id'],
  ['title', 'title_key, id'],
  ['slug', 'slug, id'],
  ['modified', 'modified_gmt, id'],
  ['id', 'id'],
  ['author', 'author, date_gmt, id'],
];
const kept: [asked: Partial<ListQuery>, sql: string][] = [
  [{}, 'true'],
  [{ tags: [10, 11], tags_exclude: [11] }, 'tags = array[10::bigint]'],
  [{ tags: [12, 13, 14], author_exclude: [7] }, `tags && '{12,13,14}' and author <> 7`],
  [
    { exclude: [2883, 2885, 3001], after: '2020-01-02T00:00:00' },
    `date_gmt > timestamptz '2020-01-02Z' and id not in (2883, 2885, 3001)`,
  ],
  [{ search: 'the "a needle"' }, `search_text like '%a needle%'`],
];
const asked = orders.flatMap(([orderby, sql]) =>
  kept.map(([filters, where]) => ({
    orderby,
    sql,
    filters,
    where,
    name: `${orderby} ${JSON.stringify(filters)}`,
  })),
);

test.each(asked)('the pages of $name are those of a recount', async ({ orderby, sql, filters, where }) => {
  // Each page as if it were the first that is asked for.
  for (const [page, order] of [
    [1, 'asc'],
    [70, 'desc'],
    [150, 'asc'],
  ] as const) {
    site.deps.memory.forget('posts');
    const byKeys = sql.replaceAll(',', ` ${order},`);
    const recount = await site.deps.db.rows<{ id: number }>(
      `select id from (
         select * from posts where type = 'post' and status = 'publish' and search_text like '%needle%' and ${where}
          order by date_gmt desc, id desc limit ${orderby === 'author' ? 10_000 : MANY}) as newest order by ${byKeys} ${order} limit 10 offset $1`,
      [(page - 1) * 10],
    );
    const { ids } = await search({ orderby, order, page, ...filters });
    expect([page, ids]).toEqual([page, recount.map(({ id }) => id)]);
  }
});

test('a page that reaches beyond the window ends with it, asked for the first time and again', async () => {
  site.deps.memory.forget('posts');
  const last = { orderby: 'slug', order: 'asc', per_page: 30, page: 334 } as const;
  const [first, again] = [await search(last), await search(last)];
  expect([first.found, first.total, first.more]).toEqual([10, 10_000, true]);
  expect(again.ids).toEqual(first.ids);
});

test('relevance orders the newest 10,000 matches, however few of them a sample took for so many', async () => {
  const { first } = await search({ orderby: 'relevance' });
  expect(await site.deps.db.first('select title_raw from posts where id = $1', [first])).toEqual({
    title_raw: 'Needle',
  });
});

test('a rare phrase of frequent words is found as often again: another sample would end at another row', async () => {
  const totals: number[] = [];
  for (let n = 0; n < 5; n++) {
    site.deps.memory.forget('posts');
    const { total, more } = await search({ search: '"haystack a needle"' });
    expect(more).toBe(true);
    totals.push(total);
  }
  expect(totals[0]).toBeLessThan(MANY / 8);
  expect(new Set(totals).size).toBe(1);
});

test('rows of files are fetched for the page alone', async () => {
  const { db, lookedAt } = lookingAt(site.deps.searches);
  const deps = { ...site.deps, searches: { ...site.deps.searches, ...db } };
  const asked = {
    ...query,
    search: 'harbour',
    status: 'inherit',
    media_type: undefined,
    mime_type: undefined,
  };
  const { rows, more } = await listMedia(deps, stranger, asked, 'view', columnsWithin(1_000));
  expect([rows.length, more]).toEqual([10, true]);
  expect(lookedAt.get('media')).toBe(10);
});

test('a search of users asks of few of many whether they have published', async () => {
  const { db, lookedAt } = lookingAt(site.deps.searches);
  const ask = (term: string) =>
    listUsers(db, {
      search: term,
      publishedOnly: true,
      orderBy: 'id',
      order: 'asc',
      limit: 10,
      offset: 0,
    });
  const { rows, total, more } = await ask('needle');
  expect([rows.length, total, more]).toEqual([10, 10_000, true]);
  expect(lookedAt.get('posts')).toBeLessThan(MANY / 2);
});

test('of some users of many it is asked one by one whether they have published', async () => {
  const { db, lookedAt } = lookingAt(site.deps.lists);
  const [user] = await db.rows<{ id: number; slug: string }>(
    `select id, slug from users where username = 'writer-7'`,
  );
  const usual = { publishedOnly: true, orderBy: 'id', order: 'asc', limit: 10, offset: 0 } as const;
  for (const few of [{ include: [user?.id ?? 0] }, { slugs: [user?.slug ?? ''] }]) {
    lookedAt.clear();
    const { rows, total } = await listUsers(db, { ...usual, ...few });
    expect([rows.map(({ id }) => id), total]).toEqual([[user?.id], 1]);
    expect(lookedAt.get('posts') ?? 0).toBeLessThan(MANY / 10);
  }
});

test('of long texts fewer are looked at, however many short ones stand beside them', async () => {
  await site.deps.db.run(
    `update posts set content_raw = content_raw || repeat(' hay', 1000) where type = 'post' and date_gmt > timestamptz '2020-01-01Z' + $1::int * interval '1 minute'`,
    [MANY - 4_000],
  );
  const { found, more, posts } = await search({ search: 'haystack -needle' });
  expect([found, more]).toEqual([0, true]);
  expect(posts).toBeGreaterThan(0);
  expect(posts).toBeLessThan(MANY / 4);
});

test('what hangs on unpublished posts is found by these, however many files hang on one post', async () => {
  const { db, lookedAt } = lookingAt(site.deps.lists);
  const deps = { ...site.deps, lists: { ...site.deps.lists, ...db } };
  const asked = { ...listQuery, status: 'inherit', media_type: undefined, mime_type: undefined };
  const { rows, total } = await listMedia(deps, stranger, asked, 'view', columnsWithin(1_000));
  expect([rows.length, total]).toEqual([10, MANY]);
  // Once at everything, for what is not published; not at the files besides.
  expect(lookedAt.get('posts')).toBeLessThan(2.5 * MANY);
});
