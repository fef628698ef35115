/**
 * What strangers try to make the site show others what is not meant for them: through its cache, through the paths of
 * files, by guessing credentials. A gateway that keeps nothing says what is right.
 */
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { variables } from '@sevenfold/gateway/config';
import type { RunningGateway } from '@sevenfold/gateway/gateway';
import { WINDOW_MS } from '@sevenfold/gateway/limits/counters';
import type { Db } from '@sevenfold/chassis/db/sql';
import { until } from '@sevenfold/chassis/testing/until';
import { type Site, startSite } from '../support/site';

let site: Site;
let plain: RunningGateway;
let administrator: Record<string, string>;
const folder = mkdtempSync(path.join(tmpdir(), 'sevenfold-attacks-'));
const SECRET = 'a file beside those that were uploaded';
const ATTEMPTS = variables.RATE_LIMIT_ATTEMPTS.default;

beforeAll(async () => {
  mkdirSync(path.join(folder, 'uploads'));
  writeFileSync(path.join(folder, 'secret.txt'), SECRET);
  site = await startSite(
    { RATE_LIMIT_ATTEMPTS: ATTEMPTS, CLIENT_PROFILES: 'wordpress' },
    { content: { UPLOADS_DIR: path.join(folder, 'uploads') } },
  );
  plain = await site.gateway({ CACHE_MEGABYTES: 0 });
  administrator = await until(() => site.signIn(site.content.users.administrator).catch(() => undefined));
  for (let n = 0; n < 3; n++)
    await site.client.post('/rest/core/v2/posts', { title: `Post ${n}`, status: 'publish' }, administrator);
});
afterAll(async () => {
  await plain?.stop();
  await site?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Got {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** The target goes out as it is written. */
const send = (url: string, target: string, options: http.RequestOptions = {}): Promise<Got> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const request = http.request({ hostname, port, path: target, agent: false, ...options }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    request.on('error', reject);
    request.end();
  });

/** What a reader sees of an answer, and a cache on the way goes by. */
const seen = ({ status, headers, text }: Got): unknown => ({
  status,
  text,
  headers: ['content-type', 'link', 'location', 'x-total', 'access-control-allow-origin', 'set-cookie'].map(
    (name) => headers[name],
  ),
});

describe('an answer that is kept is right for whoever comes next', () => {
  const rows: [string, http.OutgoingHttpHeaders, ((target: string) => string)?][] = [
    ['another host', { Host: 'evil.test' }],
    [
      'a forwarded host',
      { 'X-Forwarded-Host': 'evil.test', 'X-Host': 'evil.test', Forwarded: 'host=evil.test' },
    ],
    [
      'a forwarded protocol and port',
      { 'X-Forwarded-Proto': 'javascript', 'X-Forwarded-Port': '666', 'X-Forwarded-Scheme': 'nothttps' },
    ],
    [
      'a prefix',
      { 'X-Forwarded-Prefix': '/evil', 'X-Original-URL': '/rest/core/v2/users', 'X-Rewrite-URL': '/evil' },
    ],
    [
      'a forwarded address',
      { 'X-Forwarded-For': '127.0.0.1', 'X-Real-IP': '127.0.0.1', 'Client-IP': '127.0.0.1' },
    ],
    ['another method by header', { 'X-HTTP-Method-Override': 'DELETE', 'X-HTTP-Method': 'DELETE' }],
    ['an origin', { Origin: 'https://evil.test' }],
    ['a cookie', { Cookie: 'sevenfold_session=evil; language=evil' }],
    ['a language and a type', { 'Accept-Language': 'tlh', Accept: 'text/html;evil' }],
    ['a range', { Range: 'bytes=0-1' }],
    ['a condition', { 'If-None-Match': '*', 'If-Modified-Since': 'Fri, 31 Dec 2100 00:00:00 GMT' }],
    ['words of ours', { 'X-Sevenfold-Tags': 'evil', 'X-Sevenfold-Until': '1', 'X-Sevenfold-Actor': 'evil' }],
    ['an encoding', { 'Accept-Encoding': 'identity;q=0, *;q=0' }],
    ['an address with a host', {}, (target) => `http://evil.test${target}`],
    ['an envelope', {}, (target) => `${target}&_envelope`],
    ['another method by query', {}, (target) => `${target}&_method=DELETE`],
    ['a callback', {}, (target) => `${target}&_jsonp=evil`],
    ['a fragment', {}, (target) => `${target}#evil`],
    ['arguments in another order', {}, (target) => target.replace(/\?(.*)&(.*)/, '?$2&$1')],
    ['an argument twice', {}, (target) => `${target}&per_page=1&orderby=evil`],
    ['an argument in other letters', {}, (target) => target.replace('per_page', '%70er_page')],
  ];
  test.each(rows)('%s', async (name, headers, change = (target) => target) => {
    const row = rows.findIndex(([one]) => one === name);
    for (const collection of ['posts', 'categories']) {
      // Nobody has asked for it before.
      const target = `/rest/core/v2/${collection}?per_page=${10 + row}&order=asc`;
      await send(site.url, change(target), { headers });
      await send(site.url, change(target), { headers });
      const [now, kept] = [await send(site.url, target), await send(site.url, target)];
      const right = seen(await send(plain.url, target));
      expect([seen(now), seen(kept)]).toEqual([right, right]);
      expect(JSON.stringify(right)).not.toContain('evil');
    }
  });

  test('profiles have theirs for themselves', async () => {
    const ours = '/rest/core/v2/posts?per_page=77';
    const theirs = '/wp-json/wp/v2/posts?per_page=77';
    for (const target of [theirs, `/?rest_route=/wp/v2/posts&per_page=77`]) {
      await send(site.url, target);
      expect((await send(site.url, target)).text).toContain('/wp-json/');
    }
    for (let n = 0; n < 2; n++) expect((await send(site.url, ours)).text).not.toContain('wp-json');
  });
});

describe('an answer to a user is nobody else’s', () => {
  const me = '/rest/core/v2/users/me';
  test.each([
    '',
    '/',
    '/x.css',
    '/x.css?v=1',
    '%2fx.css',
    ';x.css',
    '.css',
    '%00.css',
    '%0a.css',
    '%23.css',
    '%3f.css',
    '?x.css',
    '?context=edit&.png',
    '/..%2fx.css',
    '/%2e%2e/me/x.js',
    '\\x.css',
  ])('%s behind it', async (tail) => {
    const own = await send(site.url, me + tail, { headers: administrator });
    if (own.status === 200) expect(own.headers['cache-control']).toMatch(/no-cache|private|no-store/);
    expect(own.status).toBeLessThan(500);
    const strangers = await send(site.url, me + tail);
    expect([strangers.status >= 400, strangers.status < 500]).toEqual([true, true]);
    expect(strangers.text).not.toContain(site.content.users.administrator.email);
    expect(strangers.headers['x-cache']).toBeUndefined();
  });
});

describe('no path of files leads elsewhere', () => {
  const up = [
    '..',
    '%2e%2e',
    '.%2e',
    '%252e%252e',
    '....',
    '..;',
    '..%00',
    '%c0%ae%c0%ae',
    '%uff0e%uff0e',
    '．．',
  ];
  const slashes = ['/', '//', '%2f', '%252f', '\\', '%5c', '%255c', '/./', '%00/', '%ef%bc%8f'];
  test.each(up)('%s with each slash', async (dots) => {
    for (const slash of slashes)
      for (const depth of [1, 2, 8]) {
        const tail = `${dots}${slash}`.repeat(depth);
        for (const target of [
          `/uploads/${tail}secret.txt`,
          `/uploads/2026${slash}${tail}secret.txt`,
          `/uploads/${tail}etc/passwd`,
        ]) {
          const { status, text } = await send(site.url, encodeURI(target).replace(/%25/g, '%'));
          expect([target, status >= 400 && status < 500]).toEqual([target, true]);
          expect(text).not.toMatch(/beside those|root:/);
        }
      }
  });

  test.each([
    '/uploads//etc/passwd',
    '/uploads/file:///etc/passwd',
    '/uploads/',
    '/uploads',
    '/uploads/.',
    '/uploads/%00',
    '/uploads/secret.txt%00.png',
    '//uploads/../secret.txt',
  ])('%s', async (target) => {
    // The page that says so may be late on a busy machine; it says nothing more then.
    const { status, text } = await until(async () => {
      const got = await send(site.url, target);
      expect(got.text).not.toContain(SECRET);
      return got.status !== 503 && got;
    });
    expect([status >= 400 && status < 500, text.includes(SECRET)]).toEqual([true, false]);
  });
});

test('guesses are few, from wherever they come at once, and whoever is right goes on', async () => {
  const ask = (n: number, localAddress: string): Promise<Got> =>
    send(site.url, '/rest/core/v2/users/me', {
      localAddress,
      headers: { Authorization: `Basic ${Buffer.from(`administrator:guess ${n}`).toString('base64')}` },
    });
  // Checking takes time, and the gateway waits four seconds for it: who is told to come again (503) has had no guess.
  const guess = (n: number, localAddress: string): Promise<Got> =>
    until(async () => {
      const got = await ask(n, localAddress);
      return got.status === 503 ? undefined : got;
    });
  const me = () =>
    send(site.url, '/rest/core/v2/users/me', { localAddress: '127.9.0.1', headers: administrator });
  await until(async () => (await me()).status === 200);
  const began = performance.now();
  const all = await Promise.all(Array.from({ length: 40 }, (_, n) => guess(n, '127.9.0.1')));
  // The minute goes on meanwhile, and gives back what it takes along.
  const most = ATTEMPTS * (1 + (performance.now() - began) / WINDOW_MS);
  const [wrong = 0, refused = 0] = [401, 429].map(
    (status) => all.filter((one) => one.status === status).length,
  );
  expect([wrong >= ATTEMPTS, wrong <= most, wrong + refused]).toEqual([true, true, 40]);
  expect((await me()).status).toBe(200);
  expect((await send(site.url, '/rest/core/v2/posts', { localAddress: '127.9.0.1' })).status).toBe(200);
  expect((await guess(41, '127.9.0.2')).status).toBe(401);
});

describe('addresses as long as they may be', () => {
  const numbers = (from: number, many: number): string =>
    Array.from({ length: many }, (_, index) => from + index).join(',');
  // Of lists of numbers, a thousand are taken. Those of venues and organizers have to be there.
  const LONG = 900_000_000_000;
  beforeAll(async () => {
    const { db } = site.service('calendar').deps as { readonly db: Db };
    for (const table of ['venues', 'organizers'])
      await db.run(
        `insert into ${table} (id, status, slug, date_local, date_utc, modified_local, modified_utc, name)
         select $1::bigint + n, 'publish', 'long-' || n, now(), now(), now(), now(), 'Long ' || n from generate_series(0, 999) as n`,
        [table === 'venues' ? LONG : LONG + 1_000],
      );
  });

  // Ten times what opens a breaker, each a question of its own.
  const questions = Array.from({ length: 50 }, (_, n) => n);

  test.each<[name: string, target: (n: number) => string, link: boolean]>([
    ['short ones', (n) => `/rest/core/v2/posts?exclude=${numbers(900_000 + n, 100)}&per_page=1&page=2`, true],
    [
      'of numbers',
      (n) =>
        `/rest/core/v2/posts?exclude=${numbers(900_000 + n, 1_000)}&author_exclude=${numbers(900_000, 1_000)}&per_page=1&page=2`,
      false,
    ],
    [
      'of letters that are escaped',
      (n) => `/rest/core/v2/posts?x${n}=${'"'.repeat(20_000)}&per_page=1&page=2`,
      false,
    ],
    ['that list nothing', (n) => `/rest/core/v2/posts?search=zzz${n}&x=${'"'.repeat(20_000)}`, false],
    [
      'of venues and organizers that there are',
      (n) =>
        `/rest/calendar/events/v1/events?venue=${numbers(LONG, 1_000)}&organizer=${numbers(LONG + 1_000, 1_000)}&per_page=${n + 1}`,
      false,
    ],
    ['of a calendar', (n) => `/rest/calendar/events/v1/events?x=${n}${'"'.repeat(20_000)}`, false],
  ])('%s take nothing down', async (_name, target, link) => {
    for (const { url } of [site, plain])
      for (const n of questions) {
        const { status, headers } = await send(url, target(n));
        expect([status, headers.link !== undefined, headers['x-total-pages'] !== undefined]).toEqual([
          200,
          link,
          true,
        ]);
      }
    for (const { url } of [site, plain])
      expect((await send(url, `/rest/core/v2/posts?y=${Math.random()}`)).status).toBe(200);
  });
});
