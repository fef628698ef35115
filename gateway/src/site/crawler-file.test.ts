/** Sitemaps and robots.txt through the gateway, with a small seo service behind it. */
import { type HeadServiceServer, HeadServiceService } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
import type { RunningService, ServiceConfig, ServiceDefinition } from '@sevenfold/chassis/service-definition';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { only } from '../testing/only';
import { seo as smallSeo } from '../testing/small-seo';
import { ask } from '../testing/sockets';

interface Asked {
  readonly path: string;
  readonly known: readonly string[];
}

let asked: Asked[] = [];
const MODIFIED = '2026-11-20T10:00:00Z';
const files: Record<string, { type: string; text: string }> = {
  '/sitemap.xml': { type: 'application/xml; charset=UTF-8', text: '<sitemapindex/>' },
  '/robots.txt': { type: 'text/plain; charset=UTF-8', text: 'User-agent: *\n' },
};
const small: ServiceDefinition<object, ServiceConfig> = {
  ...smallSeo,
  resources: [],
  rpc: () => [
    only<HeadServiceServer>(HeadServiceService, {
      getCrawlerFile: async ({ path, known }) => {
        asked.push({ path, known });
        const file = files[path];
        const digest = `digest of ${path}`;
        return Promise.resolve({
          found: file !== undefined,
          contentType: file?.type ?? '',
          body: Buffer.from(known.includes(digest) ? '' : (file?.text ?? '')),
          modifiedUtc: path === '/robots.txt' ? '' : MODIFIED,
          digest,
        });
      },
    }),
  ],
};

let seo: RunningService<object>;
let gateway: RunningGateway;
beforeAll(async () => {
  seo = await startSmall(small);
  gateway = await startTestGateway(addresses('SEO', seo));
});
afterAll(async () => {
  await gateway.stop();
  await seo.stop();
});
beforeEach(() => {
  asked = [];
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  ask(`${gateway.url}${path}`, { method, headers });

describe('/sitemap.xml', () => {
  test('is answered as it is, to be kept and asked for each time', async () => {
    const { status, headers, text } = await get('/sitemap.xml?x=1');
    expect([status, text]).toEqual([200, '<sitemapindex/>']);
    expect(headers).toMatchObject({
      'content-type': 'application/xml; charset=UTF-8',
      'cache-control': 'no-cache',
      etag: '"digest of /sitemap.xml"',
      'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT',
      'content-length': '15',
    });
  });

  test('HEAD is the same without the body', async () => {
    const { status, headers, text } = await get('/sitemap.xml', {}, 'HEAD');
    expect([status, text, headers['content-length'], headers.etag]).toEqual([
      200,
      '',
      '15',
      '"digest of /sitemap.xml"',
    ]);
  });

  const right = '"digest of /sitemap.xml"';
  test.each([
    [{ 'If-None-Match': right }, 304],
    [{ 'If-None-Match': `"x", W/${right}` }, 304],
    [{ 'If-None-Match': '*' }, 304],
    [{ 'If-None-Match': '"x"', 'If-Modified-Since': 'Fri, 20 Nov 2026 10:00:00 GMT' }, 200],
    [{ 'If-Modified-Since': 'Fri, 20 Nov 2026 10:00:00 GMT' }, 304],
    [{ 'If-Modified-Since': 'Fri, 20 Nov 2026 09:59:59 GMT' }, 200],
    [{ 'If-Modified-Since': 'yesterday' }, 200],
    [{ 'If-Modified-Since': '2050' }, 200],
    [{ 'If-Modified-Since': 'Fri, 20 Nov 2026 10:00:00' }, 200],
    [{ 'If-None-Match': '"*"' }, 200],
  ])('%j is %i', async (headers, expected) => {
    const { status, headers: answered, text } = await get('/sitemap.xml', headers);
    expect([status, text, answered.etag?.replace('W/', '')]).toEqual([
      expected,
      expected === 304 ? '' : '<sitemapindex/>',
      right,
    ]);
    expect(answered['content-length']).toBe(expected === 304 ? undefined : '15');
  });

  test.each([
    [{ 'If-Match': right }, 200],
    [{ 'If-Match': '*' }, 200],
    [{ 'If-Match': '"x"' }, 412],
    [{ 'If-Match': `W/${right}` }, 412],
    [{ 'If-Match': '"x"', 'If-None-Match': right }, 412],
    [{ 'If-Match': right, 'If-None-Match': right }, 304],
  ])('%j is %i', async (headers, expected) => {
    const { status, text } = await get('/sitemap.xml', headers);
    expect([status, text.includes('rest_precondition_failed')]).toEqual([expected, expected === 412]);
  });

  test('a tag that is weak where he has it stays weak', async () => {
    const { status, headers } = await get('/sitemap.xml', { 'If-None-Match': `W/${right}` });
    expect([status, headers.etag]).toEqual([304, `W/${right}`]);
  });

  test('what a client has is not sent from service to service, however much it says it has', async () => {
    const tags = Array.from({ length: 100 }, (_, n) => `"${n}"`).join(', ');
    await get('/sitemap.xml', { 'If-None-Match': tags });
    expect(asked).toEqual([{ path: '/sitemap.xml', known: Array.from({ length: 20 }, (_, n) => String(n)) }]);
  });

  test.each([
    '/sitemap-none-1.xml',
    '/sitemap',
    '/sitemap-1.xml/',
    `/sitemap-${'x'.repeat(200)}.xml`,
    '/Robots.txt',
  ])('%s is no file of crawlers: the owners of pages are asked, who are away here', async (path) => {
    const { status, text } = await get(path);
    expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([503, 'service_unavailable']);
  });

  test('takes no writing', async () => {
    expect((await get('/sitemap.xml', {}, 'POST')).status).toBe(404);
    expect((await get('/sitemap.xml', {}, 'OPTIONS')).status).toBe(200);
  });
});

test('while the service is away: 503 and when to come again, and robots.txt as it was last', async () => {
  expect((await get('/robots.txt')).text).toBe('User-agent: *\n');
  await seo.stop();
  const fresh = await startTestGateway(addresses('SEO', seo));
  try {
    for (const path of ['/sitemap.xml', '/console/api/head?url=/a/']) {
      const { status, headers } = await get(path);
      expect([status, headers['retry-after']]).toEqual([503, expect.any(String)]);
    }
    const { status, headers, text } = await get('/robots.txt');
    expect([status, text, headers.etag]).toEqual([200, 'User-agent: *\n', '"digest of /robots.txt"']);
    const known = await get('/robots.txt', { 'If-None-Match': '"digest of /robots.txt"' });
    expect(known.status).toBe(304);
    // One that never had it must not say that crawlers may do anything.
    expect((await ask(`${fresh.url}/robots.txt`, {})).status).toBe(503);
  } finally {
    await fresh.stop();
  }
});
