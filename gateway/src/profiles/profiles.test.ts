/** A gateway that speaks a profile, before a small service: paths, queries, bodies, headers, errors and own answers. */
import { once } from 'node:events';
import net from 'node:net';
import { ConfigError } from '@sevenfold/chassis/config';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { TEST_SITE_URL } from '@sevenfold/chassis/testing/service';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { type Deps, basic, signedIn, smallContent } from '../testing/small';
import { ask } from '../testing/sockets';
import { placeAnswered, placeAsked, swapQuery } from './addresses';
import { compileSwaps } from './swaps';
import { wordpress } from './wordpress';

let content: RunningService<Deps>;
let gateway: RunningGateway;
let plain: RunningGateway;

beforeAll(async () => {
  content = await startSmall(smallContent);
  gateway = await startTestGateway({ ...addresses('CONTENT', content), CLIENT_PROFILES: 'wordpress' });
  plain = await startTestGateway(addresses('CONTENT', content));
});

const get = async (path: string, headers: Record<string, string> = {}, from = gateway) => {
  const answer = await ask(`${from.url}${path}`, { headers });
  return { ...answer, body: answer.text === '' ? undefined : (JSON.parse(answer.text) as any) }; // eslint-disable-line @typescript-eslint/no-explicit-any
};
const post = async (path: string, type: string, body: string, headers: Record<string, string> = {}) => {
  const answer = await ask(
    `${gateway.url}${path}`,
    { method: 'POST', headers: { 'Content-Type': type, ...signedIn, ...headers } },
    body,
  );
  return { ...answer, body: JSON.parse(answer.text) as any }; // eslint-disable-line @typescript-eslint/no-explicit-any
};

const ROOT_LINK = `<${TEST_SITE_URL}/wp-json/>; rel="https://api.w.org/"`;

describe('where it answers', () => {
  test('below its root, and nothing of ours stands there', async () => {
    const { status, body } = await get('/wp-json/wp/v2/echo?text=hello');
    expect([status, body.args.text, body.path]).toEqual([200, 'hello', '/rest/core/v2/echo?text=hello']);
    expect((await get('/wp-json/core/v2/echo')).body.code).toBe('rest_no_route');
    // Of the site, whose owners are not here.
    expect((await get('/wp-jsonx/wp/v2/echo')).status).toBe(503);
    expect((await get('/rest/wp/v2/echo')).status).toBe(404);
  });

  test.each(['/', '/index.php', '/some/page/', '/wp-json/', '/wp-json/wp/v2/users'])(
    'by the argument on %s',
    async (path) => {
      const { status, body } = await get(`${path}?text=a%20b&rest_route=%2Fwp%2Fv2%2Fecho&_wpnonce=12`);
      expect([status, body.path]).toEqual([200, '/rest/core/v2/echo?text=a%20b']);
    },
  );

  test('an argument that names a route cannot leave it', async () => {
    const { status, body } = await get(`/?rest_route=${encodeURIComponent('/wp/v2/echo?text=x')}`);
    expect([status, body.code]).toEqual([404, 'rest_no_route']);
    expect((await get('/?rest_route=wp/v2/echo')).status).toBe(200);
    expect((await get('/?rest_route=../echo')).status).toBe(404);
  });

  test('the interface of ours is untouched by it', async () => {
    const there = await get('/rest/core/v2/things?rest_route=/wp/v2/echo');
    expect([there.body, there.headers['x-wp-total'], there.headers['x-total']]).toEqual([
      [{ id: 1 }, { id: 2 }],
      undefined,
      '25',
    ]);
    expect(there.headers.link).toBe(
      `<${TEST_SITE_URL}/rest/core/v2/things?rest_route=/wp/v2/echo&page=2>; rel="next"`,
    );
    expect(there.headers['access-control-allow-headers']).not.toContain('X-WP-Nonce');
    expect((await get('/wp-json/wp/v2/echo', {}, plain)).status).toBe(503);
    expect((await get('/?rest_route=/wp/v2/echo', {}, plain)).status).toBe(503);
  });

  test('names that no profile has are a fault of the configuration', async () => {
    await expect(startTestGateway({ CLIENT_PROFILES: 'wordpress, joomla' })).rejects.toThrow(ConfigError);
  });
});

test('below a namespace paths know no upper case, as services read them', () => {
  const { path } = compileSwaps(wordpress, TEST_SITE_URL);
  expect(path('/wp-json/wp/v2/Types/tribe_events')).toBe('/rest/core/v2/Types/calendar_events');
  for (const [namespace, route] of [
    ['core/v2', '/Types'],
    ['core/v2', '/TYPES/calendar_events'],
    ['calendar/events/v1', '/Doc'],
    ['spamfilter/v1', '/Settings/'],
    ['contact-form/v1', '/contact-forms/1/Feedback'],
    ['seo/v1', '/Indexables/1'],
  ] as const) {
    const known = { namespace, route: route.toLowerCase() };
    expect(placeAnswered(known)).toBeDefined();
    expect([placeAnswered({ namespace, route }), placeAsked({ namespace, route })]).toEqual([
      placeAnswered(known),
      placeAsked(known),
    ]);
  }
});

test('paths of a site in a folder of its host begin with that', () => {
  const { path } = compileSwaps(wordpress, `${TEST_SITE_URL}/blog`);
  expect(path('/blog/rest/calendar/events/v1')).toBe('/blog/wp-json/tribe/events/v1');
  expect(path('/blog/wp-json/tribe/events/v1')).toBe('/blog/rest/calendar/events/v1');
  for (const other of ['/rest/calendar/events/v1', '/blogs/rest/calendar/events/v1'])
    expect(path(other)).toBe(other);
});

describe('headers', () => {
  test('totals under both names, and addresses in its words', async () => {
    const { headers } = await get('/wp-json/wp/v2/things?_embed=wp:term&_fields=id,_links.wp:term');
    expect([headers['x-total'], headers['x-wp-total'], headers['x-wp-totalpages']]).toEqual([
      '25',
      '25',
      '3',
    ]);
    expect(headers.link).toBe(
      `<${TEST_SITE_URL}/wp-json/wp/v2/things?_embed=wp%3Aterm&_fields=id%2C_links.wp%3Aterm&page=2>; rel="next"`,
    );
    const created = await post('/wp-json/wp/v2/echo', 'application/json', '{"text":"x"}');
    expect([created.status, created.headers.location]).toEqual([
      201,
      `${TEST_SITE_URL}/wp-json/wp/v2/echo/1`,
    ]);
  });

  test('scripts of other sites may send the nonce and read the totals', async () => {
    const { headers } = await ask(`${gateway.url}/wp-json/wp/v2/echo`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://app.test', 'Access-Control-Request-Headers': 'x-wp-nonce' },
    });
    expect(headers['access-control-allow-headers']).toContain('X-WP-Nonce');
    expect(headers['access-control-expose-headers']).toContain('X-WP-Total, X-WP-TotalPages, X-TEC-Total');
    expect((await get('/wp-json/wp/v2/echo', { 'X-WP-Nonce': 'bad' })).status).toBe(200);
  });

  test('a write with the nonce was asked for before by the browser', async () => {
    const form = ['/wp-json/wp/v2/echo', 'application/x-www-form-urlencoded', 'text=x'] as const;
    const cross = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://elsewhere.example' };
    expect((await post(...form, { ...cross, 'X-WP-Nonce': '12' })).status).toBe(201);
    expect((await post(...form, cross)).body.code).toBe('rest_cross_site');
    // In our words it is a header like any other, which preflights do not allow.
    const { status } = await post('/rest/core/v2/echo', form[1], form[2], { ...cross, 'X-WP-Nonce': '12' });
    expect(status).toBe(403);
  });

  test('whatever has no Link of its own leads to the root', async () => {
    expect((await get('/wp-json/wp/v2/echo')).headers.link).toBe(ROOT_LINK);
    expect((await get('/wp-json/wp/v2/nothing')).headers.link).toBe(ROOT_LINK);
    expect((await get('/wp-json/')).headers.link).toBe(ROOT_LINK);
    // Whose owners are not here: the site says so, and where its interface is.
    expect((await get('/nothing/')).headers.link).toBe(ROOT_LINK);
    expect((await get('/nothing/', {}, plain)).headers.link).toBe(undefined);
    expect((await ask(`${gateway.url}/wp-json/wp/v2/echo`, { method: 'HEAD' })).headers.link).toBe(ROOT_LINK);
  });

  test.each([
    ['status=publish%20tribe-ea-draft', 'status=publish%20calendar-ea-draft'],
    ['status=publish,+tribe-ea-draft', 'status=publish%2C%20calendar-ea-draft'],
    ['_embed=author,%20wp:term', '_embed=author%2C%20core%3Aterm'],
    ['_fields=id,%20akismet_strictness', '_fields=id%2C%20spamfilter_strictness'],
    ['status=publish%20draft', 'status=publish%20draft'],
  ])('lists have blanks between their words, too: %s', async (asked, told) => {
    const { body } = await get(`/wp-json/wp/v2/echo?${asked}&_fields=path`);
    expect(body.path).toBe(`/rest/core/v2/echo?${told}&_fields=path`);
  });

  test('an envelope has them, too', async () => {
    const { body } = await get('/wp-json/wp/v2/things?_envelope=1');
    expect(body.headers).toMatchObject({ 'X-WP-Total': 25, 'X-WP-TotalPages': 3 });
    expect(body.headers.Link).toContain('/wp-json/wp/v2/things');
  });
});

test('the front page leads to it, also where another server makes it', async () => {
  const away = await startTestGateway({
    CLIENT_PROFILES: 'wordpress',
    FRONTEND_URL: 'https://www.example.org',
  });
  for (const method of ['HEAD', 'GET']) {
    const { status, headers } = await ask(`${away.url}/`, { method });
    expect([status, headers.link]).toEqual([302, ROOT_LINK]);
  }
  await away.stop();
});

describe('errors of the gateway itself', () => {
  test.each([
    ['a service that is away', '/wp-json/tribe/events/v1/events', 503],
    ['a route that nobody has', '/wp-json/tribe/nothing/v1', 404],
    ['a path that is none', '/wp-json/wp/v2/%ff', 400],
  ])('%s', async (_, path, status) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.link, answer.body.data.status]).toEqual([
      status,
      ROOT_LINK,
      status,
    ]);
    expect(answer.headers['access-control-allow-headers']).toContain('X-WP-Nonce');
  });

  test('that says its length is not counted by the pieces that the network makes of it', async () => {
    const body = `{"text":"${'x'.repeat(8_000)}"}`;
    const { Authorization } = signedIn;
    const socket = net.connect({ port: gateway.port, host: '127.0.0.1', noDelay: true });
    socket.write(
      `POST /wp-json/wp/v2/echo HTTP/1.1\r\nHost: x\r\nAuthorization: ${Authorization}\r\nConnection: close\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    for (const byte of body) {
      if (answer !== '') break;
      await new Promise((read) => socket.write(byte, () => setImmediate(read)));
    }
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  });

  test('a body that is too large, told before and while it comes', async () => {
    const known = await post('/wp-json/wp/v2/echo', 'application/json', `{"text":"${'x'.repeat(2 ** 21)}"}`);
    expect([known.status, known.body.code, known.headers.link]).toEqual([
      413,
      'payload_too_large',
      ROOT_LINK,
    ]);
    const pieces = await ask(
      `${gateway.url}/wp-json/wp/v2/echo`,
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked', ...signedIn },
      },
      `{"text":"${'x'.repeat(2 ** 21)}"}`,
    );
    expect([pieces.status, pieces.headers.link]).toEqual([413, ROOT_LINK]);
  });

  test('a credential that is wrong', async () => {
    const { status, body, headers } = await get('/wp-json/wp/v2/echo', basic('editor', 'wrong'));
    expect([status, body.code, headers.link]).toEqual([401, 'rest_invalid_credentials', ROOT_LINK]);
  });
});

test('a client that goes away in the middle of a body leaves nothing behind', async () => {
  const head = `POST /wp-json/wp/v2/echo HTTP/1.1\r\nHost: a\r\nAuthorization: ${signedIn.Authorization}\r\n`;
  for (const type of [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
  ]) {
    const socket = net.connect(gateway.port, '127.0.0.1');
    socket.on('error', () => undefined);
    const before = content.deps.runs;
    socket.write(`${head}Content-Type: ${type}\r\nContent-Length: 900\r\n\r\n{"status":"tri`);
    expect((await get('/wp-json/wp/v2/echo')).status).toBe(200);
    socket.destroy();
    await once(socket, 'close');
    expect((await post('/wp-json/wp/v2/echo', 'application/json', '{"text":"next"}')).body.args.text).toBe(
      'next',
    );
    expect(content.deps.runs).toBe(before + 1);
  }
});

describe('indexes', () => {
  test('of the site and of a namespace', async () => {
    const { body } = await get('/wp-json/');
    expect(body.namespaces).toEqual(
      expect.arrayContaining(['wp/v2', 'tribe/events/v1', 'contact-form-7/v1', 'oembed/1.0']),
    );
    expect(body.routes['/wp/v2/echo']).toMatchObject({
      namespace: 'wp/v2',
      _links: { self: `${TEST_SITE_URL}/wp-json/wp/v2/echo` },
    });
    expect(body.routes['/wp/v2'].endpoints[0].args.namespace.default).toBe('wp/v2');
    const own = await get('/wp-json/wp/v2');
    expect([own.body.namespace, own.body._links.up]).toEqual([
      'wp/v2',
      [{ href: `${TEST_SITE_URL}/wp-json/` }],
    ]);
    expect((await get('/wp-json/wp/v2?namespace=tribe/events/v1')).body.namespace).toBe('tribe/events/v1');
    expect((await get('/rest/')).body.namespaces).toContain('core/v2');
  });
});

describe('bodies of requests', () => {
  const status = 'publish,tribe-ea-draft';

  test('JSON: names and values where they are words, and nothing else', async () => {
    const sent = { text: 'tribe_events wp/v2', status, meta: { status }, nested: [{ status }] };
    const { body } = await post('/wp-json/wp/v2/echo', 'application/json', JSON.stringify(sent));
    expect(body.body).toEqual({ ...sent, status: 'publish,calendar-ea-draft' });
    const blank = await post('/wp-json/wp/v2/echo', 'application/json', '{"status":"draft tribe-ignored"}');
    expect(blank.body.body).toEqual({ status: 'draft calendar-ignored' });
  });

  test('forms', async () => {
    const form = `text=${encodeURIComponent('tribe_events é')}&status%5B%5D=tribe-ignored&status%5B%5D=draft`;
    const { body } = await post('/wp-json/wp/v2/echo', 'application/x-www-form-urlencoded', form);
    expect(body.body).toEqual({ text: 'tribe_events é', status: ['calendar-ignored', 'draft'] });
  });

  test.each(['PUT', 'DELETE'])('of %s, whose length is another one in our words', async (method) => {
    const sent = '{"status":"tribe-ea-draft"}';
    const answer = await ask(
      `${gateway.url}/wp-json/wp/v2/echo`,
      { method, headers: { 'Content-Type': 'application/json', 'Content-Length': sent.length, ...signedIn } },
      sent,
    );
    expect([answer.status, (JSON.parse(answer.text) as { body: unknown }).body]).toEqual([
      200,
      { status: 'calendar-ea-draft' },
    ]);
  });

  test('forms in parts', async () => {
    const part = (name: string, value: string): string =>
      `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const form = `${part('text', 'tribe-ea-draft é')}${part('status', 'tribe-ea-draft')}--edge--\r\n`;
    const { body } = await post('/wp-json/wp/v2/echo', 'multipart/form-data; boundary=edge', form);
    expect(body.body).toEqual({ text: 'tribe-ea-draft é', status: 'calendar-ea-draft' });
  });
});

test('what the first batch of an import says is in its words, too', () => {
  const at = placeAsked({ namespace: 'calendar/event-aggregator/v1', route: '/import/one/batch' });
  const said =
    'default_status=tribe-ea-draft&origin=tribe_events&_fields=activity.tribe_events,next_batch_hash';
  expect(swapQuery(said, at, compileSwaps(wordpress, TEST_SITE_URL))).toBe(
    `default_status=calendar-ea-draft&origin=tribe_events&_fields=${encodeURIComponent('activity.calendar_events,next_batch_hash')}`,
  );
});
