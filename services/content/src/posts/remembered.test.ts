/**
 * What a process remembers of lists, at the moment when a change has been committed and its message has not come yet: the
 * conditions are asked again, so nothing is shown that does not belong there any more.
 */
import { until } from '@sevenfold/chassis/testing/until';
import { makeMedia } from '../media/testing/factories';
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

describe('lists of editors', () => {
  const listed = async (ids: readonly number[], role: 'editor' | 'author' = 'editor'): Promise<Edited[]> => {
    const { status, body } = await site
      .by(role)
      .get(`/posts?context=edit&orderby=include&include=${ids.join()}`);
    expect(status).toBe(200);
    return body as Edited[];
  };
  interface Edited {
    readonly title: { raw: string };
    readonly generated_slug: string;
    readonly _links: object;
  }

  test('texts are read once for a version, and say what is there now', async () => {
    const { id } = await makePost(site.deps.db, { title_raw: 'First said' });
    const rename = (from: string, to: string): Promise<number> =>
      site.deps.db.run(`alter table posts rename column ${from} to ${to}`);
    const before = await listed([id]);
    await rename('date_chosen', 'date_away');
    try {
      expect(await listed([id])).toEqual(before);
    } finally {
      await rename('date_away', 'date_chosen');
    }
    await quietly(`update posts set title_raw = 'Said now' where id = $1`, [id]);
    expect((await listed([id]))[0]?.title.raw).toBe('Said now');
  });

  test('the slug that is free is told anew when another post takes it', async () => {
    const { id } = await makePost(site.deps.db, { title_raw: 'Low tide', slug: 'first-name' });
    const slugOf = async (): Promise<string | undefined> => (await listed([id]))[0]?.generated_slug;
    expect(await slugOf()).toBe('low-tide');
    const other = await site.by('editor').post('/posts', { title: 'Low tide', status: 'publish' });
    expect(other.body.slug).toBe('low-tide');
    expect(await slugOf()).toBe('low-tide-2');
    await site.by('editor').delete(`/posts/${other.body.id}?force=true`);
    expect(await slugOf()).toBe('low-tide');
  });

  test('each is told what he may do', async () => {
    const { id } = await makePost(site.deps.db, { author: site.users.author.id });
    const linksOf = async (role: 'editor' | 'author'): Promise<string[]> =>
      Object.keys((await listed([id], role))[0]?._links ?? {});
    const [editors, authors] = [await linksOf('editor'), await linksOf('author')];
    expect(editors).toContain('core:action-assign-author');
    expect(authors).not.toContain('core:action-assign-author');
    expect(await linksOf('editor')).toEqual(editors);
  });
});

test('a list of the files of a type is without one that was replaced by one of another', async () => {
  const { db, memory } = site.deps;
  const [one, other] = [await makeMedia(db), await makeMedia(db)];
  await untilRemembered();
  const list = () => site.as().get('/media?mime_type=image/png&orderby=id&order=asc');
  expect(idsOf(await list())).toEqual([one.id, other.id]);
  // As a site that moves in does it (site-import/replaced-files.ts).
  await db.run(`update media set mime_type = 'image/webp' where post_id = $1`, [one.id]);
  // What is told later is heard later.
  const behind = new Promise((heard) => memory.onMessage('settings', heard));
  await db.run(`select pg_notify('settings', '')`);
  await behind;
  const after = await list();
  expect([idsOf(after), after.headers.get('x-total')]).toEqual([[other.id], '1']);
});

test('one connection tells the whole process what is old', async () => {
  await untilRemembered();
  const listeners = await site.deps.db.rows(
    `select 1 from pg_stat_activity where datname = current_database() and application_name like '%-listener'`,
  );
  expect(listeners).toHaveLength(1);
});
