/**
 * Whom strangers' lists of users show: who has published something, as the rows say it at the moment of the list, whatever was written,
 * written down or is being written, in every order, with exact totals.
 */
import path from 'node:path';
import { numbers, pick } from '@sevenfold/chassis/chance';
import { readMigrations } from '@sevenfold/chassis/db/migrate';
import type { Db } from '@sevenfold/chassis/db/sql';
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { lookingAt } from '@sevenfold/chassis/testing/looked-at';
import { runSweep } from '@sevenfold/chassis/testing/sweeps';
import { makePost, makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { listedSweeps } from './listed';
import { type UserFilter, findMany, list } from './store';

let site: ContentSite;
let ids: number[];
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site?.stop());

const db = () => site.deps.db;
const fold = () => runSweep(listedSweeps, 'fold-authors', site.deps);
const recount = () => runSweep(listedSweeps, 'recount-authors', site.deps);
const notes = async () => (await db().rows('select from author_notes')).length;

const PUBLISHED = `select author from posts where status = 'publish' and type in ('post', 'page')`;
const orders = { id: 'u.id', name: 'lower(u.name)', slug: 'u.slug', url: 'left(u.url, 200)' } as const;
type Order = keyof typeof orders;
const ALL: UserFilter = { publishedOnly: true, orderBy: 'id', order: 'asc', limit: 100, offset: 0 };

/** As the rows say it. */
const said = async (tx: Db, by: Order = 'id', direction = 'asc'): Promise<number[]> =>
  (
    await tx.rows<{ id: number }>(
      `select u.id from users u where u.id in (${PUBLISHED}) order by ${orders[by]} ${direction}, u.id ${direction}`,
    )
  ).map(({ id }) => id);

const shown = async (tx: Db, filter: Partial<UserFilter> = {}): Promise<{ ids: number[]; total: number }> => {
  const { rows, total } = await list(tx, { ...ALL, ...filter });
  expect(rows.every(({ published }) => published)).toBe(true);
  return { ids: rows.map(({ id }) => id), total };
};

async function check(after: string, tx: Db = db()): Promise<void> {
  const all = await said(tx);
  expect([after, await shown(tx)]).toEqual([after, { ids: all, total: all.length }]);
}

const post = (author: number, tx: Db = db(), fields = {}) => makePost(tx, { author, ...fields });
/** A commit that triggers know nothing of. */
const quietly = (sql: string, values: readonly unknown[] = []): Promise<unknown> =>
  db().transaction(async (tx) => {
    for (const table of ['posts', 'users']) await tx.run(`alter table ${table} disable trigger user`);
    await tx.run(sql, values);
    for (const table of ['posts', 'users']) await tx.run(`alter table ${table} enable trigger user`);
  });

beforeEach(async () => {
  await db().run('delete from posts');
  await db().run(`delete from users where username like 'nobody%'`);
  await fold();
  ids = [];
  for (let n = 0; n < 6; n++)
    ids.push(
      (await makeUser(db(), undefined, { name: `Name ${(n * 5) % 7}`, url: `http://${n % 2}.test` })).id,
    );
});

const next = numbers(41);
const some = () => `(select id from posts order by md5(id::text || '${next()}') limit 1)`;
const one = () => pick(next, ids);
const text = () => Array.from({ length: 6 }, () => 'aBcdE'[Math.floor(next() * 5)]).join('');
const steps: Record<string, () => Promise<unknown>> = {
  publish: () => post(one()),
  'publish a page': () => post(one(), db(), { type: 'page' }),
  'write a draft': () => post(one(), db(), { status: 'draft' }),
  'upload a file': () => post(one(), db(), { type: 'attachment', status: 'inherit' }),
  'publish many': () =>
    db().run(
      `insert into posts (type, status, author, date_local, date_gmt, modified_local, modified_gmt)
       select 'post', 'publish', author, now(), now(), now(), now() from unnest($1::bigint[]) as author, generate_series(1, 3)`,
      [[one(), one(), one()]],
    ),
  show: () => db().run(`update posts set status = 'publish' where id = ${some()}`),
  hide: () => db().run(`update posts set status = 'trash' where id = ${some()}`),
  'hide all of one': () => db().run(`update posts set status = 'private' where author = $1`, [one()]),
  'another kind': () => db().run(`update posts set type = 'page' where id = ${some()}`),
  'no post any more': () => db().run(`update posts set type = 'attachment' where id = ${some()}`),
  give: () => db().run(`update posts set author = $1 where id = ${some()}`, [one()]),
  'give all': () => db().run('update posts set author = $1 where author = $2', [one(), one()]),
  'go round': () =>
    db().run(
      `update posts p set author = n.author from (select id, lead(author, 1, 0) over (order by id) as author from posts) as n where n.id = p.id`,
    ),
  delete: () => db().run(`delete from posts where id = ${some()}`),
  'delete all of one': () => db().run('delete from posts where author = $1', [one()]),
  rename: () => db().run('update users set name = $2 where id = $1', [one(), text()]),
  'another address': () =>
    db().run('update users set url = $2, slug = $3 where id = $1', [one(), text(), `${text()}-${next()}`]),
  'user gone': () => db().run('delete from users where id = $1', [one()]),
  'user back': async () => {
    const id = one();
    if (!(await db().first('select from users where id = $1', [id]))) await makeUser(db(), undefined, { id });
  },
  fold,
};

test('whatever is written, in every order', async () => {
  for (let n = 0; n < 300; n++) {
    const step = pick(next, Object.keys(steps));
    await steps[step]?.();
    const [by, order] = [pick(next, Object.keys(orders) as Order[]), pick(next, ['asc', 'desc'] as const)];
    const all = await said(db(), by, order);
    const found = await shown(db(), { orderBy: by, order });
    expect([n, step, by, order, found]).toEqual([n, step, by, order, { ids: all, total: all.length }]);
    const leftOut = [one(), one(), 999_999_999];
    const left = all.filter((id) => !leftOut.includes(id));
    const page = await shown(db(), { orderBy: by, order, exclude: leftOut, limit: 2, offset: 1 });
    expect([n, step, page]).toEqual([n, step, { ids: left.slice(1, 3), total: left.length }]);
  }
  await fold();
  expect(await notes()).toBe(0);
  await check('all is written');
});

test('over HTTP: pages through what is written and what is noted, and one beyond the end', async () => {
  for (const id of ids.slice(0, 4)) await post(id);
  await fold();
  await post(ids[4] as number);
  await db().run('delete from posts where author = $1', [ids[1]]);
  await db().run(`update users set name = 'Zz' where id = $1`, [ids[0]]);
  const all = await said(db(), 'name');
  expect(all.at(-1)).toBe(ids[0]);
  for (const page of [1, 2, 3]) {
    const { body, headers } = await site.by('anonymous').get(`/users?per_page=2&page=${page}`);
    const found = (body as { id: number }[]).map(({ id }) => id);
    expect([found, headers.get('x-total')]).toEqual([all.slice((page - 1) * 2, page * 2), '4']);
  }
});

test('a statement leaves one note, and none where nobody comes or goes', async () => {
  const made = [await post(ids[0] as number), await post(ids[1] as number)];
  await fold();
  await db().run(`update posts set title_raw = 'Other', sticky = true, modified_gmt = now()`);
  await db().run('update posts set author = $1 - author where id = any($2)', [
    (ids[0] as number) + (ids[1] as number),
    made.map(({ id }) => id),
  ]);
  await db().run(`update users set description = 'Other', roles = '{editor}' where id = any($1)`, [ids]);
  await post(ids[2] as number, db(), { status: 'draft' });
  expect(await notes()).toBe(0);
  await db().run(`update posts set status = 'publish'`);
  expect(await notes()).toBe(1);
  await check('the draft as well');
});

test('with one who publishes while another takes the last one away, either ending last', async () => {
  const id = ids[0] as number;
  const first = await post(id);
  await fold();
  const hide = (which: number, tx: Db = db()) =>
    tx.run(`update posts set status = 'trash' where id = $1`, [which]);
  let second = { id: 0 };
  await db().transaction(async (tx) => {
    second = await post(id, tx);
    await hide(first.id);
    await check('hidden');
    await fold();
    expect(await said(db())).toEqual([]);
    await check('hidden and written');
    expect((await shown(tx)).ids).toEqual([id]);
  });
  expect(await said(db())).toEqual([id]);
  await check('published');
  await fold();
  await check('published and written');
  await db().transaction(async (tx) => {
    await hide(second.id, tx);
    await post(id);
    await fold();
    await check('published by another');
    await check('within', tx);
  });
  await check('one of two is hidden');
  await fold();
  await check('one of two is hidden, and written');
  await db().run('delete from posts where author = $1', [id]);
  await expect(
    db().transaction(async (tx) => {
      await post(id, tx);
      await fold();
      throw new Error('changed his mind');
    }),
  ).rejects.toThrow('changed his mind');
  await check('rolled back');
  await fold();
  await check('rolled back and written');
});

test('what is committed while a note is being written down is not lost', async () => {
  const id = ids[0] as number;
  const { id: first } = await post(id);
  await fold();
  await db().run('delete from posts where id = $1', [first]);
  let folded: Promise<unknown> = Promise.resolve();
  await db().transaction(async (tx) => {
    await tx.run('select from listed_authors where id = $1 for update', [id]);
    folded = fold();
    // It has found that nothing is left, and is about to take him from the list.
    await Promise.race([untilLocked(db(), 'select fold_authors%'), folded]);
    await post(id);
  });
  await folded;
  await check('written');
  await fold();
  await check('written again');
});

test('writers of the same authors wait for nobody, in whatever order they write', async () => {
  const [a, b] = ids as [number, number];
  const first = [await post(a), await post(b)];
  await fold();
  await db().transaction(async (one) => {
    await db().transaction(async (other) => {
      for (const tx of [one, other]) await tx.run(`set local lock_timeout = '5s'`);
      await post(a, one);
      await post(b, other);
      await post(b, one);
      await post(a, other);
      await one.run(`update posts set status = 'trash' where id = $1`, [first[0]?.id]);
      await other.run(`update posts set author = $2 where id = $1`, [first[1]?.id, a]);
      await fold();
    });
    await check('one of two');
  });
  await check('both');
  await fold();
  await check('both are written');
});

test('the list of a moment is that of its rows, while many write and it is written down', async () => {
  const write = async (seed: number): Promise<void> => {
    const chance = numbers(seed + 7);
    for (let n = 0; n < 40; n++) {
      const [a, b] = [pick(chance, ids), pick(chance, ids)];
      await db().transaction(async (tx) => {
        const { id } = await post(a, tx);
        if (chance() < 0.5) await post(b, tx);
        if (chance() < 0.5) await tx.run('update posts set author = $2 where id = $1', [id, b]);
        if (chance() < 0.3) await tx.run(`update posts set status = 'trash' where id = $1`, [id]);
      });
      // What another one takes away at this moment is left to him.
      const taken = `select id from posts where author = $1 order by id for update skip locked`;
      await db().run(`delete from posts where id in (${taken})`, [chance() < 0.5 ? a : b]);
    }
  };
  let isOver = false;
  const untilOver = async (work: () => Promise<unknown>): Promise<void> => {
    while (!isOver) await work();
  };
  const look = () =>
    db().transaction(async (tx) => {
      await tx.run('set transaction isolation level repeatable read');
      await check('at one moment', tx);
    });
  const writers = Promise.all([0, 1, 2, 3].map(write)).finally(() => (isOver = true));
  const ended = await Promise.allSettled([writers, untilOver(fold), untilOver(look)]);
  expect(ended.map((one) => (one.status === 'rejected' ? one.reason : undefined))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  await fold();
  await check('all is written');
});

test('rows that came or went past the triggers are put right, but for what is noted or under way', async () => {
  const [a, b, c, d] = ids as [number, number, number, number];
  await post(a);
  await post(b);
  await fold();
  await quietly('delete from posts where author = $1', [a]);
  await quietly(`update users set name = 'Aa' where id = $1`, [b]);
  await quietly(
    `insert into posts (type, status, author, date_local, date_gmt, modified_local, modified_gmt)
     values ('page', 'publish', $1, now(), now(), now(), now())`,
    [c],
  );
  await db().run('update listed_counts set n = n + 7');
  expect((await shown(db())).ids).toEqual([a, b]);
  await db().transaction(async (tx) => {
    await post(d, tx);
    await tx.run('delete from posts where author = $1', [b]);
    await post(ids[4] as number);
    await recount();
    expect(await shown(db(), { orderBy: 'name' })).toEqual({ ids: await said(db(), 'name'), total: 3 });
  });
  await check('committed');
  await fold();
  await check('written');
  await db().run('truncate listed_authors, listed_counts');
  await recount();
  await check('emptied');
  const [before] = await db().rows('select xmin from listed_counts');
  await recount();
  expect(await db().rows('select xmin from listed_counts')).toEqual([before]);
});

test('a site that has authors already', async () => {
  for (const id of ids.slice(1)) await post(id);
  await post(ids[1] as number, db(), { status: 'draft' });
  await db().run(`drop table author_notes, listed_authors, listed_counts cascade`);
  await db().run(`drop function note_authors, note_users, fold_authors cascade`);
  const files = await readMigrations([path.resolve(__dirname, '../../migrations')]);
  for (const { name, sql } of files) if (name.includes('_listed_authors')) await db().pool.query(sql);
  await check('migrated');
  await post(ids[0] as number);
  await fold();
  await check('and written');
});

test('an address of any length is no hindrance', async () => {
  const url = `http://long.test/${Array.from({ length: 4_000 }, () => next().toString(36).slice(2)).join('')}`;
  const { id } = await makeUser(db(), undefined, { url });
  await post(id);
  await fold();
  expect(await notes()).toBe(0);
  expect((await shown(db(), { orderBy: 'url' })).ids).toEqual([id]);
});

test('what is written down at once is bounded by ids, but takes one note at least', async () => {
  await fold();
  await db().run(
    `insert into author_notes (ids) select array(select generate_series(1, 1000)) from generate_series(1, 9)`,
  );
  const taken = async (most: number) =>
    (await db().first<{ n: number }>('select fold_authors($1) as n', [most]))?.n;
  expect([await taken(1), await taken(2_500), await notes()]).toEqual([1, 3, 5]);
  await fold();
  expect(await notes()).toBe(0);
});

test('who has published is not looked for among all, in no order and on no page', async () => {
  const MANY = 3_000;
  await db().run(
    `insert into users (username, email, slug, name, url, password_hash, roles)
     select 'nobody-of-' || n, '', 'many-' || n, 'Name ' || n * 7919 % 2203, 'http://' || n % 50 || '.test', '!', '{author}'
       from generate_series(1, $1::integer) as n`,
    [MANY],
  );
  await db().run(
    `insert into posts (type, status, slug, author, title_raw, date_local, date_gmt, modified_local, modified_gmt)
     select case when id % 3 = 0 then 'page' else 'post' end, case when id % 40 = 0 then 'draft' else 'publish' end,
            'some-' || id || '-' || copy, id, 'Some', now(), now(), now(), now()
       from users, generate_series(1, 2) as copy where username like 'nobody-of-%'`,
  );
  await fold();
  for (const table of ['listed_authors', 'author_notes', 'users', 'posts'])
    await db().run(`vacuum analyze ${table}`);
  await post(ids[0] as number);
  const { db: seen, lookedAt } = lookingAt(db());
  for (const by of Object.keys(orders) as Order[]) {
    const all = await said(db(), by, 'desc');
    for (const offset of [0, 20, 2_000, all.length]) {
      lookedAt.clear();
      const page = await shown(seen, { orderBy: by, order: 'desc', limit: 10, offset });
      expect(page).toEqual({ ids: all.slice(offset, offset + 10), total: all.length });
      expect((lookedAt.get('posts') ?? 0) + (lookedAt.get('users') ?? 0)).toBeLessThan(30);
      // In order, and no further than the page.
      if (offset < all.length) expect(lookedAt.get('listed_authors')).toBeLessThan(offset + 30);
    }
  }
});

test('whether somebody has published is looked up for each, also where PostgreSQL knows nothing of the posts', async () => {
  const [writer, other] = ids as [number, number];
  await db().run(
    `insert into posts (type, status, slug, author, title_raw, date_local, date_gmt, modified_local, modified_gmt)
     select 'post', 'publish', 'of-one-' || n, $1, 'Some', now(), now(), now(), now() from generate_series(1, 3000) as n`,
    [writer],
  );
  // As after an upgrade of its own, until it has counted.
  await db().run(
    `select pg_clear_attribute_stats(schemaname, tablename, attname, inherited) from pg_stats where tablename = 'posts'`,
  );
  const { db: seen, lookedAt } = lookingAt(db());
  const found = await findMany(seen, [writer, other]);
  expect(found.map(({ id }) => id).sort()).toEqual([writer, other].sort());
  expect(lookedAt.get('posts')).toBeLessThan(30);
});
