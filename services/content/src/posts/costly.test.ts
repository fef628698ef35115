/**
 * Lists of strangers that no index brings at once end in time, with a 503 that says when to come again; other reads go
 * on meanwhile, and so do these when what held them up is over.
 */
import { until } from '@sevenfold/chassis/testing/until';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;

beforeAll(async () => {
  site = await startContent({ LIST_LIMIT_MS: 200 });
  await site.deps.db.run(
    `insert into posts (type, status, slug, author, categories, title_raw, date_local, date_gmt, modified_local, modified_gmt)
     select 'post', 'publish', 'some-' || n, $1, array[1 + n % 2]::bigint[], 'Some ' || n, now(), now(), now(), now()
       from generate_series(1, 300) as n`,
    [site.users.author.id],
  );
});
afterAll(() => site?.stop());

/** Holds a table as somebody does who changes it, until the work is done. */
async function holding(table: string, work: () => Promise<void>): Promise<void> {
  const holder = await site.deps.db.pool.connect();
  try {
    await holder.query('begin');
    await holder.query(`lock table ${table} in access exclusive mode`);
    await work();
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}

test.each([
  ['post_categories', '/posts?categories=1', '/categories'],
  ['posts', '/posts?categories_exclude=1&orderby=title', '/categories'],
  ['posts', '/posts?orderby=author', '/categories'],
  ['posts', '/posts?offset=250', '/categories'],
  ['posts', '/media?author=1', '/categories'],
  ['terms', '/categories?orderby=count', '/posts'],
  ['terms', '/tags?offset=200', '/posts'],
  ['comments', '/comments?orderby=parent', '/posts'],
  ['comments', '/comments?parent=1', '/posts'],
  ['users', '/users', '/posts'],
])('while %s is held, %s is 503, and %s answers', async (table, costly, other) => {
  const stranger = site.by('anonymous');
  await holding(table, async () => {
    const { status, body, headers } = await stranger.get(costly);
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'rest_list_busy', '2']);
    await until(async () => (await stranger.get(other)).status === 200);
  });
  // A busy machine may take longer than they may, even for these.
  await until(async () => (await stranger.get(costly)).status === 200);
});

test('what was stopped is not remembered', async () => {
  const stranger = site.by('anonymous');
  await holding('post_categories', async () => {
    expect((await stranger.get('/posts?categories=2')).status).toBe(503);
  });
  const { headers } = await until(async () => {
    const answer = await stranger.get('/posts?categories=2');
    return answer.status === 200 && answer;
  });
  expect(headers.get('x-total')).toBe('150');
});
