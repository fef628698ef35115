/** What a site may answer that is broken, endless, or means no good. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FetchedFile } from '@sevenfold/content/site-import/files';
import { TooLarge, Unreachable, isOf } from './ask';
import { collectionOf, collections } from './collections';
import { findInterface } from './root';
import { type Given, type StrangeSite, askerOf, startStrange } from './testing';
import { type Page, walk } from './walk';
import { openWritten } from './written';

let stop: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of stop.reverse()) await one();
  stop = [];
});

async function start(answer: Parameters<typeof startStrange>[0], more: Parameters<typeof askerOf>[1] = {}) {
  const site = await startStrange(answer);
  const ask = askerOf(site.url, more);
  stop.push(site.stop, ask.close);
  return { site, ask };
}

const INDEX: Given = {
  body: { namespaces: ['wp/v2', 'tribe/events/v1'], routes: {}, home: 'https://old.example' },
};

describe('the interface is found', () => {
  test.each<
    [string, (path: string, query: URLSearchParams, site: () => StrangeSite) => Given | undefined, string]
  >([
    [
      'by what a page says',
      (at, _query, site) =>
        at === '/'
          ? { headers: { link: `<${site().url.href}api/>; rel="https://api.w.org/"` }, body: '<html>' }
          : at === '/api/'
            ? INDEX
            : undefined,
      '/api/wp/v2/posts?page=1',
    ],
    ['at its usual place', (at) => (at === '/wp-json/' ? INDEX : undefined), '/wp-json/wp/v2/posts?page=1'],
    [
      'by an argument',
      (_at, query) => (query.get('rest_route') === '/' ? INDEX : undefined),
      '/?rest_route=%2Fwp%2Fv2%2Fposts&page=1',
    ],
    [
      'of a site of this kind',
      (at) => (at === '/rest/' ? { body: { namespaces: ['core/v2'] } } : undefined),
      '/rest/core/v2/posts?page=1',
    ],
  ])('%s', async (_how, answer, place) => {
    const all: { site?: StrangeSite } = {};
    const { site, ask } = await start((at, query) => answer(at, query, () => all.site as StrangeSite));
    all.site = site;
    const face = await findInterface(ask, site.url);
    const { pathname, search } = face.address('core/v2', '/posts', { page: '1' });
    expect(pathname + search).toBe(place);
  });

  test('nowhere is told with what was tried', async () => {
    const { site, ask } = await start(() => ({ body: 'no JSON at all' }));
    await expect(findInterface(ask, site.url)).rejects.toThrow(/no interface that can be read .*wp-json/);
  });
});

describe('an answer', () => {
  test('that never ends is cut', async () => {
    const { site, ask } = await start(() => ({
      raw: (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = (): void => {
          while (!response.destroyed && response.write(' '.repeat(1024 * 1024)));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      },
    }));
    await expect(ask.json(site.url)).rejects.toThrow(TooLarge);
  });

  test('is waited for again, for as long as the site asks, and then given up', async () => {
    let left = 2;
    const { site, ask } = await start(() =>
      left-- > 0 ? { status: 429, headers: { 'retry-after': '0' } } : { body: [1] },
    );
    expect((await ask.json(site.url)).body).toEqual([1]);
    expect(site.asked).toHaveLength(3);
    const closed = await start(() => ({ raw: (response) => void response.destroy() }));
    await expect(closed.ask.json(closed.site.url)).rejects.toThrow(Unreachable);
    expect(closed.site.asked.length).toBeGreaterThanOrEqual(6);
  });

  test('that wants a longer rest than an answer may take is asked as often as any other', async () => {
    const { site, ask } = await start(() => ({ status: 429, headers: { 'retry-after': '1' } }), {
      answerMs: 900,
    });
    await expect(ask.json(site.url)).rejects.toThrow(/status 429/);
    expect(site.asked).toHaveLength(6);
  });

  test('that is no JSON, or nested beyond measure, is none', async () => {
    const texts = ['<html>', '['.repeat(200_000), '\uFEFF[1]', 'Notice: broken\n{"a":1}'];
    const { site, ask } = await start((_at, query) => ({ body: texts[Number(query.get('n'))] as string }));
    const read = async (n: number) => (await ask.json(new URL(`?n=${n}`, site.url))).body;
    expect([await read(0), await read(1), await read(2), await read(3)]).toEqual([
      undefined,
      undefined,
      [1],
      { a: 1 },
    ]);
  });
});

describe('what comes packed though nobody asked for it', () => {
  const packed = (bytes: Buffer, status = 200): Given => ({
    raw: (response) => void response.writeHead(status, { 'content-encoding': 'gzip' }).end(bytes),
  });

  test('is read as it is meant', async () => {
    const { site, ask } = await start((at) =>
      at === '/none'
        ? packed(Buffer.alloc(0), 404)
        : packed(gzipSync(at === '/bomb' ? Buffer.alloc(64 * 1024 * 1024, 32) : JSON.stringify([at]))),
    );
    const read = (at: string) => ask.json(new URL(at, site.url));
    expect((await read('/list')).body).toEqual(['/list']);
    expect(await read('/none')).toMatchObject({ status: 404, body: undefined });
    await expect(read('/bomb')).rejects.toThrow(TooLarge);
  });

  test('is stored as it is meant, a packed file as it is', async () => {
    const bytes = gzipSync('a file');
    const { site, ask } = await start(() => packed(bytes));
    const folder = await mkdtemp(path.join(tmpdir(), 'packed-files-'));
    stop.push(() => rm(folder, { recursive: true, force: true }));
    const fetched = async (name: string) => {
      const file = await ask.file(new URL(name, site.url).href, folder);
      return readFile((file as FetchedFile).file);
    };
    expect(String(await fetched('/page.html'))).toBe('a file');
    expect(await fetched('/all.tgz')).toEqual(bytes);
  });
});

describe('where a site leads', () => {
  // By these names the test knows places on the one machine that it has.
  const outgoing = (inside: readonly string[]): Parameters<typeof askerOf>[1] => ({
    allowPrivate: false,
    isPublic: (address) => address === '127.0.0.1',
    resolve: ((name: string, _options: unknown, done: (error: null, found: object[]) => void) =>
      done(null, [{ address: inside.includes(name) ? '10.0.0.1' : '127.0.0.1', family: 4 }])) as never,
    authorization: 'Basic secret',
  });

  test('inward nobody follows: by name, by number, and by a name that leads there', async () => {
    for (const target of [
      'http://inside.example/',
      'http://10.0.0.1/',
      'http://[::1]/',
      'file:///etc/passwd',
    ]) {
      const { site, ask } = await start(
        () => ({ status: 302, headers: { location: target } }),
        outgoing(['inside.example']),
      );
      await expect(ask.json(site.url)).rejects.toThrow(/not at a public address|no address/);
      expect(site.asked).toHaveLength(1);
    }
  });

  test('in circles it ends', async () => {
    const { site, ask } = await start(() => ({ status: 302, headers: { location: '/' } }));
    await expect(ask.json(site.url)).rejects.toThrow(/redirects more than/);
    expect(site.asked).toHaveLength(6);
  });

  test('credentials go to the site that was named and nowhere else', async () => {
    const elsewhere = await startStrange(() => ({ body: [2] }));
    stop.push(elsewhere.stop);
    const there = `http://elsewhere.example:${elsewhere.url.port}/x`;
    const { site, ask } = await start(
      (at) => (at === '/away' ? { status: 302, headers: { location: there } } : { body: [1] }),
      outgoing([]),
    );
    await ask.json(site.url);
    expect((await ask.json(new URL('/away', site.url))).body).toEqual([2]);
    const folder = await mkdtemp(path.join(tmpdir(), 'strange-'));
    stop.push(() => rm(folder, { recursive: true }));
    await ask.file(there, folder);
    expect(site.asked.map(({ authorization }) => authorization)).toEqual(['Basic secret', 'Basic secret']);
    expect(elsewhere.asked.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
  });

  test.each<[string, string, boolean]>([
    ['https://old.example', 'https://www.old.example/wp-json/', true],
    ['http://old.example', 'https://old.example/', true],
    ['https://old.example', 'http://old.example/', false],
    ['https://old.example', 'https://old.example.evil.example/', false],
    ['https://old.example', 'https://old.example:8443/', false],
    ['http://old.example:8080', 'http://old.example:8080/x', true],
  ])('%s is %s: %s', (site, url, is) => expect(isOf(new URL(site), new URL(url))).toBe(is));
});

describe('a collection', () => {
  const posts = collections.find(({ one }) => one === 'post');
  const row = (id: number): object => ({ id });

  async function read(answer: (page: number, size: number) => Given) {
    const { site, ask } = await start((at, query) =>
      at === '/wp-json/'
        ? INDEX
        : at.endsWith('/posts')
          ? answer(Number(query.get('page')), Number(query.get('per_page')))
          : undefined,
    );
    const face = await findInterface(ask, site.url);
    const skipped: string[] = [];
    const pages: Page[] = [];
    const walker = { ask, face, skip: (reason: string) => void skipped.push(reason) };
    for await (const page of walk(walker, collectionOf(posts!, face, {}))) pages.push(page);
    return {
      ids: pages.flatMap(({ items }) => items.map(({ id }) => id)),
      skipped,
      asked: site.asked.length,
    };
  }
  const rows = (from: number, to: number): object[] =>
    Array.from({ length: to - from + 1 }, (_, n) => row(from + n));

  test('is read to its end, whatever its totals say', async () => {
    const honest = await read((page) => ({
      body: page === 1 ? rows(1, 100) : page === 2 ? rows(101, 130) : [],
    }));
    expect(honest.ids).toHaveLength(130);
    const few = await read((page) => ({
      headers: { 'x-wp-totalpages': '1', 'x-wp-total': '3' },
      body: page === 1 ? rows(1, 100) : page === 2 ? rows(101, 105) : [],
    }));
    expect(few.ids).toHaveLength(105);
    const many = await read((page) => ({
      headers: { 'x-wp-totalpages': '999999999' },
      body: page === 1 ? rows(1, 100) : [],
    }));
    expect(many.ids).toHaveLength(100);
    expect(many.asked).toBeLessThan(100);
  });

  test('whose rows are dropped is read on; one that repeats ends', async () => {
    const dropped = await read((page) => ({
      headers: { 'x-wp-totalpages': '3' },
      body: page === 2 ? [] : rows(page * 100, page * 100 + 5),
    }));
    expect(dropped.ids).toHaveLength(12);
    const endless = await read(() => ({ body: rows(1, 100) }));
    expect([endless.ids.length, endless.skipped]).toEqual([100, ['its pages repeat: the rest is not read']]);
  });

  test('with one thing that breaks the site gives all others', async () => {
    const { ids, skipped } = await read((page, size) => {
      const from = (page - 1) * size + 1;
      const to = Math.min(from + size - 1, 130);
      if (from <= 117 && 117 <= to) return { body: 'Fatal error' };
      return { body: from > 130 ? [] : rows(from, to) };
    });
    expect(ids).toEqual(
      rows(1, 130).flatMap((one) => ((one as { id: number }).id === 117 ? [] : [(one as { id: number }).id])),
    );
    expect(skipped).toHaveLength(1);
  });

  test('of anything but objects has none', async () => {
    const { ids } = await read((page) => ({ body: page === 1 ? [null, 1, 'x', [], { id: 4 }] : [] }));
    expect(ids).toEqual([4]);
  });
});

describe('texts of a calendar as they were written', () => {
  const route = { endpoints: [{ methods: ['GET'], args: { context: {} } }] };
  const index: Given = {
    body: { namespaces: ['wp/v2', 'tribe/events/v1'], routes: { '/wp/v2/tribe_events': route } },
  };
  const post = (id: number): object => ({
    id,
    title: { raw: `Title ${id}` },
    content: { raw: `Text ${id}` },
    excerpt: { raw: '', rendered: '<p>made</p>' },
  });

  test('are those of the posts that events are on the original', async () => {
    const { site, ask } = await start((at, query) => {
      if (at === '/wp-json/') return index;
      if (at !== '/wp-json/wp/v2/tribe_events') return undefined;
      // It may not be asked for every status.
      return query.has('status') ? { status: 400, body: {} } : { body: [post(3), { id: 4 }, post(5), 'x'] };
    });
    const face = await findInterface(ask, site.url);
    const written = openWritten(ask, face);
    const before = site.asked.length;
    expect([...(await written.of('event', ['3', '4']))]).toEqual([
      ['3', { title: 'Title 3', description: 'Text 3', excerpt: '' }],
    ]);
    await written.of('event', ['3']);
    // What was refused once is not asked for again.
    expect(
      site.asked.slice(before).map(({ path: asked }) => new URLSearchParams(asked).get('status')),
    ).toEqual(['publish,future,draft,pending,private,trash', null, null]);
    // Venues have no such route, and the calendar none of its own.
    expect([...(await written.of('venue', ['3']))]).toEqual([]);
  });

  test('that may not be read are asked for once, and the rest goes on', async () => {
    const { site, ask } = await start((at) =>
      at === '/wp-json/' ? index : { status: 401, body: { code: 'rest_forbidden_context' } },
    );
    const written = openWritten(ask, await findInterface(ask, site.url));
    const before = site.asked.length;
    for (const id of ['1', '2', '3']) expect([...(await written.of('event', [id]))]).toEqual([]);
    expect(site.asked.length - before).toBe(3);
  });
});
