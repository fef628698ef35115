import { anyone, reply, route } from '@sevenfold/chassis/http/route';
import type { RunningService, ServiceConfig, ServiceDefinition } from '@sevenfold/chassis/service-definition';
import { type Speaker, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import type { Descriptions } from './descriptions';
import { createSiteIndex } from './site-index';
import { type Deps, signedIn, signedInAsAdministrator, smallContent } from '../testing/small';

let clock = 1;
const forms: ServiceDefinition<object, ServiceConfig> = {
  name: 'forms',
  namespace: 'contact-form/v1',
  title: 'Small forms',
  description: 'Stands in for the forms service.',
  open: () => ({}),
  resources: [
    {
      name: 'forms',
      routes: [
        route({
          methods: ['GET'],
          path: '/contact-forms',
          summary: 'List',
          args: {
            day: { type: 'string', default: () => `day ${clock}`, description: 'A computed default.' },
          },
          permission: anyone,
          handle: () => reply.plain([]),
        }),
      ],
    },
  ],
};

let content: RunningService<Deps>;
let form: RunningService<object>;
let gateway: RunningGateway;
let client: Speaker;

beforeAll(async () => {
  [content, form] = await Promise.all([startSmall(smallContent), startSmall(forms)]);
  gateway = await startTestGateway({ ...addresses('CONTENT', content), ...addresses('FORMS', form) });
  client = speaker(gateway.url);
  // Asked is not answered: on a busy machine the first answers may come too late.
  await until(async () => {
    const { name, routes } = (await client.get('/rest/')).body;
    return name === 'A site' && '/core/v2/echo' in routes && '/contact-form/v1/contact-forms' in routes;
  });
});

afterAll(async () => {
  await gateway.stop();
  await Promise.all([content.stop(), form.stop()]);
});

const NAMESPACES = [
  'oembed/1.0',
  'calendar/events/v1',
  'calendar/event-aggregator/v1',
  'contact-form/v1',
  'spamfilter/v1',
  'seo/v1',
  'core/v2',
];

describe('GET /rest/', () => {
  test('describes the site and every route that is known', async () => {
    const { status, headers, body } = await client.get('/rest/');
    expect(status).toBe(200);
    expect(headers.get('allow')).toBe('GET');
    expect(headers.get('vary')).toBe('Accept-Encoding, Origin');
    expect(headers.get('content-type')).toBe('application/json; charset=UTF-8');
    const { routes, ...rest } = body;
    expect(rest).toEqual({
      name: 'A site',
      description: 'All of it',
      url: 'http://site.test',
      home: 'http://site.test',
      gmt_offset: -5,
      timezone_string: 'America/New_York',
      namespaces: NAMESPACES,
      authentication: [],
      _links: { help: [{ href: 'http://site.test/openapi/' }] },
    });
    expect(Object.keys(body)).toEqual([
      'name',
      'description',
      'url',
      'home',
      'gmt_offset',
      'timezone_string',
      'namespaces',
      'authentication',
      'routes',
      '_links',
    ]);
    expect(routes['/']).toEqual({
      namespace: '',
      methods: ['GET'],
      endpoints: [
        {
          methods: ['GET'],
          args: {
            context: {
              required: false,
              default: 'view',
              description: 'Which fields are shown.',
              type: 'string',
            },
          },
        },
      ],
      _links: { self: 'http://site.test/rest/' },
    });
    expect(Object.keys(routes)).toEqual([
      '/',
      ...NAMESPACES.slice(0, 3).map((namespace) => `/${namespace}`),
      '/contact-form/v1',
      '/contact-form/v1/contact-forms',
      '/spamfilter/v1',
      '/seo/v1',
      '/core/v2',
      '/core/v2/echo',
      '/core/v2/things',
      '/core/v2/closed',
      '/core/v2/big',
      '/core/v2/wait',
      '/core/v2/hang-up',
      '/core/v2/settings',
      '/core/v2/media',
    ]);
  });

  test('is the same without a slash and with any context', async () => {
    const { text } = await client.get('/rest/');
    for (const path of ['/rest', '/rest/?context=odd', '/rest/?unknown=1'])
      expect((await client.get(path)).text).toBe(text);
  });

  test('HEAD and OPTIONS', async () => {
    const head = await client.request('HEAD', '/rest/');
    expect([head.status, head.text, head.headers.get('allow')]).toEqual([200, '', 'GET']);
    // Only of what is read somebody may have a copy.
    const known = await client.request('OPTIONS', '/rest/', { headers: { 'If-None-Match': '*' } });
    expect([known.status, known.body.methods]).toEqual([200, ['GET']]);
    const options = await client.request('OPTIONS', '/rest/');
    expect([options.status, options.headers.get('allow')]).toEqual([200, 'GET']);
    expect(options.body).toMatchObject({
      namespace: '',
      methods: ['GET'],
      _links: { self: [{ href: 'http://site.test/rest/' }] },
    });
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is no route', async (method) => {
    const { status, body } = await client.request(method, '/rest/');
    expect([status, body.code]).toEqual([404, 'rest_no_route']);
  });

  const _links = { help: [{ href: 'http://site.test/openapi/' }] };
  test('_fields keeps what it names, and the links always', async () => {
    expect((await client.get('/rest/?_fields=name,_links')).body).toEqual({ name: 'A site', _links });
    expect((await client.get('/rest/?_fields=name+_links')).body).toEqual({ name: 'A site', _links });
    expect((await client.get('/rest/?_fields=none')).body).toEqual({ _links });
  });

  test('_envelope and _pretty', async () => {
    expect((await client.get('/rest/?_envelope&_fields=name')).body).toEqual({
      body: { name: 'A site', _links },
      status: 200,
      headers: { Allow: 'GET' },
    });
    expect((await client.get('/rest/?_pretty&_fields=name')).text).toMatch(/^{\n {4}"name": "A site",\n/);
  });

  test('a part that was asked for before is the same, until something changes', async () => {
    const part = async (): Promise<string> => (await client.get('/rest/?_pretty&_fields=name,routes')).text;
    const first = await part();
    expect(await part()).toBe(first);
    expect(JSON.parse(await part())).toEqual(
      JSON.parse((await client.get('/rest/?_fields=routes,name')).text),
    );
    const whole = (await client.get('/rest/')).body;
    expect(JSON.parse((await client.get('/rest/?_pretty')).text)).toEqual(whole);
    expect((await client.get('/rest/?_envelope')).body).toEqual({
      body: whole,
      status: 200,
      headers: { Allow: 'GET' },
    });
  });

  test('with a credential it is for one reader', async () => {
    const { headers } = await client.get('/rest/', signedIn);
    expect(headers.get('cache-control')).toBe('no-cache, must-revalidate, max-age=0');
    expect(headers.get('expires')).toBe('Wed, 11 Jan 1984 05:00:00 GMT');
    expect(headers.get('vary')).toBeNull();
  });

  test('follows the settings of the site, whole hours only', async () => {
    Object.assign(content.deps, { title: 'Another', timezone: 'UTC+5.5', gmtOffset: 5.5 });
    await until(async () => (await client.get('/rest/?_fields=name')).body.name === 'Another');
    expect((await client.get('/rest/?_fields=gmt_offset,timezone_string')).body).toEqual({
      gmt_offset: 5,
      timezone_string: '',
      _links,
    });
    Object.assign(content.deps, { gmtOffset: -3.5 });
    await until(async () => (await client.get('/rest/?_fields=gmt_offset')).body.gmt_offset === -3);
  });
});

describe('GET /rest/<namespace>', () => {
  test('has its own routes and the way up', async () => {
    const { status, headers, body } = await client.get('/rest/contact-form/v1');
    expect([status, headers.get('allow')]).toEqual([200, 'GET']);
    expect(Object.keys(body)).toEqual(['namespace', 'routes', '_links']);
    expect(body.namespace).toBe('contact-form/v1');
    expect(body._links).toEqual({ up: [{ href: 'http://site.test/rest/' }] });
    expect(Object.keys(body.routes)).toEqual(['/contact-form/v1', '/contact-form/v1/contact-forms']);
    expect(body.routes['/contact-form/v1']).toEqual({
      namespace: 'contact-form/v1',
      methods: ['GET'],
      endpoints: [
        {
          methods: ['GET'],
          args: {
            namespace: {
              required: false,
              default: 'contact-form/v1',
              description: 'Which namespace is shown.',
            },
            context: {
              required: false,
              default: 'view',
              description: 'Which fields are shown.',
              type: 'string',
            },
          },
        },
      ],
      _links: { self: 'http://site.test/rest/contact-form/v1' },
    });
  });

  test('may end with a slash, and shows another namespace when asked', async () => {
    const { text } = await client.get('/rest/core/v2');
    expect((await client.get('/rest/core/v2/')).text).toBe(text);
    expect((await client.get('/rest/seo/v1?namespace=core/v2')).text).toBe(text);
    expect((await client.get('/rest/seo/v1?namespace=core%2Fv2&context=x')).text).toBe(text);
  });

  test.each(['namespace=none/v1', 'namespace=', 'namespace[]=core/v2', 'namespace[a]=b'])(
    '%s is no namespace',
    async (query) => {
      const { status, body } = await client.get(`/rest/core/v2?${query}`);
      expect([status, body.code]).toEqual([404, 'rest_no_route']);
    },
  );

  test('_fields leaves the way up', async () => {
    const up = { up: [{ href: 'http://site.test/rest/' }] };
    expect((await client.get('/rest/core/v2?_fields=namespace')).body).toEqual({
      namespace: 'core/v2',
      _links: up,
    });
    expect((await client.get('/rest/core/v2?_fields=none')).body).toEqual({ _links: up });
  });

  test('of a service that was never seen has its own route only', async () => {
    const { status, body } = await client.get('/rest/seo/v1');
    expect([status, Object.keys(body.routes)]).toEqual([200, ['/seo/v1']]);
  });

  test('OPTIONS, HEAD and writes', async () => {
    const options = await client.request('OPTIONS', '/rest/core/v2');
    expect(options.body).toMatchObject({
      namespace: 'core/v2',
      _links: { self: [{ href: 'http://site.test/rest/core/v2' }] },
    });
    expect((await client.request('HEAD', '/rest/core/v2')).status).toBe(200);
    expect((await client.post('/rest/core/v2')).body.code).toBe('rest_no_route');
  });

  test('a setting that was written here shows in the next index', async () => {
    const settings = (title: string, path = 'settings') =>
      client.post(`/rest/core/v2/${path}`, { title }, signedInAsAdministrator);
    for (const title of ['One', 'Two', 'Three']) {
      await settings(title);
      expect((await client.get('/rest/?_fields=name')).body).toMatchObject({ name: title });
    }
    for (const title of ['Four', 'Five', 'Six']) {
      await settings(title, 'Settings/');
      expect((await client.get('/rest/?_fields=name')).body).toMatchObject({ name: title });
    }
    await settings('A site');
  });

  test('who may not write settings keeps nobody waiting for them', async () => {
    await client.get('/rest/');
    // They are asked for now and then, whatever happens.
    await until(async () => {
      const before = content.deps.settingsAsked;
      await client.post('/rest/core/v2/settings', {});
      await client.post('/rest/core/v2/settings', {}, signedIn);
      await client.request('OPTIONS', '/rest/core/v2/settings', { headers: signedInAsAdministrator });
      await client.get('/rest/');
      return content.deps.settingsAsked === before;
    });
  });

  test('computed defaults are fresh', async () => {
    const day = async (): Promise<string> => {
      const { body } = await client.get('/rest/contact-form/v1');
      return body.routes['/contact-form/v1/contact-forms'].endpoints[0].args.day.default as string;
    };
    expect(await day()).toBe('day 1');
    clock = 2;
    await until(async () => (await day()) === 'day 2');
  });
});

describe('GET /openapi/', () => {
  test('a document whose service only says something else of its arguments stays as it was made', async () => {
    const PATH = '/openapi/contact-form/v1.json';
    const tag = async (): Promise<string> =>
      (await client.get(PATH, { 'Accept-Encoding': 'br' })).headers.get('etag') ?? '';
    // The well compressed form is there for the second reader or a later one.
    const made = await until(async () => {
      const one = await tag();
      return one.endsWith('-br"') ? one : undefined;
    });
    clock += 1;
    await until(async () => (await client.get('/rest/contact-form/v1')).text.includes(`day ${clock}`));
    expect(await tag()).toBe(made);
  });

  test('lists the documents and shows each', async () => {
    const { body } = await client.get('/openapi/');
    expect(body).toEqual(
      [...NAMESPACES, 'console/api'].map((namespace) => ({
        namespace,
        href: `http://site.test/openapi/${namespace}.json`,
      })),
    );
    const document = await client.get('/openapi/core/v2.json');
    expect(document.headers.get('content-type')).toBe('application/json; charset=UTF-8');
    expect(document.body).toMatchObject({ openapi: '3.1.0', info: { title: 'Small content' } });
    expect(Object.keys(document.body.paths)).toContain('/core/v2/echo');
  });

  test('of a service that was never seen is 503, of none 404', async () => {
    const { status, headers, body } = await client.get('/openapi/seo/v1.json');
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '2']);
    expect((await client.get('/openapi/none.json')).status).toBe(404);
    expect((await client.post('/openapi/')).status).toBe(404);
    expect((await client.get('/openapi.json')).status).toBe(503);
  });
});

// Every address passes here. Where each slash were tried as the first of the end, this would take a quarter of an hour.
test('a million slashes in an address are looked at once', () => {
  const index = createSiteIndex('http://site.test', {} as Descriptions);
  expect(index.answer('GET', `${'/'.repeat(1_000_000)}a`, '')).toBeUndefined();
});
