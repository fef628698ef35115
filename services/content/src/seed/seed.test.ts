/** Made-up content: as much as asked for, real to readers, the same on every machine, and more when asked again. */
import { until } from '@sevenfold/chassis/testing/until';
import { type ContentSite, startContent } from '../testing/service';
import { seed } from './seed';

let site: ContentSite;

beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

test('fills a site that clients can read', async () => {
  const told: string[] = [];
  await seed(site.deps, { posts: 120, users: 7, comments: 30 }, (kind, done, total) =>
    told.push(`${kind} ${done}/${total}`),
  );
  expect(told).toEqual(['users 7/7', 'posts 120/120', 'comments 30/30']);
  const list = await site.by('anonymous').get('/posts?_embed&per_page=5');
  expect(list.headers.get('x-total')).toBe('120');
  expect(list.body[0]._embedded.author[0].name).toMatch(/\w+ \w+/);
  expect(list.body[0].link).toMatch(/^http:\/\/site\.test\/20\d\d\/\d\d\/\d\d\/[a-z-]+-\d+\/$/);
  const { body: categories } = await site.by('anonymous').get('/categories?per_page=100');
  const counted = await site.deps.db.first<{ n: number }>(
    'select sum(cardinality(categories)) as n from posts',
  );
  expect(categories.reduce((sum: number, term: { count: number }) => sum + term.count, 0)).toBe(counted?.n);
  expect(Number((await site.by('administrator').get('/comments?status=any')).headers.get('x-total'))).toBe(
    30,
  );
});

test('asked again it adds more, and nobody can log in as a made-up user', async () => {
  await seed(site.deps, { posts: 30, users: 3, comments: 0 }, () => undefined);
  // The service is told of what was written beside it; what it knew before may be told until then.
  await until(async () => (await site.by('anonymous').get('/posts')).headers.get('x-total') === '150');
  expect(
    await site.deps.db.rows(`select from users where username like 'seed-%' and password_hash <> '!'`),
  ).toEqual([]);
});
