/** Who has published something is listed to strangers, by whichever way is shorter: some authors, or very many. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { type ContentSite, startContent } from '../testing/service';
import { list } from './store';

// Each with a site of its own: which way is the shorter one is remembered for a while.
let site: ContentSite;
beforeEach(async () => {
  site = await startContent();
});
afterEach(() => site?.stop());

test.each([30, 2_100])('up to %d authors', async (most) => {
  const { db } = site.deps;
  await db.run(`delete from posts`);
  await db.run(
    `insert into users (username, email, slug, name, password_hash, roles)
     select 'many-' || n, '', 'many-' || n, 'Name ' || n * 7919 % 2203, '!', array['author'] from generate_series(1, $1::integer) as n`,
    [most],
  );
  await db.run(
    `insert into posts (type, status, slug, author, title_raw, date_local, date_gmt, modified_local, modified_gmt)
     select case when id % 3 = 0 then 'page' else 'post' end, case when id % 40 = 0 then 'draft' else 'publish' end,
            'some-' || id || '-' || copy, id, 'Some', now(), now(), now(), now()
       from users, generate_series(1, 2) as copy where username like 'many-%'`,
  );
  const wanted = await db.rows<{ id: number }>(
    `select distinct u.id, lower(u.name) from users u join posts p on p.author = u.id and p.status = 'publish' order by 2, 1`,
  );
  const ids = wanted.map(({ id }) => id);
  for (const page of [1, 2, Math.ceil(ids.length / 10)]) {
    const { body, headers } = await site.by('anonymous').get(`/users?page=${page}&_fields=id`);
    expect(Number(headers.get('x-total'))).toBe(ids.length);
    expect((body as { id: number }[]).map(({ id }) => id)).toEqual(ids.slice((page - 1) * 10, page * 10));
  }
});

test('which way is the shorter one is not looked at for each list', async () => {
  const asked: string[] = [];
  const { db } = site.deps;
  const heard: Db = {
    ...db,
    rows: (text, ...more) => (asked.push(text), db.rows(text, ...more)),
    first: (text, ...more) => (asked.push(text), db.first(text, ...more)),
  };
  const filter = { publishedOnly: true, orderBy: 'name', order: 'asc', limit: 10, offset: 0 } as const;
  await list(heard, filter);
  const before = asked.length;
  for (let n = 0; n < 3; n++) await list(heard, filter);
  expect(asked.length - before).toBe(3);
});
