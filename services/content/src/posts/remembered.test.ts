/**
 * What a process remembers of lists, at the moment when a change has been committed and its message has not come yet: the
 * conditions are asked again, so nothing is shown that does not belong there any more.
 */
import { until } from '@sevenfold/chassis/testing/until';
import { makePost, makeTerm } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

/** A commit that nobody is told of. */
async function quietly(sql: string, values: readonly unknown[]): Promise<void> {
  await site.deps.db.transaction(async (tx) => {
    await tx.run('alter table posts disable trigger user');
    await tx.run(sql, values);
    await tx.run('alter table posts enable trigger user');
  });
}

const idsOf = (answer: { status: number; body: { id: number }[] }): number[] => {
  expect(answer.status).toBe(200);
  return answer.body.map(({ id }) => id);
};

/** Three posts of a term, whose list has been asked for: as soon as an outline is kept at all, it is remembered. */
async function rememberedList(): Promise<{ ids: number[]; list: () => Promise<number[]> }> {
  const { id: term } = await makeTerm(site.deps.db);
  const ids: number[] = [];
  for (const day of ['03', '02', '01'])
    ids.push(
      (
        await makePost(site.deps.db, {
          categories: [term],
          date_local: `2024-03-${day} 10:00:00`,
          date_gmt: `2024-03-${day} 10:00:00Z`,
        })
      ).id,
    );
  site.deps.memory.forget('posts');
  const list = async (): Promise<number[]> =>
    idsOf(await site.as().get(`/posts?categories=${term}&per_page=10`));
  await untilRemembered();
  expect(await list()).toEqual(ids);
  return { ids, list };
}

/** Nothing is kept before the connection for messages stands. */
async function untilRemembered(): Promise<void> {
  const ask = (total: number): Promise<{ total: number }> =>
    site.deps.postOutlines.get('remembered?', () => Promise.resolve({ total }));
  let n = 0;
  await until(async () => (await ask((n += 1))).total !== n);
}

test('a post that has left the term is not shown', async () => {
  const { ids, list } = await rememberedList();
  await quietly(`update posts set categories = '{}' where id = $1`, [ids[1]]);
  expect(await list()).toEqual([ids[0], ids[2]]);
});

test('a post that has become a draft is not shown', async () => {
  const { ids, list } = await rememberedList();
  await quietly(`update posts set status = 'draft' where id = $1`, [ids[0]]);
  expect(await list()).toEqual([ids[1], ids[2]]);
});

test('a post shows what it says now, not what it said', async () => {
  const { ids, list } = await rememberedList();
  await quietly(`update posts set title_html = 'Said now' where id = $1`, [ids[2]]);
  expect(await list()).toEqual(ids);
  const { body } = await site.as().get(`/posts?include=${ids[2]}`);
  expect(body[0].title.rendered).toBe('Said now');
});

test('one connection tells the whole process what is old', async () => {
  await untilRemembered();
  const listeners = await site.deps.db.rows(
    `select 1 from pg_stat_activity where datname = current_database() and application_name like '%-listener'`,
  );
  expect(listeners).toHaveLength(1);
});
