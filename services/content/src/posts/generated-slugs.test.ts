/** The slugs that titles would give, as editors are shown them, a whole page at once. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { lookingAt } from '@sevenfold/chassis/testing/looked-at';
import { uniqueSlug } from '@sevenfold/publishing/slugs';
import { slugify } from '@sevenfold/text/slug';
import { makePost } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { withGeneratedSlugs } from './generated-slugs';
import { spaceOf } from './slugs';
import type { PostTypeName } from './types';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

interface Row {
  readonly id: number;
  readonly type: PostTypeName;
  readonly parent: number;
  readonly slug: string;
  readonly titleRaw: string;
}

async function row(fields: {
  title_raw: string;
  slug: string;
  type?: PostTypeName;
  parent?: number;
}): Promise<Row> {
  const { id, slug } = await makePost(site.deps.db, fields);
  return { id, type: fields.type ?? 'post', parent: fields.parent ?? 0, slug, titleRaw: fields.title_raw };
}

/** What they are told, and by how many statements. */
async function told(rows: readonly Row[]): Promise<{ slugs: string[]; statements: number }> {
  const { db } = site.deps;
  let statements = 0;
  const counting: Db = {
    rows: (...query) => ((statements += 1), db.rows(...query)),
    first: (...query) => ((statements += 1), db.first(...query)),
    run: (...query) => ((statements += 1), db.run(...query)),
  };
  const all = await withGeneratedSlugs(counting, rows);
  return { slugs: all.map(({ generatedSlug }) => generatedSlug), statements };
}

test('the first number that is free, or the own one where none before it is', async () => {
  const titled = (slug: string): Promise<Row> => row({ title_raw: 'Harbour news', slug });
  const rows = [
    await titled('harbour-news'),
    await titled('harbour-news-2'),
    await titled('harbour-news-3'),
    // No numbers as they are given.
    await titled('harbour-news-04'),
    await titled('harbour-news-1'),
    await titled('harbour-news-of-may'),
    await titled('harbour-news-6'),
    await titled(''),
  ];
  expect(await told(rows)).toEqual({
    slugs: [
      'harbour-news',
      'harbour-news-2',
      'harbour-news-3',
      'harbour-news-4',
      'harbour-news-4',
      'harbour-news-4',
      'harbour-news-4',
      'harbour-news-4',
    ],
    statements: 2,
  });
});

test('titles of a page are looked up together; what has the slug of its title is not looked up', async () => {
  const rows = await Promise.all(
    ['Boats', 'Nets', 'Ropes'].map((title_raw, place) => row({ title_raw, slug: `other-${place}` })),
  );
  expect(await told(rows)).toEqual({ slugs: ['boats', 'nets', 'ropes'], statements: 1 });
  expect(await told([await row({ title_raw: 'Sails', slug: 'sails' })])).toEqual({
    slugs: ['sails'],
    statements: 0,
  });
});

test('names that are kept free have a number, without a title the number of the row stands for it', async () => {
  const [feed, nameless] = [
    await row({ title_raw: 'Feed', slug: '' }),
    await row({ title_raw: '', slug: 'x' }),
  ];
  expect((await told([feed, nameless])).slugs).toEqual(['feed-2', String(nameless.id)]);
});

test('pages are free of each other below different parents', async () => {
  const page = (parent: number, slug: string): Promise<Row> =>
    row({ title_raw: 'About', slug, parent, type: 'page' });
  const [above, below, beside, other] = [
    await page(0, 'about'),
    await page(901, 'about'),
    await page(901, 'about-us'),
    await page(902, 'about-them'),
  ];
  expect(await told([above, below, beside, other])).toEqual({
    slugs: ['about', 'about', 'about-2', 'about'],
    statements: 2,
  });
});

test('where many slugs begin with one, only its numbered forms are looked at', async () => {
  const { db } = site.deps;
  await db.run(
    `insert into posts (type, status, slug, date_local, date_gmt, modified_local, modified_gmt, path)
     select 'post', 'publish', 'how-x' || n, now(), now(), now(), now(), 'how-x' || n from generate_series(1, 3000) as n`,
  );
  await row({ title_raw: 'How', slug: 'how' });
  await row({ title_raw: 'How', slug: 'how-2' });
  await db.run('vacuum analyze posts');
  const { db: watched, lookedAt } = lookingAt(db);
  expect(await uniqueSlug(watched, spaceOf({ id: 1, type: 'post', parent: 0 }), 'how')).toBe('how-3');
  expect(lookedAt.get('posts')).toBeLessThan(20);
});

test('a title of the longest length makes room for its number', async () => {
  const long = 'long '.repeat(40).trim();
  const slug = long.replaceAll(' ', '-').slice(0, 200);
  await row({ title_raw: long, slug });
  const [generated] = (await told([await row({ title_raw: long, slug: 'short' })])).slugs;
  expect(generated).toMatch(/^long-.*-2$/);
  expect(generated!.length).toBeLessThanOrEqual(200);
});

test('however many long titles are taken, they are looked up one after the other', async () => {
  const titles = ['sea', 'sand', 'salt'].map((word) => `${word} `.repeat(60).trim());
  const rows = await Promise.all(
    titles.map(async (title_raw, place) => {
      const wanted = slugify(title_raw);
      await row({ title_raw, slug: wanted });
      return row({ title_raw, slug: `short-${place}` });
    }),
  );
  const { db } = site.deps;
  let [running, most] = [0, 0];
  const watched: Db = {
    ...db,
    rows: async (...query) => {
      most = Math.max(most, (running += 1));
      return db.rows<never>(...query).finally(() => (running -= 1));
    },
  };
  const all = await withGeneratedSlugs(watched, rows);
  expect(all.map(({ generatedSlug }) => generatedSlug.endsWith('-2'))).toEqual([true, true, true]);
  expect(most).toBe(1);
});
