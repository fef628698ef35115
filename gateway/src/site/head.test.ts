/** Heads of addresses through the gateway, with small services behind it: the index, and the owner of what it tells of. */
import {
  Post,
  type PostServiceServer,
  PostServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import {
  Archive,
  FindAtAddressResponse,
  type SiteServiceServer,
  SiteServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/site';
import type { HeadForResponse, ResolveUrlResponse } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
import { type HeadServiceServer, HeadServiceService } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
import { TEST_SITE_URL } from '@sevenfold/chassis/testing/service';
import type { RunningService, ServiceConfig, ServiceDefinition } from '@sevenfold/chassis/service-definition';
import { until } from '@sevenfold/chassis/testing/until';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { only } from '../testing/only';
import { seo as smallSeo } from '../testing/small-seo';
import { ask } from '../testing/sockets';

const head: HeadForResponse = {
  found: true,
  html: '<title>A &lt;post&gt;</title>',
  json: '{"title":"A <post>"}',
  objectType: 'post',
  objectId: 1,
  named: [],
};
const nothing: HeadForResponse = {
  found: false,
  html: '<title>Nothing</title>',
  json: '{"title":"Nothing"}',
  objectType: '',
  objectId: 0,
  named: [],
};
/** As the index knows it, by the path of the address. */
let heads: Record<string, HeadForResponse> = {};
/** Where the index says that an address leads. */
let places: Record<string, ResolveUrlResponse> = {};
/** What the owner shows. */
let shown: Record<string, Partial<FindAtAddressResponse>> = {};

const pathOf = (url: string): string => (url === '' ? '' : new URL(url, TEST_SITE_URL).pathname);
const post = (more: Partial<Post> = {}): Partial<FindAtAddressResponse> => ({
  item: Post.fromPartial({ id: 1, type: 'post', title: 'Now', link: `${TEST_SITE_URL}/a/`, ...more }),
});
const leads = (status: number, path: string, page = 1): ResolveUrlResponse => ({
  status,
  location: `${TEST_SITE_URL}${path}`,
  objectType: '',
  objectSubtype: '',
  objectId: 0,
  page,
});

const small: ServiceDefinition<object, ServiceConfig> = {
  ...smallSeo,
  resources: [],
  rpc: () => [
    only<HeadServiceServer>(HeadServiceService, {
      headFor: async ({ url }) =>
        Promise.resolve(
          url.includes('?s=') ? { ...head, objectType: 'search' } : (heads[pathOf(url)] ?? nothing),
        ),
      resolveUrl: async ({ url }) =>
        Promise.resolve(places[pathOf(url)] ?? { ...leads(404, ''), location: '' }),
    }),
  ],
};

const owner: ServiceDefinition<object, ServiceConfig> = {
  ...small,
  name: 'content',
  namespace: 'core/v2',
  rpc: () => [
    only<SiteServiceServer>(SiteServiceService, {
      findAtAddress: async ({ url }) =>
        Promise.resolve(FindAtAddressResponse.fromPartial(shown[pathOf(url)] ?? {})),
    }),
    only<PostServiceServer>(PostServiceService, {
      getPosts: async ({ ids }) =>
        Promise.resolve({ posts: ids.filter((id) => id < 100).map((id) => Post.fromPartial({ id })) }),
    }),
  ],
};

let seo: RunningService<object>;
let content: RunningService<object>;
let gateway: RunningGateway;
beforeAll(async () => {
  seo = await startSmall(small);
  content = await startSmall(owner);
  gateway = await startTestGateway({
    ...addresses('SEO', seo),
    CONTENT_HTTP: content.url,
    CONTENT_GRPC: `127.0.0.1:${content.grpcPort}`,
  });
});
afterAll(async () => {
  await gateway.stop();
  await content.stop();
  await seo.stop();
});

const get = (path: string, headers: Record<string, string> = {}) => ask(`${gateway.url}${path}`, { headers });
const titleAt = async (url: string): Promise<[number, string | undefined]> => {
  const { status, text } = await get(`/console/api/head?url=${encodeURIComponent(url)}`, {
    accept: 'text/html',
  });
  return [status, /<title>(.*?)<\/title>/.exec(text)?.[1]];
};
const FULL = 'A &lt;post&gt;';
const LEAST = 'Now – site.test';

beforeEach(() => {
  heads = { '/a/': head };
  places = {};
  shown = { '/a/': post() };
});
// The first calls open connections, on a busy machine for longer than a page waits for its head.
beforeAll(async () => {
  heads = { '/a/': head };
  shown = { '/a/': post() };
  await until(async () => (await titleAt('/a/'))[1] === FULL);
});

test('answers data, to whoever asks', async () => {
  const { status, headers, text } = await get('/console/api/head?url=/a/');
  expect([status, headers['content-type'], JSON.parse(text)]).toEqual([
    200,
    'application/json; charset=UTF-8',
    { html: head.html, json: { title: 'A <post>' } },
  ]);
  expect(headers.vary).toContain('Accept');
});

test.each(['/a/', '/nowhere/'])(
  'is kept by nobody on the way, and tells nothing of the inside: %s',
  async (url) => {
    const { headers } = await get(`/console/api/head?url=${url}`);
    expect([headers['cache-control'], headers['x-content-type-options'], headers['x-robots-tag']]).toEqual([
      'no-cache',
      'nosniff',
      'noindex',
    ]);
    expect(Object.keys(headers).filter((name) => name.startsWith('x-sevenfold'))).toEqual([]);
  },
);

test.each([
  ['text/html', true],
  ['text/html, application/json;q=0.5', true],
  ['application/json, text/html', false],
  ['*/*', false],
])('Accept: %s means HTML: %s', async (accept, isHtml) => {
  const { headers, text } = await get('/console/api/head?url=/a/', { accept });
  expect([headers['content-type'], text === head.html]).toEqual([
    isHtml ? 'text/html; charset=UTF-8' : 'application/json; charset=UTF-8',
    isHtml,
  ]);
});

test.each([
  ['?url=/nowhere/', 404, 'rest_url_not_found'],
  ['', 400, 'rest_missing_callback_param'],
  ['?url=', 400, 'rest_invalid_param'],
  [`?url=/${'x'.repeat(5_000)}`, 400, 'rest_invalid_param'],
])('%s is %i %s', async (query, status, code) => {
  const answer = await get(`/console/api/head${query}`);
  expect([answer.status, (JSON.parse(answer.text) as { code: string }).code]).toEqual([status, code]);
});

test('of an address that nobody has it is that of a page which says so, with the status of one', async () => {
  const data = await get('/console/api/head?url=/nowhere/');
  expect([data.status, (JSON.parse(data.text) as { data: object }).data]).toEqual([
    404,
    { status: 404, head: { html: '<title>Nothing</title>', json: { title: 'Nothing' } } },
  ]);
  const html = await get('/console/api/head?url=/nowhere/', { accept: 'text/html' });
  expect([html.status, html.text]).toEqual([404, '<title>Nothing</title>']);
  expect([data.headers.vary, html.headers.vary]).toEqual([
    expect.stringContaining('Accept'),
    expect.stringContaining('Accept'),
  ]);
});

test('is that of the index where it tells of nothing that the owners do not show, else the least of one', async () => {
  const shows = async (known: Partial<HeadForResponse>, item: Partial<Post> = {}) => {
    heads['/a/'] = { ...head, ...known };
    shown['/a/'] = post(item);
    return (await titleAt('/a/'))[1];
  };
  const picture = { url: 'http://site.test/uploads/a.png', width: 1, height: 1, altText: '' };
  expect([
    await shows({}),
    // Of what had the address before.
    await shows({ objectId: 2 }),
    await shows({ objectType: 'term' }),
    await shows({ found: false }),
    await shows({ named: [7] }, { featuredMedia: 7, picture }),
    // Pages above it, of which those from a hundred on are nobody's.
    await shows({ named: [8, 9] }),
    await shows({ named: [8, 100] }),
    await shows({}, { hasPassword: true }),
  ]).toEqual([FULL, LEAST, LEAST, LEAST, FULL, FULL, LEAST, `Protected: ${LEAST}`]);
});

test('the least of one has the members of every other, and says to robots what the index knows', async () => {
  heads['/a/'] = { ...head, json: '{"title":"Secret","robots":"noindex, follow"}', named: [100] };
  const { text } = await get('/console/api/head?url=/a/');
  expect(JSON.parse(text)).toEqual({
    html: `<title>${LEAST}</title><link rel="canonical" href="${TEST_SITE_URL}/a/"><meta name="robots" content="noindex, follow">`,
    json: {
      title: LEAST,
      description: '',
      canonical: `${TEST_SITE_URL}/a/`,
      robots: 'noindex, follow',
      url: `${TEST_SITE_URL}/a/`,
      type: 'website',
      og: { title: LEAST, description: '' },
      twitter: { title: LEAST, description: '' },
      breadcrumb: [{ name: 'Now', url: `${TEST_SITE_URL}/a/` }],
      schema: { '@context': 'https://schema.org', '@graph': [] },
    },
  });
});

test('of an index of the version before, which does not say what it tells of, robots are told the same', async () => {
  heads['/a/'] = { ...head, json: '{"title":"A","robots":"noindex, follow"}', objectType: '', objectId: 0 };
  const { text } = await get('/console/api/head?url=/a/');
  expect(JSON.parse(text)).toMatchObject({ json: { title: LEAST, robots: 'noindex, follow' } });
});

test('of what the owners do not show is that of a page which says so, whatever the index has', async () => {
  shown = {};
  places = { '/a/': leads(200, '/a/'), '/old/': leads(301, '/a/') };
  for (const url of ['/a/', '/old/', 'http://site.test/a/'])
    expect([url, await titleAt(url)]).toEqual([url, [404, 'Nothing']]);
});

test.each([
  ['/old/', [200, FULL]],
  ['https://www.site.test/a/#x', [200, FULL]],
  ['/A/', [200, FULL]],
  ['/?s=anything', [200, FULL]],
  ['/tag/b/page/9/', [200, 'B, page 9']],
  ['/tag/c/page/9/', [404, 'Nothing']],
  ['https://elsewhere.test/a/', [404, 'Nothing']],
  ['no address', [404, 'Nothing']],
])('%s leads where the index says, if that is shown', async (url, expected) => {
  places = {
    '/old/': leads(301, '/a/'),
    '/A/': leads(200, '/a/'),
    '/tag/b/page/9/': leads(200, '/tag/b/page/9/', 9),
    '/tag/c/page/9/': leads(200, '/tag/c/page/9/', 9),
  };
  const list = { ...head, html: '<title>B, page 9</title>', objectType: 'term', objectId: 5 };
  heads = { ...heads, '/tag/b/page/9/': list, '/tag/c/page/9/': list };
  // Of which we have one page, and a front end with shorter ones has more.
  shown['/tag/b/'] = { archive: Archive.fromPartial({ kind: 'post_tag', id: 5, title: 'B', page: 1 }) };
  expect(await titleAt(url)).toEqual(expected);
});
