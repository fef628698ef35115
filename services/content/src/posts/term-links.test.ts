/** The posts that each term lists, and their numbers, equal a recount, whoever wrote at the same time. */
import { type ContentSite, startContent } from '../testing/service';
import { publishDue } from './jobs';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site?.stop());

const LISTS = ['categories', 'tags'] as const;

/** Rows that should be there and are not, or the other way round. */
async function differences(): Promise<object[]> {
  const found: object[] = [];
  for (const list of LISTS) {
    const kept = `select term_id, date_gmt, title_key, post_id, author from post_${list}`;
    const wanted = `select distinct term, date_gmt, title_key, id, author from posts, unnest(${list}) as term where type = 'post' and status = 'publish'`;
    const text = `select '${list}' as list, * from ((${kept} except ${wanted}) union all (${wanted} except ${kept})) as other`;
    found.push(...(await site.deps.db.rows(text)));
  }
  return found;
}

const wrongNumbers = (): Promise<object[]> =>
  site.deps.db.rows(
    `select t.id, t.own_count, coalesce(l.n, 0) as listed
       from terms t left join (
         select term_id, count(*) as n
           from (select term_id from post_categories union all select term_id from post_tags) as l group by 1) as l on l.term_id = t.id
      where t.own_count <> coalesce(l.n, 0)`,
  );

const wrongSizes = (): Promise<object[]> =>
  site.deps.db.rows(
    `select * from terms t full join term_sizes s on s.term_id = t.id
      where (t.id, t.taxonomy, t.count) is distinct from (s.term_id, s.taxonomy, s.count)`,
  );

/** The same numbers in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test('many write at once: create, change, move, trash, restore, delete, and terms go', async () => {
  const admin = site.by('administrator');
  const idOf = async (path: string, body: object): Promise<number> => (await admin.post(path, body)).body.id;
  const categories = await Promise.all(
    ['a', 'b', 'c', 'd', 'e'].map((name) => idOf('/categories', { name })),
  );
  const tags = await Promise.all(['f', 'g', 'h', 'i', 'j'].map((name) => idOf('/tags', { name })));
  const posts = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      idOf('/posts', { title: `Post ${n}`, status: 'publish', categories, tags }),
    ),
  );
  const authors = [site.users.editor.id, site.users.author.id];
  const statuses = ['publish', 'publish', 'draft', 'private', 'future'];
  const faults: string[] = [];
  const writer = async (seed: number): Promise<void> => {
    const below = numbers(seed);
    const some = (ids: readonly number[]): number[] => ids.filter(() => below(2) === 0);
    for (let turn = 0; turn < 20; turn++) {
      const id = posts[below(posts.length)];
      const kind = below(10);
      const answer =
        kind === 0
          ? await admin.post('/posts', {
              title: 'New',
              status: 'publish',
              categories: some(categories),
              tags: some(tags),
            })
          : kind < 3
            ? await admin.delete(`/posts/${id}`)
            : kind === 3 && turn > 15
              ? await admin.delete(`/posts/${id}?force=true`)
              : kind === 4
                ? await admin.post(`/posts/${id}`, {
                    date: `20${20 + below(20)}-05-0${1 + below(9)}T10:00:00`,
                  })
                : kind === 5
                  ? await admin.post(`/posts/${id}`, { author: authors[below(2)] })
                  : await admin.post(`/posts/${id}`, {
                      status: statuses[below(statuses.length)],
                      categories: some(categories),
                      tags: some(tags),
                    });
      if (answer.status >= 500) faults.push(`${answer.status} ${answer.text}`);
    }
  };
  const terms = async (): Promise<void> => {
    for (const path of [`/categories/${categories[4]}`, `/tags/${tags[4]}`, `/categories/${categories[3]}`]) {
      await admin.post(path, { name: `Renamed ${path}` });
      // Whoever loses too often to other writers is told to come again.
      let status = 409;
      while (status === 409) ({ status } = await admin.delete(`${path}?force=true`));
      if (status !== 200) faults.push(`${status} ${path}`);
    }
  };
  await Promise.all([...[1, 2, 3, 4, 5, 6].map(writer), terms()]);
  expect(faults).toEqual([]);
  expect(await differences()).toEqual([]);
  expect(await wrongNumbers()).toEqual([]);
  expect(await wrongSizes()).toEqual([]);
  expect(await site.deps.db.rows('select from post_categories limit 1')).toHaveLength(1);
});

test('whole batches, in one statement each', async () => {
  const { db } = site.deps;
  await db.run(
    `insert into posts (type, status, slug, categories, tags, title_raw, date_local, date_gmt, modified_local, modified_gmt)
     select case when n % 9 = 0 then 'page' else 'post' end, case when n % 4 = 0 then 'future' else 'publish' end, 'some-' || n,
            array[1, 1 + n % 3]::bigint[], array[90 + n % 5]::bigint[], 'Some', now(), now() - n * interval '1 hour', now(), now()
       from generate_series(1, 200) as n`,
  );
  expect(await differences()).toEqual([]);
  for (const change of [
    `update posts set tags = array_remove(tags, 91)`,
    `update posts set date_gmt = date_gmt + interval '1 day' where id % 3 = 0`,
    `update posts set status = 'trash' where id % 5 = 0`,
    `update posts set author = 7, categories = array[1, 77]::bigint[] where id % 7 = 0`,
    `delete from posts where id % 11 = 0`,
  ]) {
    expect(await db.run(change)).toBeGreaterThan(0);
    expect([change, await differences()]).toEqual([change, []]);
  }
  expect(await db.transaction((tx) => publishDue(tx))).toBeGreaterThan(0);
  expect(await differences()).toEqual([]);
});
