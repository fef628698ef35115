import type { Remote } from '@sevenfold/chassis/grpc/dial';
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { type TestService } from '@sevenfold/chassis/testing/service';
import { runSweep } from '@sevenfold/chassis/testing/sweeps';
import { until } from '@sevenfold/chassis/testing/until';
import { type HeadServiceServer, HeadServiceService } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
import { decodeEntities } from '@sevenfold/text/html';
import type { Deps } from '../deps';
import { type Row, put } from '../testing/indexables';
import { administrator, startSeo } from '../testing/service';
import { faultsOf } from '../testing/sitemap-schema';
import { findCrawlerFile } from './crawler-files';
import { sitemapSweeps } from './make';
import * as store from './store';
import { renderSitemap } from './xml';

let site: TestService<Deps>;
let seo: Remote<HeadServiceServer>;
beforeAll(async () => {
  site = await startSeo();
  seo = site.dial<HeadServiceServer>(HeadServiceService, 'gateway');
});
afterAll(async () => {
  seo.close();
  await site.stop();
});
beforeEach(async () => {
  const { db, memory } = site.deps;
  for (const table of ['indexables', 'sitemap_changes', 'sitemaps', 'settings'])
    await db.run(`delete from ${table}`);
  memory.forget('settings');
});

const ask = (path: string, known: readonly string[] = []) => seo.getCrawlerFile({ path, known: [...known] });
const text = async (path: string): Promise<string | undefined> => {
  const { found, body } = await ask(path);
  return found ? body.toString() : undefined;
};
const addresses = async (path: string): Promise<string[]> =>
  Array.from(((await text(path)) ?? '').matchAll(/<loc>(.*?)<\/loc>/g), ([, url]) =>
    decodeEntities(url as string),
  );
const configure = (answers: Record<string, unknown>): Promise<unknown> =>
  site.as(administrator).post('/configurator', answers);
const makeAll = (): Promise<void> => runSweep(sitemapSweeps, 'make-sitemaps', site.deps);

describe('sitemaps', () => {
  test('are by kind, with pictures and the day of the last change', async () => {
    await put(site.deps.db, [
      {
        id: 1,
        permalink: 'http://site.test/a/?x=1&y=<2>',
        images: ['http://site.test/a&b.png', 'http://site.test/c.png'],
      },
      { id: 2, subtype: 'page', modified: null },
      {
        id: 0,
        type: 'home',
        subtype: 'home',
        permalink: 'http://site.test/',
        published: undefined,
        modified: null,
      },
      { id: 3, subtype: 'event' },
      { id: 1, type: 'term', subtype: 'post_tag' },
      { id: 3, type: 'user', subtype: 'user' },
    ]);
    expect(await addresses('/sitemap.xml')).toEqual(
      ['event', 'page', 'post', 'post_tag', 'user'].map((kind) => `http://site.test/sitemap-${kind}-1.xml`),
    );
    expect(await text('/sitemap-post-1.xml')).toContain(
      '<url><loc>http://site.test/a/?x=1&amp;y=&lt;2&gt;</loc><lastmod>2026-02-03T04:05:06Z</lastmod>' +
        '<image:image><image:loc>http://site.test/a&amp;b.png</image:loc></image:image>' +
        '<image:image><image:loc>http://site.test/c.png</image:loc></image:image></url>',
    );
    expect(await addresses('/sitemap-page-1.xml')).toEqual(['http://site.test/', 'http://site.test/page-2/']);
    for (const file of ['/sitemap.xml', ...(await addresses('/sitemap.xml'))])
      expect([file, await faultsOf((await text(file.replace('http://site.test', ''))) as string)]).toEqual([
        file,
        [],
      ]);
  });

  test('leave out what is not public, not to be indexed, elsewhere, gone or too long', async () => {
    await put(site.deps.db, [
      { id: 1, isPublic: false },
      { id: 2, noindex: true },
      { id: 3, canonical: 'http://elsewhere.test/' },
      { id: 4, status: 'gone' },
      { id: 5, permalink: `http://site.test/${'x'.repeat(2_048)}` },
      { id: 6, canonical: 'http://site.test/post-6/' },
    ]);
    expect(await addresses('/sitemap-post-1.xml')).toEqual(['http://site.test/post-6/']);
    await put(site.deps.db, [{ id: 6, status: 'gone' }]);
    expect(await text('/sitemap-post-1.xml')).toBeUndefined();
    expect(await text('/sitemap.xml')).toBeUndefined();
  });

  test('hold what shares all but the last four digits', async () => {
    await put(site.deps.db, [{ id: 9_999 }, { id: 10_000 }, { id: 123_456 }]);
    expect(await addresses('/sitemap.xml')).toEqual(
      [1, 2, 13].map((number) => `http://site.test/sitemap-post-${number}.xml`),
    );
    expect(await addresses('/sitemap-post-1.xml')).toEqual(['http://site.test/post-9999/']);
    expect(await addresses('/sitemap-post-13.xml')).toEqual(['http://site.test/post-123456/']);
  });

  test('full ones are valid', async () => {
    await put(
      site.deps.db,
      Array.from({ length: 10_000 }, (_, id) => ({ id, images: [`http://site.test/${id}.png`] })),
    );
    expect(await addresses('/sitemap-post-1.xml')).toHaveLength(10_000);
    expect(await faultsOf((await text('/sitemap-post-1.xml')) as string)).toEqual([]);
  });

  test.each([
    '/sitemap-post-0.xml',
    '/sitemap-post-01.xml',
    '/sitemap-post-2.xml',
    '/sitemap-post.xml',
    '/sitemap-Post-1.xml',
    '/sitemap-post-999999999999.xml',
    '/sitemap-post-9999999999999.xml',
    '/sitemap-news.xml',
    '/sitemap',
    '/',
    '',
  ])('%s is none', async (path) => {
    await put(site.deps.db, [{ id: 1 }]);
    expect(await ask(path)).toMatchObject({ found: false, body: Buffer.alloc(0) });
  });

  test('are made once after a change, by whoever comes first, and keep their time where nothing they show changed', async () => {
    const { db } = site.deps;
    const version = async (): Promise<unknown> =>
      db.first('select xmin::text, digest, modified_at from sitemaps');
    await put(db, [{ id: 1 }, { id: 2 }]);
    await Promise.all(Array.from({ length: 6 }, () => text('/sitemap-post-1.xml')));
    const first = await version();
    await makeAll();
    await db.run('update indexables set incoming_link_count = 7, head_html = $1', ['other']);
    expect(await db.rows('select from sitemap_changes')).toEqual([]);
    await put(db, [{ id: 1, modified: '2026-03-04T05:06:07Z' }]);
    await put(db, [{ id: 1 }]);
    expect(await db.rows('select from sitemap_changes')).not.toEqual([]);
    await makeAll();
    expect([await version(), await db.rows('select from sitemap_changes')]).toEqual([first, []]);
    await put(db, [{ id: 1, images: ['http://site.test/new.png'] }]);
    await makeAll();
    expect(await version()).not.toEqual(first);
  });

  test('made twice within a second have two times, so that who knows the first of them is sent the second', async () => {
    const { db } = site.deps;
    const second = async (): Promise<string | undefined> =>
      (await db.first<{ at: string }>(`select date_trunc('second', now())::text as at`))?.at;
    const times = await until(async () => {
      await db.run('delete from sitemaps');
      const begun = await second();
      const made: string[] = [];
      for (const image of ['one', 'two']) {
        await put(db, [{ id: 1, images: [`http://site.test/${image}.png`] }]);
        made.push((await ask('/sitemap-post-1.xml')).modifiedUtc);
      }
      return (await second()) === begun && made;
    });
    const [first, last] = times.map((time) => Date.parse(time)) as [number, number];
    expect(last).toBeGreaterThan(first);
    expect(await text('/sitemap.xml')).toContain(`<lastmod>${times[1]}</lastmod>`);
  });

  test('the first one is waited for by whoever asks for the index while somebody else makes it', async () => {
    const { db } = site.deps;
    await put(db, [{ id: 1 }]);
    const [index] = await db.transaction(async (tx) => {
      await store.lock(tx, { kind: 'post', bucket: 0 });
      const asked = addresses('/sitemap.xml');
      await Promise.race([asked, untilLocked(db, '%pg_advisory_xact_lock%')]);
      // In a list: the answer comes after the lock is free.
      return [asked] as const;
    });
    expect(await index).toEqual(['http://site.test/sitemap-post-1.xml']);
  });

  test('are not sent to whoever has them where they are too large to be kept for all', async () => {
    await put(site.deps.db, [{ id: 1 }]);
    const small = await ask('/sitemap-post-1.xml');
    expect(await ask('/sitemap-post-1.xml', [small.digest])).toEqual(small);
    const images = Array.from({ length: 20_000 }, (_, image) => `http://site.test/${image}.png`);
    await put(site.deps.db, [{ id: 1, images }]);
    const { digest, modifiedUtc } = await ask('/sitemap-post-1.xml');
    expect(digest).not.toBe('');
    const again = await ask('/sitemap-post-1.xml', ['other', digest]);
    expect(again).toMatchObject({ found: true, digest, modifiedUtc, body: Buffer.alloc(0) });
    await put(site.deps.db, [{ id: 2 }]);
    expect((await ask('/sitemap-post-1.xml', [digest])).body.length).toBeGreaterThan(0);
  });

  test('show after any edits what a recount finds', async () => {
    const { db } = site.deps;
    let seed = 11;
    const dice = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most;
    const some = (): Row => {
      const id = [5, 9_990, 10_005, 20_001][dice(4)]! + dice(12);
      return {
        id,
        subtype: ['post', 'page', 'event'][dice(3)],
        isPublic: dice(5) > 0,
        noindex: dice(6) === 0,
        status: dice(6) === 0 ? 'gone' : 'publish',
        permalink: `http://site.test/${id}-${dice(3)}/`,
        images: dice(2) === 0 ? [] : [`http://site.test/${dice(3)}.png`],
      };
    };
    for (let edit = 0; edit < 2_000;) {
      const batch = new Map(Array.from({ length: 1 + dice(12) }, some).map((row) => [row.id, row]));
      await put(db, [...batch.values()]);
      edit += batch.size;
      if (dice(10) === 0) await db.run('delete from indexables where object_id = $1', [5 + dice(12)]);
      if (dice(6) === 0) await makeAll();
      if (dice(9) === 0) await text(`/sitemap-${['post', 'page', 'event'][dice(3)]}-${1 + dice(3)}.xml`);
    }
    const shown: string[] = [];
    for (const url of await addresses('/sitemap.xml'))
      shown.push(...(await addresses(new URL(url).pathname)));
    const recount = await db.rows<{ permalink: string; images: string[] }>(
      `select permalink, images from indexables
       where is_public and not is_noindex and status <> 'gone'`,
    );
    expect(shown.sort()).toEqual(recount.map(({ permalink }) => permalink).sort());
    expect(recount.length).toBeGreaterThan(10);
  });

  test('reading and making one looks at its own objects alone, however many there are', async () => {
    const { db } = site.deps;
    await db.run(
      `insert into indexables (object_type, object_id, object_subtype, status, is_public, version, made_for, read_no, permalink)
       select 'post', n, 'post', 'publish', true, '', '', 1, 'http://site.test/' || n from generate_series(1, 60000) as n`,
    );
    await db.run('analyze indexables');
    expect(await addresses('/sitemap-post-3.xml')).toHaveLength(10_000);
    const plan = JSON.stringify(
      await db.rows(
        `explain (format json) select permalink from indexables
         where is_listed and object_subtype = any ($1) and object_id >= 20000 and object_id < 30000`,
        [['post']],
        { planFor: 'values' },
      ),
    );
    expect(plan).toMatch(/"Index Cond":"[^"]*object_id >= 20000/);
    expect(plan).not.toContain('Seq Scan');
  });
});

test('a sitemap without room leaves out pictures first, then entries, and stays whole', async () => {
  const entries = Array.from({ length: 50 }, (_, n) => ({
    permalink: `http://site.test/${n}/`,
    modified: null,
    images: [`http://site.test/${'x'.repeat(100)}.png`],
  }));
  const whole = renderSitemap(entries, 1_000_000);
  expect([whole.entries, whole.left]).toEqual([50, 0]);
  const few = renderSitemap(entries, 5_000);
  expect([few.entries, few.left, Buffer.byteLength(few.body) <= 5_000]).toEqual([50, 0, true]);
  expect(few.body.match(/<image:loc>/g)?.length).toBeGreaterThan(0);
  const least = renderSitemap(entries, 1_000);
  expect([least.entries + least.left, Buffer.byteLength(least.body) <= 1_000]).toEqual([50, true]);
  expect(least.entries).toBeGreaterThan(0);
  expect(least.body).not.toContain('<image:loc>');
  for (const { body } of [whole, few, least]) expect(await faultsOf(body)).toEqual([]);
});

describe('news', () => {
  const hours = (back: number): string => new Date(Date.now() - back * 3_600_000).toISOString();
  const newest = `${hours(1).slice(0, 19)}Z`;
  beforeEach(() =>
    put(site.deps.db, [
      { id: 1, published: newest, name: 'Fish & «Chips» <b>\u{1F41F}\uFFFF' },
      { id: 2, published: hours(47) },
      { id: 3, published: hours(49) },
      { id: 4, published: hours(1), noindex: true },
      { id: 5, published: hours(1), subtype: 'page' },
      { id: 6, published: hours(-1) },
    ]),
  );

  test('are told where they are switched on: posts of the last two days', async () => {
    expect(await text('/sitemap-news.xml')).toBeUndefined();
    await configure({ newsSitemap: true, siteName: 'The «Ferry» & Co' });
    // They change as time goes by, and with what is taken out of them: a client is asked for the digest of what it has, not for its time.
    for (const path of ['/sitemap.xml', '/sitemap-news.xml']) expect((await ask(path)).modifiedUtc).toBe('');
    expect(await addresses('/sitemap-news.xml')).toEqual([
      'http://site.test/post-1/',
      'http://site.test/post-2/',
    ]);
    expect(await addresses('/sitemap.xml')).toContain('http://site.test/sitemap-news.xml');
    const news = (await text('/sitemap-news.xml')) as string;
    expect(news).toContain('<news:title>Fish &amp; «Chips» &lt;b&gt;\u{1F41F}</news:title>');
    expect(news).toContain('<news:name>The «Ferry» &amp; Co</news:name><news:language>en</news:language>');
    expect(await faultsOf(news)).toEqual([]);
    const until: unknown[] = [];
    await findCrawlerFile(site.deps, '/sitemap.xml', (_, more) => void until.push(more?.until));
    // Nobody is told when the last of them is none any more.
    expect(until.filter(Boolean)).toEqual([Date.parse(newest) + 48 * 3_600_000]);
    await site.deps.db.run(`update indexables set published_at = now() - interval '3 days'`);
    until.length = 0;
    await findCrawlerFile(site.deps, '/sitemap.xml', (_, more) => void until.push(more?.until));
    expect(until.filter(Boolean)).toEqual([]);
    expect(await text('/sitemap-news.xml')).toBeUndefined();
    expect(await addresses('/sitemap.xml')).not.toContain('http://site.test/sitemap-news.xml');
  });
});

describe('/robots.txt', () => {
  test('names the sitemap and what crawlers shall leave alone', async () => {
    expect(await text('/robots.txt')).toBe(
      'User-agent: *\nDisallow: /console/\n\nSitemap: http://site.test/sitemap.xml\n',
    );
    await configure({ disallowedPaths: '/private/\n/*.pdf$' });
    expect(await text('/robots.txt')).toContain('Disallow: /private/\nDisallow: /*.pdf$\n');
  });

  test('closes all of a site that is not to be found, which has no sitemaps', async () => {
    await put(site.deps.db, [{ id: 1 }]);
    await configure({ environment_type: 'staging', disallowedPaths: '/private/' });
    expect(await text('/robots.txt')).toBe('User-agent: *\nDisallow: /\n');
    expect([await text('/sitemap.xml'), await text('/sitemap-post-1.xml')]).toEqual([undefined, undefined]);
  });
});
