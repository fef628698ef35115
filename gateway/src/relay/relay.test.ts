import { once } from 'node:events';
import net from 'node:net';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { freePort } from '@sevenfold/chassis/ports';
import { type Speaker, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { type Deps, signedIn, smallContent } from '../testing/small';
import { ask, raw, startRawServer } from '../testing/sockets';

let content: RunningService<Deps>;
let gateway: RunningGateway;
let client: Speaker;

beforeAll(async () => {
  content = await startSmall(smallContent);
  gateway = await startTestGateway(addresses('CONTENT', content));
  client = speaker(gateway.url);
});

afterAll(async () => {
  content.deps.release();
  await gateway.stop();
  await content.stop();
});

const ECHO = '/rest/core/v2/echo';

describe('reads', () => {
  test('reach the service of the namespace and come back with the public headers', async () => {
    const { status, headers, body } = await client.get(`${ECHO}?text=a%20b`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      method: 'GET',
      path: `${ECHO}?text=a%20b`,
      args: { text: 'a b' },
      user: '',
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=UTF-8',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'access-control-expose-headers': expect.stringMatching(
        /^X-Total, X-Total-Pages, X-Total-Relation, Link, X-Request-Id, Retry-After/,
      ),
      'access-control-allow-headers':
        'Authorization, Content-Disposition, Content-MD5, Content-Type, Idempotency-Key, X-Batch-Hash',
      vary: 'Origin',
      allow: 'GET, POST, PUT, PATCH, DELETE',
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  test('keep paging headers and accept a slash at the end', async () => {
    const { headers, body } = await client.get('/rest/core/v2/things/');
    expect(body).toEqual([{ id: 1 }, { id: 2 }]);
    expect(headers.get('x-total')).toBe('25');
    expect(headers.get('x-total-pages')).toBe('3');
    expect(headers.get('link')).toBe('<http://site.test/rest/core/v2/things?page=2>; rel="next"');
  });

  test('HEAD has the headers of GET and no body', async () => {
    const get = await client.get('/rest/core/v2/things');
    const { status, headers, text } = await client.request('HEAD', '/rest/core/v2/things');
    expect([status, text]).toEqual([200, '']);
    expect(headers.get('content-length')).toBe(String(get.text.length));
    expect(headers.get('x-total')).toBe('25');
  });

  test('with an Origin may be read by its page', async () => {
    const { headers } = await client.get(ECHO, { Origin: 'https://app.example' });
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
      vary: 'Origin',
    });
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('pass large answers through at the pace of the client', async () => {
    const { text } = await client.get('/rest/core/v2/big');
    expect(text.length).toBe(8 * 1024 * 1024);
  });

  test('that the client gives up are given up at the service', async () => {
    const before = { ...content.deps };
    const socket = net.connect(gateway.port, '127.0.0.1');
    socket.write('GET /rest/core/v2/wait HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => content.deps.waiting > before.waiting);
    socket.destroy();
    await until(() => content.deps.gone > before.gone);
  });

  test('have a body when they come with one', async () => {
    const { status, text } = await ask(
      `${gateway.url}${ECHO}`,
      { method: 'GET', headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' } },
      '{"text":"in a body"}',
    );
    expect(status).toBe(200);
    expect(JSON.parse(text).args).toEqual({ text: 'in a body' });
  });
});

describe('writes', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s passes body and answer', async (method) => {
    const { status, headers, body } = await client.request(method, ECHO, { body: { text: 'x' } });
    expect(status).toBe(method === 'POST' ? 201 : 200);
    expect(body).toMatchObject({ method, args: { text: 'x' }, kind: 'json', user: '' });
    expect(headers.get('location')).toBe('http://site.test/rest/core/v2/echo/1');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect(headers.get('vary')).toBeNull();
    expect(headers.get('x-sevenfold-inside')).toBeNull();
  });

  test('of unknown length pass as they come', async () => {
    const { text } = await ask(
      `${gateway.url}${ECHO}`,
      { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } },
      'text=form',
    );
    expect(JSON.parse(text)).toMatchObject({ kind: 'form', args: { text: 'form' } });
  });

  test('are refused where few agree how long they are', async () => {
    const { status, text } = await ask(
      `${gateway.url}${ECHO}`,
      { method: 'DELETE', headers: { 'Transfer-Encoding': 'chunked' } },
      'text=form',
    );
    expect(status).toBe(411);
    expect(JSON.parse(text)).toMatchObject({ code: 'length_required', data: { status: 411 } });
  });

  test('upload without being kept in between', async () => {
    const { status, body } = await client.post('/rest/core/v2/media', Buffer.alloc(5_000_000), {
      'Content-Type': 'image/png',
    });
    expect([status, body]).toEqual([201, { size: 5_000_000 }]);
  });

  test('that the client gives up are given up at the service', async () => {
    const before = { ...content.deps };
    const socket = net.connect(gateway.port, '127.0.0.1');
    socket.write('POST /rest/core/v2/wait HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
    await until(() => content.deps.waiting > before.waiting);
    socket.destroy();
    await until(() => content.deps.gone > before.gone);
  });

  test('close the connection when the client asks for it', async () => {
    const answer = await raw(
      gateway.port,
      `POST ${ECHO} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 201/);
    expect(answer).toMatch(/connection: close/i);
  });
});

describe('headers on the way in', () => {
  test.each(['GET', 'POST'])(
    '%s: what concerns one connection, and what is internal, stays out',
    async (method) => {
      // Of a write that broke off nobody knows what it did, so whoever is asked next has to have heard all news.
      expect((await client.post('/rest/core/v2/hang-up', {})).status).toBe(502);
      const { text, headers } = await ask(`${gateway.url}${ECHO}`, {
        method,
        headers: {
          'X-Sevenfold-Actor': 'forged',
          'X-Sevenfold-After': 'forged',
          'X-Sevenfold-Client': 'forged',
          'X-Sevenfold-Other': '1',
          'X-Sevenfold-Wants-Wrote': '1',
          'X-Forwarded-For': '6.6.6.6',
          'X-Forwarded-Proto': 'https',
          Forwarded: 'for=6.6.6.6',
          'X-Request-Id': 'from-client_1',
          'X-Mine': 'kept',
          'X-Once': 'gone',
          Connection: 'x-once, keep-alive',
          'Proxy-Authorization': 'Basic x',
          TE: 'trailers',
          Host: 'public.example',
        },
      });
      const seen = JSON.parse(text).headers as Record<string, string>;
      expect(
        Object.keys(seen).filter((name) =>
          /sevenfold|proxy-|^te$|x-once|^forwarded$|authorization/.test(name),
        ),
        // What was written through the gateway lately is named in each request; whoever writes is told what news that was.
      ).toEqual([
        'x-sevenfold-client',
        'x-sevenfold-after',
        ...(method === 'POST' ? ['x-sevenfold-wants-wrote'] : []),
      ]);
      for (const name of ['x-sevenfold-client', 'x-sevenfold-after']) expect(seen[name]).not.toBe('forged');
      expect(seen).toMatchObject({
        'x-mine': 'kept',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
        'x-forwarded-host': 'public.example',
        'x-request-id': 'from-client_1',
        host: content.url.slice('http://'.length),
      });
      expect(headers['x-request-id']).toBe('from-client_1');
    },
  );

  test('an odd request id is replaced', async () => {
    const { headers } = await client.get(ECHO, { 'X-Request-Id': 'a b{}' });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a proxy in front is believed when configuration says so, a client in front of it is not', async () => {
    const trusting = await startTestGateway({ ...addresses('CONTENT', content), TRUST_PROXY: true });
    try {
      const { body } = await speaker(trusting.url).get(ECHO, {
        'X-Forwarded-For': '6.6.6.6, 203.0.113.9',
        'X-Forwarded-Proto': 'https',
        'X-Forwarded-Host': 'public.example',
      });
      expect(body.headers).toMatchObject({
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'public.example',
      });
    } finally {
      await trusting.stop();
    }
  });
});

describe('method override', () => {
  test('on POST, by query or header, the query first', async () => {
    expect((await client.post(`${ECHO}?_method=DELETE`)).body.method).toBe('DELETE');
    expect(
      (await client.post(ECHO, { text: 'a' }, { 'X-HTTP-Method-Override': 'patch' })).body,
    ).toMatchObject({
      method: 'PATCH',
      args: { text: 'a' },
    });
    const both = await client.post(`${ECHO}?_method=PUT`, undefined, { 'X-HTTP-Method-Override': 'DELETE' });
    expect(both.body.method).toBe('PUT');
    expect((await client.post(`${ECHO}?_method=GET`)).body.method).toBe('GET');
  });

  test('never on a link', async () => {
    const before = content.deps.runs;
    const { status, body } = await client.get(`${ECHO}?_method=DELETE`, {
      'X-HTTP-Method-Override': 'DELETE',
    });
    expect([status, body.method]).toEqual([200, 'GET']);
    expect(content.deps.runs).toBe(before);
  });

  test.each(['BREW', 'HEAD', ''])('to "%s" is no route', async (method) => {
    const { status, body } = await client.post(`${ECHO}?_method=${method}`);
    expect([status, body.code, body.data]).toEqual([404, 'rest_no_route', { status: 404 }]);
  });
});

describe('envelope', () => {
  test('holds body, status and headers', async () => {
    const { status, headers, body } = await client.get('/rest/core/v2/things?_envelope');
    expect(status).toBe(200);
    expect(headers.get('x-total')).toBeNull();
    expect(body).toEqual({
      body: [{ id: 1 }, { id: 2 }],
      status: 200,
      headers: {
        'X-Total': 25,
        'X-Total-Pages': 3,
        'X-Total-Relation': 'gte',
        Link: '<http://site.test/rest/core/v2/things?_envelope&page=2>; rel="next"',
        Allow: 'GET',
      },
    });
  });

  test('of a write', async () => {
    const { status, body } = await client.post(`${ECHO}?_envelope=1`, { text: 'x' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 201,
      body: { args: { text: 'x' } },
      headers: { Location: 'http://site.test/rest/core/v2/echo/1' },
    });
  });

  test('of an error has no headers, whoever made it', async () => {
    const own = await client.get('/rest/no/v1?_envelope=1');
    expect(own.status).toBe(200);
    expect(own.body).toMatchObject({ body: { code: 'rest_no_route' }, status: 404, headers: [] });
    const services = await client.get('/rest/core/v2/none?_envelope=1');
    expect(services.body).toMatchObject({ body: { code: 'rest_no_route' }, status: 404, headers: [] });
  });

  test('has no body for HEAD', async () => {
    const { status, text } = await client.request('HEAD', '/rest/core/v2/things?_envelope=1');
    expect([status, text]).toEqual([200, '']);
  });
});

describe('what names no service', () => {
  test.each(['/rest/unknown/v1', '/rest/unknown/v1/x', '/rest/core', '/rest/core/v2x/posts'])(
    '%s is 404 with the error body',
    async (path) => {
      const { status, headers, body } = await client.get(path);
      expect([status, body.code, body.data]).toEqual([404, 'rest_no_route', { status: 404 }]);
      expect(headers.get('content-type')).toBe('application/json; charset=UTF-8');
      expect(headers.get('x-robots-tag')).toBe('noindex');
    },
  );

  test.each(['/', '/metrics', '/restx'])(
    '%s may be a page of the site: come again while nobody can say',
    async (path) => {
      const { status, headers, body } = await client.get(path);
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '2']);
      expect([headers.get('content-type'), headers.get('x-robots-tag')]).toEqual([
        'application/json; charset=UTF-8',
        'noindex',
      ]);
    },
  );

  test('OPTIONS on it is an empty list, so that browsers may ask anywhere', async () => {
    const { status, body } = await client.request('OPTIONS', '/rest/unknown/v1/x');
    expect([status, body]).toEqual([200, []]);
    const inside = await client.request('OPTIONS', '/rest/core/v2/none');
    expect([inside.status, inside.body]).toEqual([200, []]);
    for (const path of [
      '/openapi.json',
      '/openapi/',
      '/docs',
      '/uploads/cat.txt',
      '/feed/',
      '/forms/1/form.json',
    ]) {
      const { status: told, headers } = await client.request('OPTIONS', path, {
        headers: { Origin: 'https://a.example', 'Access-Control-Request-Headers': 'authorization' },
      });
      expect([path, told, headers.get('allow')]).toEqual([path, 200, 'GET']);
      expect(headers.get('access-control-allow-origin')).toBe('https://a.example');
    }
  });

  test('OPTIONS on a route describes it', async () => {
    const { status, body, headers } = await client.request('OPTIONS', ECHO, {
      headers: { Origin: 'https://a.example' },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ namespace: 'core/v2', methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] });
    expect(headers.get('access-control-allow-origin')).toBe('https://a.example');
  });

  test('metrics are on a port of their own', async () => {
    const port = await freePort();
    const other = await startTestGateway({ METRICS_PORT: port });
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('process_cpu_seconds_total'),
    ]);
    const open = await fetch(`${other.url}/metrics`);
    expect(open.ok).toBe(false);
    expect(await open.text()).not.toContain('process_cpu_seconds_total');
    await other.stop();
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  });

  test('where all connections are taken, the port of the metrics still says that it lives', async () => {
    const port = await freePort();
    // Behind a proxy nobody makes room: all come from there.
    const other = await startTestGateway({ METRICS_PORT: port, MOST_CONNECTIONS: 5, TRUST_PROXY: true });
    const { hostname, port: open } = new URL(other.url);
    const held = Array.from({ length: 5 }, () => net.connect(Number(open), hostname));
    try {
      await Promise.all(held.map((socket) => once(socket, 'connect')));
      await expect(fetch(`${other.url}/healthz`)).rejects.toThrow();
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    } finally {
      for (const socket of held) socket.destroy();
      await other.stop();
    }
  });

  test('an unknown method is no route', async () => {
    const { status, text } = await ask(`${gateway.url}${ECHO}`, { method: 'PROPFIND' });
    expect([status, JSON.parse(text).code]).toEqual([404, 'rest_no_route']);
  });
});

describe('files', () => {
  test('come from the content service, ranges too', async () => {
    const whole = await client.get('/uploads/cat.txt');
    expect([whole.status, whole.text]).toEqual([200, 'catcat']);
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
    expect(whole.headers.get('x-robots-tag')).toBeNull();
    const part = await client.get('/uploads/cat.txt', { Range: 'bytes=0-2' });
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, 'cat', 'bytes 0-2/6']);
  });

  test('that are not there are errors as everywhere', async () => {
    const { status, headers, body } = await client.get('/uploads/none.txt');
    expect([status, body.code, headers.get('x-robots-tag')]).toEqual([404, 'rest_no_route', 'noindex']);
  });

  test('may be read by scripts of any origin, the same for all of them, as caches keep them', async () => {
    const origin = { Origin: 'https://a.example' };
    const questions: Record<string, string>[] = [{}, origin, { ...origin, Range: 'bytes=0-2' }];
    for (const headers of questions) {
      const answer = await client.get('/uploads/cat.txt', headers);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-expose-headers')).toMatch(/\bContent-Range\b/);
      expect(answer.headers.get('vary')).toBeNull();
    }
  });

  test('cannot be written there', async () => {
    expect((await client.post('/uploads/cat.txt', 'x')).status).toBe(404);
  });
});

describe('a service that misbehaves', () => {
  const withContent = async (
    url: string,
    work: (client: Speaker, gateway: RunningGateway) => Promise<void>,
    settings: Record<string, unknown> = {},
  ): Promise<void> => {
    const own = await startTestGateway({ ...addresses('CONTENT', content), CONTENT_HTTP: url, ...settings });
    try {
      await work(speaker(own.url), own);
    } finally {
      await own.stop();
    }
  };

  test('and talks no HTTP is a bad gateway', async () => {
    const server = await startRawServer(() => 'hello, this is not HTTP\r\n\r\n');
    await withContent(server.url, async (own) => {
      for (const method of ['GET', 'POST']) {
        const { status, body } = await own.request(method, ECHO);
        expect([method, status, body.code, body.data]).toEqual([method, 502, 'bad_gateway', { status: 502 }]);
      }
      const enveloped = await own.get(`${ECHO}?_envelope=1`);
      expect([enveloped.status, enveloped.body.status, enveloped.body.body.code]).toEqual([
        200,
        502,
        'bad_gateway',
      ]);
    });
    await server.stop();
  });

  test('and hangs up is asked once more, for reads only', async () => {
    const server = await startRawServer((_request, number) =>
      number === 1 ? '' : 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}',
    );
    await withContent(server.url, async (own) => {
      expect((await own.get(ECHO)).status).toBe(200);
      expect(server.connections()).toBe(2);
    });
    await server.stop();
    const silent = await startRawServer(() => '');
    await withContent(silent.url, async (own) => {
      expect((await own.post(ECHO)).status).toBe(502);
      expect(silent.connections()).toBe(1);
      expect((await own.get(ECHO)).status).toBe(502);
      expect(silent.connections()).toBe(3);
    });
    await silent.stop();
  });

  test('and never answers is given up in time', async () => {
    const server = await startRawServer(() => undefined);
    await withContent(
      server.url,
      async (own) => {
        const answers = await Promise.all([
          own.get(ECHO),
          own.post(ECHO, { text: 'x' }),
          own.get(`${ECHO}?_envelope`),
        ]);
        expect(answers.slice(0, 2).map(({ status, body }) => [status, body.code])).toEqual([
          [504, 'upstream_timeout'],
          [504, 'upstream_timeout'],
        ]);
        expect(answers[2]?.body).toMatchObject({ status: 504, body: { code: 'upstream_timeout' } });
      },
      { REQUEST_TIMEOUT_SECONDS: 1 },
    );
    await server.stop();
  });

  test.each(['GET', 'POST'])('%s: and stops in the middle leaves a client that notices', async (method) => {
    const server = await startRawServer(() => 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    await withContent(server.url, async (_own, { url }) => {
      await expect(ask(`${url}${ECHO}`, { method })).rejects.toThrow();
    });
    await server.stop();
  });

  test('and names internal headers has them taken away', async () => {
    const server = await startRawServer(
      () =>
        'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Sevenfold-Actor: a\r\nKeep-Alive: timeout=3\r\nAccess-Control-Allow-Origin: x\r\n' +
        'Vary: Accept\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nProxy-Authenticate: Basic\r\nConnection: x-gone\r\nX-Gone: 1\r\n\r\n{}',
    );
    await withContent(server.url, async (_own, { url }) => {
      for (const method of ['GET', 'POST']) {
        const { headers } = await ask(`${url}${ECHO}`, { method });
        expect(headers).toMatchObject({
          'set-cookie': ['a=1', 'b=2'],
          vary: method === 'GET' ? 'Accept, Origin' : 'Accept',
        });
        for (const name of [
          'x-sevenfold-actor',
          'access-control-allow-origin',
          'proxy-authenticate',
          'x-gone',
        ])
          expect([name, headers[name]]).toEqual([name, undefined]);
        expect(headers['keep-alive']).not.toBe('timeout=3');
      }
    });
    await server.stop();
  });
});

describe('credentials', () => {
  test('travel as a signed statement, not as they are', async () => {
    for (const method of ['GET', 'POST']) {
      const { body, headers } = await client.request(method, ECHO, { headers: signedIn });
      expect(body.user).toBe('editor');
      expect(body.headers.authorization).toBeUndefined();
      expect(body.headers['x-sevenfold-actor']).toMatch(/^[\w-]+\.[\w-]+$/);
      expect(headers.get('cache-control')).toBe('no-cache, must-revalidate, max-age=0');
      expect(headers.get('expires')).toBe('Wed, 11 Jan 1984 05:00:00 GMT');
      expect(headers.get('vary')).toBeNull();
    }
  });
});
