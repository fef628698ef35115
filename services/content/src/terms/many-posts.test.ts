/** Terms that many posts carry: who changes or deletes one does not wait for all of them. */
import { loseWaitingJob } from '@sevenfold/chassis/testing/sweeps';
import { until } from '@sevenfold/chassis/testing/until';
import { makePost, makeTerm } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { termSweeps } from './many-posts';

const MANY = 220;

let site: ContentSite;
let term: number;
let kept: number;
let posts: number[];
beforeAll(async () => {
  site = await startContent({ ROLE: 'all' });
});
afterAll(() => site.stop());

async function carriedBy(column: 'categories' | 'tags', taxonomy: string): Promise<void> {
  const { db } = site.deps;
  term = (await makeTerm(db, { taxonomy })).id;
  kept = (await makeTerm(db, { taxonomy })).id;
  posts = [];
  while (posts.length < MANY) {
    const carried = posts.length % 2 === 0 ? [term] : [term, kept];
    posts.push((await makePost(db, { [column]: carried })).id);
  }
}
/** Deletes it while somebody else is writing one of its posts. */
const removeWhileHeld = (path: string) =>
  site.deps.db.transaction(async (tx) => {
    await tx.run('select from posts where id = $1 for update', [posts[30]]);
    expect((await site.by('editor').delete(`${path}?force=true`)).status).toBe(200);
    expect((await site.by('anonymous').get(path)).status).toBe(404);
    const shown = await site.by('anonymous').get(`/posts/${posts[30]}?_embed`);
    expect([shown.status, JSON.stringify(shown.body._embedded)]).toEqual([
      200,
      expect.not.stringContaining(`"id":${term},`),
    ]);
  });
const isOver = async () => (await site.deps.db.first('select from removed_terms')) === undefined;
const groups = (column: string) =>
  site.deps.db.rows<{ terms: number[]; n: number }>(
    `select ${column} as terms, count(*) as n from posts where id = any($1::bigint[]) group by ${column} order by ${column}`,
    [posts],
  );
const told = () =>
  site.deps.db.first(
    `select count(*) as n, count(distinct payload->>'id') as posts from outbox
      where channel = 'content.post.changed' and (payload->>'id')::bigint = any($1::bigint[])`,
    [posts],
  );

test('a category is gone at once; then it leaves its posts, of which those without another get the default one', async () => {
  await carriedBy('categories', 'category');
  const countOf = (id: number) =>
    site.deps.db.first<{ n: number }>('select own_count as n from terms where id = $1', [id]);
  const before = (await countOf(1))?.n ?? 0;
  await removeWhileHeld(`/categories/${term}`);
  await until(isOver);
  expect(await groups('categories')).toEqual([
    { terms: [1], n: MANY / 2 },
    { terms: [kept], n: MANY / 2 },
  ]);
  expect(await countOf(1)).toEqual({ n: before + MANY / 2 });
  expect(await told()).toEqual({ n: MANY, posts: MANY });
});

test('a tag, too; and what a job could not finish is taken up again', async () => {
  await carriedBy('tags', 'post_tag');
  const { db } = site.deps;
  await db.transaction(async (tx) => {
    await tx.run('select from posts where id = $1 for update', [posts[30]]);
    expect((await site.by('editor').delete(`/tags/${term}?force=true`)).status).toBe(200);
    // Nothing but the last post is left: the job waits for it. Its row is gone as if it had failed for good.
    await until(async () =>
      (await groups('tags')).some(({ n, terms }) => n === 1 && String(terms) === String([term])),
    );
    await loseWaitingJob(db, 'content.terms');
  });
  expect(await isOver()).toBe(false);
  await db.run(`update removed_terms set taken_at = now() - interval '2 hours'`);
  for (const sweep of termSweeps) await sweep.run(site.deps);
  await until(isOver);
  expect(await groups('tags')).toEqual([
    { terms: [], n: MANY / 2 },
    { terms: [kept], n: MANY / 2 },
  ]);
});

test('after a new name the lists of all its posts are in the order of names again, each announced once', async () => {
  await carriedBy('categories', 'category');
  const path = `/categories/${term}`;
  await site.deps.db.transaction(async (tx) => {
    await tx.run('select from posts where id = $1 for update', [posts[30]]);
    expect((await site.by('editor').put(path, { name: 'Zzz' })).body.name).toBe('Zzz');
  });
  await until(async () =>
    (await groups('categories')).some(({ n, terms }) => n === MANY / 2 && terms[0] === kept),
  );
  expect(await groups('categories')).toEqual([
    { terms: [term], n: MANY / 2 },
    { terms: [kept, term], n: MANY / 2 },
  ]);
  expect(await told()).toEqual({ n: MANY / 2, posts: MANY / 2 });
});
