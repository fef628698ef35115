/** Totals of lists that leave something out, which are counted by difference: what a recount over the rows says. */
import { type ContentSite, startContent } from '../testing/service';

type Role = Parameters<ContentSite['by']>[0];

interface Row {
  readonly id: number;
  readonly type: string;
  readonly status: string;
  readonly author: number;
  readonly parent: number;
  readonly categories: number[];
  readonly tags: number[];
  readonly sticky: boolean;
}

const ROWS = 400;
const STATUSES = ['publish', 'publish', 'publish', 'future', 'draft', 'pending', 'private', 'trash'];
const LONG_LIST = Array.from({ length: 1_000 }, (_, index) => index + 3).join(',');

let site: ContentSite;
let rows: Row[];

beforeAll(async () => {
  site = await startContent();
  const { db } = site.deps;
  await db.run('delete from posts');
  await db.run(
    `insert into posts (type, status, slug, author, parent, categories, tags, sticky, title_raw,
                        date_local, date_gmt, modified_local, modified_gmt)
     select case when n % 4 = 0 then 'page' else 'post' end, ($2::text[])[1 + n * 7 % 8], 'some-' || n, 1 + n % 5,
            case when n % 4 = 0 then n % 3 else 0 end,
            case when n % 4 = 0 then '{}' else array[1 + n % 6, 11 + n % 2]::bigint[] end,
            case when n % 4 = 0 or n % 9 = 0 then '{}' else array[1 + n % 3, 5 + n % 13]::bigint[] end,
            n % 4 > 0 and n % 7 = 0, 'Some ' || n, timestamp '2024-01-01' + n * interval '1 hour',
            timestamptz '2024-01-01Z' + n * interval '1 hour', now(), now()
       from generate_series(1, $1::integer) as n`,
    [ROWS, STATUSES],
  );
  rows = await db.rows<Row>(
    'select id, type, status, author, parent, categories, tags, sticky from posts order by date_gmt desc, id desc',
  );
  site.deps.memory.forget('posts');
});
afterAll(() => site.stop());

const has = (list: readonly number[], ...ids: number[]): boolean => ids.some((id) => list.includes(id));
const isLong = (id: number): boolean => id >= 3 && id < 1_003;

const cases: [base: string, asked: string, keeps: (row: Row) => boolean][] = [
  ['posts', 'categories_exclude=2', (row) => !has(row.categories, 2)],
  ['posts', 'categories_exclude=2,12,999', (row) => !has(row.categories, 2, 12)],
  ['posts', 'categories_exclude=11,12', () => false],
  ['posts', 'tags_exclude=7', (row) => !has(row.tags, 7)],
  ['posts', 'tags_exclude=many', (row) => !row.tags.some(isLong)],
  ['posts', 'sticky=false', (row) => !row.sticky],
  ['posts', 'author_exclude=1', (row) => row.author !== 1],
  ['posts', 'author_exclude=1,3', (row) => row.author !== 1 && row.author !== 3],
  ['pages', 'parent_exclude=0', (row) => row.parent !== 0],
  ['pages', 'parent_exclude=1,2', (row) => row.parent === 0],
  [
    'posts',
    'sticky=false&author_exclude=2&tags_exclude=1,6&categories_exclude=3',
    (row) => !row.sticky && row.author !== 2 && !has(row.tags, 1, 6) && !has(row.categories, 3),
  ],
  ['posts', 'author_exclude=1&categories=2', (row) => row.author !== 1 && has(row.categories, 2)],
];
const readers: [role: Role, status: string, shown: readonly string[]][] = [
  ['anonymous', '', ['publish']],
  ['editor', '', ['publish']],
  ['editor', '&status=draft', ['draft']],
  ['editor', '&status=publish,private,future', ['publish', 'private', 'future']],
];

describe.each(readers)('%s%s', (role, status, shown) => {
  test.each(cases)('%s with %s', async (base, asked, keeps) => {
    const kept = rows.filter((row) => `${row.type}s` === base && shown.includes(row.status) && keeps(row));
    const query = asked.replace('many', LONG_LIST);
    const answer = await site.by(role).get(`/${base}?${query}${status}&per_page=100&_fields=id`);
    expect(answer.status).toBe(200);
    expect(Number(answer.headers.get('x-total'))).toBe(kept.length);
    expect((answer.body as { id: number }[]).map(({ id }) => id)).toEqual(
      kept.slice(0, 100).map(({ id }) => id),
    );
  });
});

test('ids left out count once, and only where the list had them', async () => {
  const own = rows.filter(({ type, status }) => type === 'post' && status === 'publish');
  const other = rows.find(({ status }) => status === 'draft');
  const first = own[0]?.id;
  const { headers } = await site
    .by('anonymous')
    .get(`/posts?exclude=${first},${first},${other?.id},99999999`);
  expect(Number(headers.get('x-total'))).toBe(own.length - 1);
});

test('those that stay are not counted: the counters know the number of all', async () => {
  const { db } = site.deps;
  const totalOf = async (query: string): Promise<number> => {
    site.deps.memory.forget('posts');
    return Number((await site.by('anonymous').get(`/posts?${query}`)).headers.get('x-total'));
  };
  const queries = ['sticky=false', 'categories_exclude=2', 'tags_exclude=7', 'exclude=1'];
  const before: number[] = [];
  for (const query of queries) before.push(await totalOf(query));
  // What others wrote stands in the index of authors, where few of it are counted sooner than all that is left out.
  const others = await totalOf('author_exclude=1');
  // Rows that are not there: only who asks the counters finds them.
  await db.run(`insert into post_counts (type, status, slot, n) values ('post', 'publish', 1000, 50)`);
  try {
    for (const [index, query] of queries.entries())
      expect(await totalOf(query)).toBe((before[index] ?? 0) + 50);
    expect(await totalOf('author_exclude=1')).toBe(others);
  } finally {
    await db.run('delete from post_counts where slot = 1000');
  }
});

describe('files of what the caller may not read', () => {
  let files: Row[];
  const parents = new Map<number, Row>();

  beforeAll(async () => {
    const { db } = site.deps;
    for (const row of rows) parents.set(row.id, row);
    await db.run(
      `with made as (
         insert into posts (type, status, slug, author, parent, title_raw, date_local, date_gmt, modified_local, modified_gmt)
         select 'attachment', case when n % 10 = 0 then 'trash' else 'inherit' end, 'file-' || n, 1 + n % 5,
                case when n % 6 = 0 then 0 when n % 6 = 1 then 99999999 else ($2::bigint[])[1 + n % cardinality($2::bigint[])] end,
                'File ' || n % 30, timestamp '2025-01-01' + n * interval '1 hour', timestamptz '2025-01-01Z' + n * interval '1 hour', now(), now()
           from generate_series(1, $1::integer) as n returning id)
       insert into media (post_id, file, mime_type) select id, 'f' || id, case when id % 3 = 0 then 'image/png' else 'text/csv' end from made`,
      [ROWS, rows.map(({ id }) => id)],
    );
    files = await db.rows<Row>(
      `select id, type, status, author, parent from posts where type = 'attachment' order by date_gmt desc, id desc`,
    );
    site.deps.memory.forget('posts');
  });

  const seenBy: Readonly<Record<string, readonly string[]>> = {
    anonymous: ['publish'],
    author: ['publish'],
    administrator: ['publish', 'future', 'draft', 'pending', 'private', 'trash'],
  };
  const asked: [query: string, keeps: (row: Row) => boolean][] = [
    ['', () => true],
    ['orderby=title', () => true],
    ['orderby=slug&order=asc', () => true],
    ['orderby=parent', () => true],
    ['orderby=author&order=asc', () => true],
    ['author=2', ({ author }) => author === 2],
    ['author_exclude=2&orderby=modified', ({ author }) => author !== 2],
    ['mime_type=image/png', ({ id }) => id % 3 === 0],
    ['parent=0', ({ parent }) => parent === 0],
  ];

  test.each(Object.keys(seenBy))('are not in the lists of %s', async (role) => {
    for (const [query, keeps] of asked) {
      const kept = files
        .filter(({ status, parent }) => {
          const post = parents.get(parent);
          const isOwn = role === 'author' && post?.author === site.users.author.id;
          return status === 'inherit' && (!post || isOwn || seenBy[role]?.includes(post.status));
        })
        .filter(keeps);
      const got: number[] = [];
      for (let page = 1; got.length < kept.length; page++) {
        const answer = await site
          .by(role as Role)
          .get(`/media?${query}&per_page=100&page=${page}&_fields=id`);
        expect([query, answer.status, Number(answer.headers.get('x-total'))]).toEqual([
          query,
          200,
          kept.length,
        ]);
        got.push(...(answer.body as { id: number }[]).map(({ id }) => id));
      }
      expect(got.sort((a, b) => a - b)).toEqual(kept.map(({ id }) => id).sort((a, b) => a - b));
      if (query === '') expect(got.length).toBeGreaterThan(100);
    }
  });
});
