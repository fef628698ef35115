/** The proxy against an outside of one machine, whose servers do what servers out there do. */
import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import type { Answer, TestService } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import type { Deps } from '../deps';
import type { Kept } from './cache';
import { type Outward, html, json, startOutside } from '../testing/outside';
import { startOembedAlone } from '../testing/service';

let out: Outward;
let site: TestService<Deps>;

const contributor: Actor = {
  ...stranger,
  id: 7,
  username: 'writer',
  roles: ['contributor'],
  capabilities: new Set(['edit_posts']),
};

beforeAll(async () => {
  out = await startOutside({ 'inside.test': '10.0.0.7', 'loop.test': '127.0.0.9', 'six.test': 'fd00::1' });
  site = await startOembedAlone(
    {},
    {
      outside: out.outside,
      providers: [
        {
          provider_name: 'Video',
          endpoints: [
            { schemes: ['https://*.video.test/watch/*'], url: out.at('video.test', '/oembed.{format}') },
          ],
        },
      ],
    },
  );
});
afterAll(async () => {
  await site.stop();
  await out.stop();
});
beforeEach(() => {
  out.pages.clear();
  out.asked.length = 0;
});

const ask = (url: string, query: Record<string, string> = {}, by = contributor): Promise<Answer> =>
  site.as(by).get(`/proxy?${new URLSearchParams({ url, ...query }).toString()}`);

let pages = 0;
/** A page that names its oEmbed data, which are these. */
function page(data: object): string {
  const path = `/page-${++pages}`;
  const link = `<link rel="alternate" type="application/json+oembed" href="/data${path}?a=1&amp;b=2">`;
  out.pages.set(path, html(`<title><link></title>${link}`));
  out.pages.set(`/data${path}`, json(data));
  return out.at('pages.test', path);
}

const rich = (markup: string): object => ({ version: '1.0', type: 'rich', title: 'T', html: markup });
const FRAME = '<iframe src="https://player.video.test/1?a=1&amp;b=2" onload="x()"></iframe>';

describe('GET /proxy', () => {
  test('is for those who may write posts', async () => {
    const url = encodeURIComponent(page(rich(FRAME)));
    const asked = async (actor?: Actor) => {
      const { status, body } = await site.as(actor).get(`/proxy?url=${url}`);
      return [status, body.code];
    };
    expect(await asked()).toEqual([401, 'rest_forbidden']);
    expect(await asked({ ...contributor, capabilities: new Set(['read']) })).toEqual([403, 'rest_forbidden']);
    expect(await asked(contributor)).toEqual([200, undefined]);
  });

  test('asks the provider that the list names', async () => {
    const { href } = new URL('https://www.video.test/watch/1?t=2#here');
    out.pages.set(
      '/oembed.json',
      json({ type: 'video', html: FRAME, width: 1280, height: '720', title: 'A &amp; B' }),
    );
    const { status, body } = await ask(href, { maxwidth: '640', maxheight: '300' });
    expect([status, out.asked]).toEqual([
      200,
      ['/oembed.json?url=https%3A%2F%2Fwww.video.test%2Fwatch%2F1%3Ft%3D2&maxwidth=640&maxheight=300'],
    ]);
    expect(body).toEqual({
      version: '1.0',
      type: 'video',
      title: 'A & B',
      width: 533,
      height: 300,
      html:
        '<iframe src="https://player.video.test/1?a=1&amp;b=2" width="533" height="300" title="A &amp; B"' +
        ' sandbox="allow-scripts allow-popups allow-presentation allow-same-origin allow-forms allow-popups-to-escape-sandbox"' +
        ' allow="fullscreen; picture-in-picture" referrerpolicy="strict-origin-when-cross-origin" loading="lazy" frameborder="0" allowfullscreen></iframe>',
    });
  });

  test('finds out what a page names, unless it is told not to', async () => {
    const url = page(rich(FRAME));
    const off = await ask(url, { discover: 'false' });
    expect([off.status, off.body.code, out.asked]).toEqual([404, 'oembed_invalid_url', []]);
    const { status, body } = await ask(url, { maxwidth: 'wide', format: 'xml' });
    expect([status, body.width, body.height]).toEqual([200, 600, 338]);
    expect(body.html).toContain('sandbox="allow-scripts allow-popups allow-presentation"');
    expect(out.asked[1]).toMatch(/^\/data\/page-\d+\?a=1&b=2&maxwidth=600$/);
    for (const query of [{ discover: 'maybe' }, { format: 'yaml' }] as Record<string, string>[])
      expect((await ask(url, query)).body.code).toBe('rest_invalid_param');
  });

  test('what a page names is found from the address that the page says it stands at', async () => {
    const named = async (head: string): Promise<string | undefined> => {
      const path = `/based/page-${++pages}`;
      out.asked.length = 0;
      out.pages.set(path, html(head));
      await ask(out.at('pages.test', path));
      return out.asked[1];
    };
    const link = '<link rel="alternate" type="application/json+oembed" href="data.json">';
    const asked = '?maxwidth=600';
    expect(await named(link)).toBe(`/based/data.json${asked}`);
    expect(await named(`<base href="/else/where">${link}`)).toBe(`/else/data.json${asked}`);
    // The first one with an address counts, for links before it as well.
    expect(await named(`${link}<base target="_top"><base href="/else/"><base href="/third/">`)).toBe(
      `/else/data.json${asked}`,
    );
    expect(await named(`<base href="http://[">${link}`)).toBe(`/based/data.json${asked}`);
  });

  test('reads XML, and no entities of its own', async () => {
    const xml = (text: string) => {
      const path = `/xml-${++pages}`;
      out.pages.set(path, html(`<link href='/x${path}' rel="nofollow alternate" type="text/xml+oembed"/>`));
      out.pages.set(
        `/x${path}`,
        (_request, response) => void response.setHeader('Content-Type', 'text/xml').end(text),
      );
      return ask(out.at('pages.test', path));
    };
    const photo =
      '<oembed><version>1.0</version><type>photo</type><url>https://img.test/1.jpg</url><width>1200</width><height>800</height><title>S &amp;amp; P</title></oembed>';
    expect((await xml(`<?xml version="1.0"?>\n${photo}`)).body).toMatchObject({
      type: 'photo',
      width: 600,
      height: 400,
      url: 'https://img.test/1.jpg',
      html: expect.stringMatching(
        /^<a href="http:\/\/pages\.test:\d+\/xml-\d+"><img src="https:\/\/img\.test\/1\.jpg" alt="S &amp; P" width="600" height="400" \/><\/a>$/,
      ),
    });
    expect((await xml(`<!DOCTYPE o [<!ENTITY a "aaaa">]>${photo}`)).status).toBe(404);
    expect((await xml('<oembed><type>photo')).status).toBe(404);
    // Each tag costs time that others wait for.
    expect((await xml(photo.replace('</oembed>', `${'<b>1</b>'.repeat(10_000)}</oembed>`))).status).toBe(404);
  });

  test.each([
    [
      'a script',
      '<script src="https://evil.test/x.js"></script>',
      /^<a href="http:\/\/pages\.test:\d+\/page-\d+">T<\/a>$/,
    ],
    [
      'a quote with a script',
      '<blockquote onclick="x()"><p>Said <b>so</b> <a href="javascript:x()">here</a></p></blockquote><script>steal()</script><style>*{}</style>',
      /^<blockquote>Said <b>so<\/b> <a>here<\/a><\/blockquote>$/,
    ],
    ['what never ends', '<blockquote>open <iframe', /^<blockquote>open/],
    ['a frame without https', '<iframe src="http://player.test/"></iframe>', /^<a href=/],
    ['a frame of data', '<iframe src="data:text/html,x"></iframe>', /^<a href=/],
    ["a frame of the site's own", '<iframe src="https://site.test/console/"></iframe>', /^<a href=/],
    ['a picture that runs', '<img src=x onerror=alert(1)>', /^<a href=/],
  ])('of %s only what is harmless is left', async (_what, markup, left) => {
    const { body } = await ask(page(rich(markup)));
    expect(body.html).toMatch(left);
    expect(body.html).not.toMatch(/script|steal|on(?:click|error)/);
  });

  test.each([
    ['no type', {}],
    ['a photo without https', { type: 'photo', url: 'http://img.test/1.jpg', width: 1, height: 1 }],
    ['a photo that runs', { type: 'photo', url: 'javascript:alert(1)', width: 1, height: 1 }],
    ['HTML that is none', { type: 'rich', html: { a: 1 } }],
    ['too much HTML', { type: 'rich', html: 'x'.repeat(30_000) }],
  ])('nothing comes of %s', async (_what, data) => {
    const { status, body } = await ask(page({ version: '1.0', ...data }));
    expect([status, body.code]).toEqual([404, 'oembed_invalid_url']);
  });

  test.each([
    '',
    'garbage',
    'ftp://pages.test/',
    'http://u:p@pages.test/',
    'javascript:alert(1)',
    `http://pages.test/${'x'.repeat(3000)}`,
  ])('nothing is asked about %.40s', async (url) => {
    const { status, body } = await ask(url);
    expect([status, body.code, out.asked]).toEqual([404, 'oembed_invalid_url', []]);
  });

  test.each([
    ['a name of a private address', () => out.at('inside.test', '/')],
    ['a name of another loopback address', () => out.at('loop.test', '/')],
    ['a name of a private address of IPv6', () => out.at('six.test', '/')],
    ['a private address', () => 'http://192.168.0.1/'],
    ['a number that is one', () => 'http://2130706434/'],
    ['an address for machines of clouds', () => 'http://169.254.169.254/latest/meta-data/'],
    ['loopback in IPv6', () => 'http://[::1]/'],
  ])('%s is not asked', async (_what, url) => {
    const { status, body } = await ask(url());
    expect([status, body.code, out.asked]).toEqual([404, 'oembed_invalid_url', []]);
  });

  test('redirects are followed to public addresses only, and so far', async () => {
    const to = (location: string, from = `/from-${++pages}`): string => {
      out.pages.set(from, (_request, response) => void response.writeHead(302, { location }).end());
      return out.at('pages.test', from);
    };
    const target = page(rich(FRAME));
    expect((await ask(to(target))).status).toBe(200);
    out.asked.length = 0;
    for (const inward of [
      out.at('inside.test', '/secret'),
      'http://127.0.0.9/secret',
      'file:///etc/passwd',
      '//[::1]/secret',
    ])
      expect((await ask(to(inward))).status).toBe(404);
    expect(out.asked.filter((path) => path.includes('secret'))).toEqual([]);
    out.asked.length = 0;
    expect((await ask(to('/round', '/round'))).status).toBe(404);
    expect(out.asked).toHaveLength(5);
    // The page is public, its data are not.
    const path = `/page-${++pages}`;
    out.pages.set(
      path,
      html(
        `<link rel="alternate" type="application/json+oembed" href="${out.at('inside.test', '/secret')}">`,
      ),
    );
    expect((await ask(out.at('pages.test', path))).status).toBe(404);
  });

  test('what lies about its type is judged by what it is', async () => {
    const path = `/page-${++pages}`;
    out.pages.set(path, html(`<link rel="alternate" type="application/json+oembed" href="/lie${path}">`));
    out.pages.set(`/lie${path}`, json(rich(FRAME), { 'Content-Type': 'image/png' }));
    expect((await ask(out.at('pages.test', path))).status).toBe(200);
    for (const text of ['<html>no</html>', '[1]', '"x"', '{"type":', '\0\0', '']) {
      const one = `/page-${++pages}`;
      out.pages.set(one, html(`<link rel="alternate" type="application/json+oembed" href="/lie${one}">`));
      out.pages.set(
        `/lie${one}`,
        (_request, response) => void response.setHeader('Content-Type', 'application/json').end(text),
      );
      expect([text, (await ask(out.at('pages.test', one))).status]).toEqual([text, 404]);
    }
    const image = `/page-${++pages}`;
    out.pages.set(
      image,
      (_request, response) =>
        void response
          .setHeader('Content-Type', 'image/png')
          .end('<link rel="alternate" type="application/json+oembed" href="/x">'),
    );
    expect((await ask(out.at('pages.test', image))).status).toBe(404);
  });

  const RUSSIAN = 'CFF0E8E2E5F2';
  const inLatin = (text: string) => Buffer.from(text, 'latin1');
  const quoted = (hex: string) =>
    Buffer.concat([inLatin('{"type":"link","title":"'), Buffer.from(hex, 'hex'), inLatin('"}')]);
  const xmlOf = (declared: string, title: Buffer) =>
    Buffer.concat([
      inLatin(`<?xml version="1.0"${declared}?><oembed><type>link</type><title>`),
      title,
      inLatin('</title></oembed>'),
    ]);

  test.each([
    ['the header of JSON', 'application/json; charset=ISO-8859-1', quoted('E9'), 'é'],
    ['quotation marks', 'application/json;Charset="windows-1251"', quoted(RUSSIAN), 'Привет'],
    ['two bytes for a letter', 'application/json; charset=Shift_JIS', quoted('93FA967B'), '日本'],
    ['one that nobody knows', 'application/json; charset=mars-1', quoted('C3A9'), 'é'],
    ['none', 'application/json', quoted('C3A9'), 'é'],
    [
      'the texts of JSON',
      'text/html',
      inLatin('{"type":"link","html":"<meta charset=windows-1251>","title":"\xc3\xa9"}'),
      'é',
    ],
    [
      'a mark',
      'application/json; charset=iso-8859-1',
      Buffer.from('\ufeff{"type":"link","title":"é"}', 'utf16le'),
      'é',
    ],
    ['XML', 'text/xml', xmlOf(` encoding='windows-1251'`, Buffer.from(RUSSIAN, 'hex')), 'Привет'],
    ['XML, and the header', 'text/xml; charset=utf-8', xmlOf(' encoding="latin1"', Buffer.from('é')), 'é'],
    ['XML that is none of it', 'text/xml', xmlOf(' encoding="UTF-16"', Buffer.from('é')), 'é'],
    ['no XML', 'text/xml', xmlOf('', Buffer.from('é')), 'é'],
  ])('the encoding that %s says is read', async (_what, type, bytes, title) => {
    const path = `/page-${++pages}`;
    out.pages.set(path, html(`<link rel="alternate" type="text/xml+oembed" href="/data${path}">`));
    out.pages.set(
      `/data${path}`,
      (_request, response) => void response.writeHead(200, { 'Content-Type': type }).end(bytes),
    );
    const { status, body } = await ask(out.at('pages.test', path));
    expect([status, body.title]).toEqual([200, title]);
  });

  test.each([
    ['text/html', '<meta charset="iso-8859-1">', '%C3%BC'],
    ['text/html', '<!-- <meta charset="utf-8"> --><meta charset=latin1>', '%C3%BC'],
    [
      'text/html',
      '<META HTTP-EQUIV="Content-Type" content="text/html; charset=windows-1251">',
      encodeURIComponent('ь'),
    ],
    ['text/html; charset=iso-8859-1', '<meta charset="utf-8">', '%C3%BC'],
    ['text/html', `${' '.repeat(1_100)}<meta charset="iso-8859-1">`, '%EF%BF%BD'],
    ['text/html', '<meta charset>', '%EF%BF%BD'],
  ])('the encoding of a page: %s, %s', async (type, meta, letter) => {
    const path = `/page-${++pages}`;
    const link = '<link rel="alternate" type="application/json+oembed" href="/\xfc">';
    out.pages.set(
      path,
      (_request, response) =>
        void response.writeHead(200, { 'Content-Type': type }).end(inLatin(`<head>${meta}${link}</head>`)),
    );
    await ask(out.at('pages.test', path));
    expect(out.asked[1]).toMatch(new RegExp(`^/${letter}\\?`));
  });

  test('what is packed is unpacked, within bounds', async () => {
    const packed = (bytes: Buffer, encoding: string) => {
      const path = `/page-${++pages}`;
      out.pages.set(
        path,
        html(`<link rel="alternate" type="application/json+oembed" href="/packed${path}">`),
      );
      out.pages.set(
        `/packed${path}`,
        (_request, response) => void response.writeHead(200, { 'Content-Encoding': encoding }).end(bytes),
      );
      return ask(out.at('pages.test', path));
    };
    expect((await packed(gzipSync(JSON.stringify(rich(FRAME))), 'gzip')).status).toBe(200);
    const bomb = JSON.stringify({ ...rich(FRAME), title: ' '.repeat(64 * 1024 * 1024) });
    expect((await packed(gzipSync(bomb), 'gzip')).status).toBe(404);
    expect((await packed(Buffer.from('x'), 'gzip, gzip')).status).toBe(404);
    expect((await packed(Buffer.from('no gzip'), 'gzip')).status).toBe(404);
  });

  describe.each(['identity', 'gzip'])('of a page that comes as %s', (encoding) => {
    /** What its head holds besides the link, and what stands behind it; `open`: it never ends. */
    const found = async (before: string, body: string, open?: 'open') => {
      const path = `/page-${++pages}`;
      const link = `<link rel="alternate" type="application/json+oembed" href="/data${path}">`;
      out.pages.set(`/data${path}`, json(rich(FRAME)));
      out.pages.set(path, (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': encoding });
        const packer = encoding === 'gzip' ? createGzip() : new PassThrough();
        packer.pipe(response);
        packer.write(`<!doctype html><html><head>${before}${link}</head><body>${body}`);
        if (!open) return void packer.end();
        if (packer instanceof PassThrough) return;
        packer.flush();
      });
      return (await ask(out.at('pages.test', path))).status;
    };
    const words = randomBytes(1024 * 1024).toString('base64');

    test('no more than the head is read, however long it is', async () => {
      expect(await found('', words)).toBe(200);
      expect(await found('', 'The beginning', 'open')).toBe(200);
    });

    test('what looks like the end of the head in a comment or a script is none', async () => {
      expect(await found('<!-- Paste this before </head>, or behind <body>. -->', 'Text')).toBe(200);
      expect(await found(`<script>write('<body class="x">')</script>`, words)).toBe(200);
      expect(await found(`<!--</head>--><style>${words.slice(0, 100_000)}</style>`, words)).toBe(200);
    });
  });

  test('what is huge, endless or silent is given up', async () => {
    let [sent, cut] = [0, 0];
    out.pages.set('/endless', (_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      const pour = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536;
        response.once('drain', pour);
      };
      response.on('close', () => cut++);
      pour();
    });
    out.pages.set(
      '/huge',
      (_request, response) =>
        void response.writeHead(200, { 'Content-Type': 'text/html' }).end('x'.repeat(3_000_000)),
    );
    out.pages.set('/silent', () => undefined);
    out.pages.set('/drops', (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      const timer = setInterval(() => response.write('<'), 100);
      response.on('close', () => clearInterval(timer));
    });
    const paths = ['/endless', '/huge', '/silent', '/drops'];
    const answers = await Promise.all(paths.map((path) => ask(out.at('pages.test', path))));
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      paths.map(() => [404, 'oembed_invalid_url']),
    );
    expect(cut).toBe(1);
    // What was on its way in buffers of the machine counts, too.
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('what was resolved', () => {
  const key = async (): Promise<string[]> => {
    const prefix = site.deps.config.REDIS_PREFIX;
    return site.deps.redis.keys(`${prefix}:oembed:*`);
  };
  /** As if so much time had passed. */
  async function age(seconds: number): Promise<void> {
    for (const name of await key()) {
      const { freshUntil, staleUntil, ...kept } = JSON.parse(
        (await site.deps.redis.get(name)) as string,
      ) as Kept;
      const [fresh, stale] = [freshUntil, staleUntil].map((time) => time - seconds * 1000);
      await site.deps.redis.set(name, JSON.stringify({ ...kept, freshUntil: fresh, staleUntil: stale }), {
        KEEPTTL: true,
      });
    }
  }
  beforeEach(async () => {
    for (const name of await key()) await site.deps.redis.del(name);
  });

  test('is asked for once by many, and not again while it is fresh', async () => {
    const url = page({ ...rich(FRAME), cache_age: '3600' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(url)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(out.asked).toHaveLength(2);
    await ask(url);
    expect(out.asked).toHaveLength(2);
    await ask(url, { maxwidth: '300' });
    expect(out.asked).toHaveLength(4);
    const [name] = await key();
    // Fresh for an hour, of use for a week more.
    expect(await site.deps.redis.ttl(name as string)).toBeGreaterThan(7 * 86_400);
    await age(3_601);
    await ask(url);
    expect(out.asked).toHaveLength(6);
  });

  test.each([
    [0, 299, 301],
    [86_400 * 365, 7 * 86_400 - 1, 7 * 86_400 + 1],
    ['soon', 86_399, 86_401],
  ])('lasts as long as its provider says, within bounds: %p', async (cacheAge, fresh, old) => {
    const url = page({ ...rich(FRAME), cache_age: cacheAge });
    await ask(url);
    await age(fresh - 100);
    await ask(url);
    expect(out.asked).toHaveLength(2);
    await age(old - fresh + 100);
    await ask(url);
    expect(out.asked).toHaveLength(4);
  });

  test('stands in while its provider is away, and no longer when that says it is gone', async () => {
    const url = page(rich(FRAME));
    const data = `/data${new URL(url).pathname}`;
    expect((await ask(url)).status).toBe(200);
    await age(90_000);
    out.pages.set(data, (_request, response) => void response.writeHead(503).end());
    expect((await ask(url)).status).toBe(200);
    expect(out.asked).toHaveLength(4);
    // It is left alone for a while.
    expect((await ask(url)).status).toBe(200);
    expect(out.asked).toHaveLength(4);
    await age(31);
    out.pages.set(data, (request) => void request.socket.destroy());
    expect((await ask(url)).status).toBe(200);
    await age(31);
    out.pages.delete(data);
    expect((await ask(url)).status).toBe(404);
    const before = out.asked.length;
    expect((await ask(url)).status).toBe(404);
    expect(out.asked).toHaveLength(before);
    await age(61);
    out.pages.set(data, json(rich(FRAME)));
    expect((await ask(url)).status).toBe(200);
  });

  test('stands in for a week after it was fresh, and not for as long as somebody asks', async () => {
    const url = page(rich(FRAME));
    expect((await ask(url)).status).toBe(200);
    out.pages.set(`/data${new URL(url).pathname}`, (request) => void request.socket.destroy());
    for (const days of [2, 3, 2]) {
      await age(days * 86_400);
      expect((await ask(url)).status).toBe(200);
    }
    const [name] = await key();
    expect(await site.deps.redis.ttl(name as string)).toBeLessThan(86_400 + 60);
    await age(2 * 86_400);
    expect((await ask(url)).status).toBe(404);
  });

  test('stands in where too much is asked of its provider', async () => {
    const held: (() => void)[] = [];
    const url = page(rich(FRAME));
    expect((await ask(url)).status).toBe(200);
    await age(90_000);
    const others = Array.from({ length: 16 }, (_, index) => `/crowd-${index}`);
    for (const path of others)
      out.pages.set(path, (_request, response) => void held.push(() => response.writeHead(404).end()));
    let left = others.length;
    const crowd = others.map((path) => ask(out.at('pages.test', path)).finally(() => left--));
    await until(async () => (await ask(out.at('pages.test', '/one-more'))).status === 503);
    expect((await ask(url)).status).toBe(200);
    await until(() => {
      held.splice(0).forEach((answer) => answer());
      return left === 0;
    });
    expect(new Set((await Promise.all(crowd)).map(({ status }) => status))).toEqual(new Set([404]));
  });
});

test('four at once go to one host, and sixteen out in all', async () => {
  const held: (() => void)[] = [];
  const hold = (path: string): void =>
    void out.pages.set(path, (_request, response) => void held.push(() => response.writeHead(404).end()));
  const paths = Array.from({ length: 30 }, (_, index) => `/held-${index}`);
  paths.forEach(hold);
  const most = async (host: (index: number) => string, expected: number): Promise<number> => {
    out.forgetMost();
    // Two ask: nobody has all the room.
    const answers = paths.map((path, index) =>
      ask(out.at(host(index), path), {}, { ...contributor, id: contributor.id + (index % 2) }),
    );
    await until(() => held.length === expected);
    let left = answers.length;
    for (const answer of answers) void answer.finally(() => left--);
    await until(() => {
      held.splice(0).forEach((answer) => answer());
      return left === 0;
    });
    return out.mostAtOnce();
  };
  expect(await most(() => 'one.test', 4)).toBe(4);
  expect(await most((index) => `host-${index}.test`, 16)).toBe(16);
});
