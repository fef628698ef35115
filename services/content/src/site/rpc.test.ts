/** What the gateway hears of the addresses of the site. */
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import {
  type FindAtAddressResponse,
  type SiteServiceServer,
  SiteServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/site';
import { makeMedia } from '../media/testing/factories';
import { makePost, makeTerm, makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
let remote: Remote<SiteServiceServer>;
beforeAll(async () => {
  site = await startContent();
  remote = site.dial<SiteServiceServer>(SiteServiceService, 'gateway');
});
afterAll(async () => {
  remote.close();
  await site.stop();
});

const at = (path: string): Promise<FindAtAddressResponse> =>
  remote.findAtAddress({ url: path.startsWith('/') ? `http://site.test${path}` : path });

test('an item is found by its permalink however it is written, and by its number', async () => {
  const { db } = site.deps;
  const [news, old] = [await makeTerm(db, { name: 'R&amp;D' }), await makeTerm(db, { taxonomy: 'post_tag' })];
  const { id } = await makePost(db, {
    slug: 'hello',
    path: '2024/01/02/hello',
    categories: [news.id],
    tags: [old.id],
  });
  for (const path of ['/2024/01/02/hello/', '//2024/01/02//HELLO', '/2024/01/02/hello/?x=1', `/?p=${id}`]) {
    const { item, archive, terms } = await at(path);
    expect([path, item?.id, item?.link]).toEqual([path, id, 'http://site.test/2024/01/02/hello/']);
    expect(archive).toBeUndefined();
    expect(terms.map((term) => term.id)).toEqual([news.id, old.id]);
  }
  for (const path of [
    '/2024/01/02/other/',
    'http://elsewhere.test/2024/01/02/hello/',
    `/?p=${id}&post_type=calendar_events`,
    '/?p=0',
    '/?p=99999999999999999999',
    'nonsense',
  ])
    expect([path, (await at(path)).item]).toEqual([path, undefined]);
});

test('what not everybody may read is not there, and what a password protects has no text', async () => {
  const { db } = site.deps;
  const hidden = await makePost(db, { slug: 'hidden', path: 'x/hidden', status: 'private' });
  const draft = await makePost(db, { slug: 'draft', path: 'x/draft', status: 'draft' });
  for (const path of ['/x/hidden/', `/?p=${hidden.id}`, `/?p=${draft.id}`])
    expect(await at(path)).toMatchObject({ item: undefined, archive: undefined });
  await makePost(db, { slug: 'kept', path: 'x/kept', password: 'pw' });
  expect((await at('/x/kept/')).item).toMatchObject({ hasPassword: true, content: '', excerpt: '' });
});

test('archives list the newest posts of the home page, a term with what is below it, and an author', async () => {
  const { db } = site.deps;
  await db.run(`delete from posts`);
  const author = await makeUser(db, 'author', { slug: 'ann', name: 'Ann' });
  const nobody = await makeUser(db, 'author', { slug: 'silent' });
  const above = await makeTerm(db, { slug: 'above', name: 'Above' });
  const below = await makeTerm(db, { slug: 'below', parent: above.id, parent_path: 'above' });
  const ids: number[] = [];
  for (let day = 1; day <= 12; day += 1) {
    const date = `2024-02-${String(day).padStart(2, '0')} 00:00:00`;
    const { id } = await makePost(db, {
      author: author.id,
      categories: [below.id],
      date_local: date,
      date_gmt: `${date}Z`,
    });
    ids.unshift(id);
  }
  await makePost(db, { status: 'draft', author: nobody.id });
  for (const [path, kind] of [
    ['/', 'home'],
    ['/author/ann/', 'author'],
    ['/category/above/', 'category'],
    ['/category/above/below/', 'category'],
  ] as const) {
    const first = (await at(path)).archive;
    expect([path, first?.kind, first?.page, first?.pages]).toEqual([path, kind, 1, 2]);
    expect(first?.items.map(({ id }) => id)).toEqual(ids.slice(0, 10));
    expect(first?.items.every(({ content, excerpt }) => content === '' && excerpt !== '')).toBe(true);
    const second = (await at(`${path}page/2/`)).archive;
    expect(second?.items.map(({ id }) => id)).toEqual(ids.slice(10));
    expect((await at(`${path}page/3/`)).archive).toBeUndefined();
  }
  // The tree of categories decides the address.
  expect((await at('/category/below/')).archive?.link).toBe('http://site.test/category/above/below/');
  for (const path of ['/author/silent/', '/author/none/', '/category/none/', '/tag/above/', '/?p=1'])
    expect([path, (await at(path)).archive]).toEqual([path, undefined]);
});

test('a term lists what is in hundreds of terms below it', async () => {
  const { db } = site.deps;
  const all = await makeTerm(db, { slug: 'all' });
  await db.run(
    `insert into terms (taxonomy, name, slug, parent, parent_path)
     select 'category', 'Branch ' || n, 'branch-' || n, $1, 'all' from generate_series(1, 150) as n`,
    [all.id],
  );
  const last = await makeTerm(db, { slug: 'last', parent: all.id, parent_path: 'all' });
  const { id } = await makePost(db, { slug: 'leaf', path: 'leaf', categories: [last.id] });
  expect((await at('/category/all/')).archive?.items.map((item) => item.id)).toEqual([id]);
});

test('the facts of the site come with every answer', async () => {
  const { site: facts } = await at('/nothing/');
  expect(facts).toMatchObject({ language: 'en-US', timezone: 'America/New_York', perPage: 10 });
});

test('texts larger than a message take neither their own page from anybody, nor lists and feeds', async () => {
  const { db } = site.deps;
  await db.run('delete from posts');
  const ids: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    const { id } = await makePost(db, { path: `long-${n}`, slug: `long-${n}` });
    ids.push(id);
  }
  const term = await makeTerm(db, { slug: 'long', description: 'x'.repeat(20 * 1024 * 1024) });
  await db.run('update posts set categories = array[$1::bigint] where id = $2', [term.id, ids[0]]);
  await db.run(`update posts set excerpt_html = repeat('word ', 400 * 1024)`);
  // Of two units and four bytes each.
  await db.run(`update posts set content_html = repeat('\u{1F600}', 5 * 1024 * 1024) where id = $1`, [
    ids[0],
  ]);
  const { archive } = await at('/');
  expect(archive?.items.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids);
  const { items } = await remote.listNewest({ url: '' });
  expect(items.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids);
  expect(items.find(({ id }) => id === ids[0])?.content).toBe('');
  // It is told that it is too long to be shown.
  expect((await at('/category/long/')).archive?.items).toHaveLength(1);
  expect((await at('/long-0/')).item?.content.length).toBeGreaterThan(4 * 1024 * 1024);
  // Of their terms and pictures neither.
  const { tags } = (await db.first<{ tags: number[] }>(
    `with made as (insert into terms (taxonomy, name, slug, description)
       select 'post_tag', 'Tag ' || n, 'tag-' || n, repeat('語', 100000) from generate_series(1, 100) as n returning id)
     select array_agg(id) as tags from made`,
  ))!;
  const { id: picture } = await makeMedia(db, {}, { alt_text: '語'.repeat(1024 * 1024) });
  await db.run('update posts set tags = $1, featured_media = $2 where id = any($3)', [tags, picture, ids]);
  expect((await at('/')).archive?.items.map(({ picture: shown }) => shown?.altText.length)).toEqual(
    ids.map(() => 1_000),
  );
  expect((await remote.listNewest({ url: '' })).terms.length).toBeGreaterThanOrEqual(100);
  expect((await at('/long-0/')).terms.length).toBeGreaterThanOrEqual(100);
});
