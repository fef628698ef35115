/** The road of a request, stop by stop, through HTTP on a real database. */
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import pino from 'pino';
import { signStatement } from '../statement';
import { type Actor, signActor, stranger } from '../actor';
import { ApiError, deny, invalidParam } from '../errors';
import { type SampleDeps, sampleService } from '../testing/sample';
import { TEST_ACTOR_SECRET, type TestService, startTestService } from '../testing/service';
import { ADDRESS_HEADER, addressSigner } from './client-address';
import { describeRoutes } from './describe';
import { trimSlash } from './match';
import { openApi } from './openapi';
import { type AnyRoute, anyone, reply, route } from './route';
import { serve } from './road';

let site: TestService<SampleDeps>;
const editor: Actor = { ...stranger, id: 7, username: 'ed', capabilities: new Set(['edit_notes']) };
const reader: Actor = { ...stranger, id: 8, username: 'rea' };

beforeAll(async () => {
  site = await startTestService(sampleService, {});
});
afterAll(() => site.stop());
beforeEach(() => site.deps.db.run('truncate notes restart identity'));

const seed = async (n: number): Promise<void> => {
  await site.deps.db.run(`insert into notes (text) select 'note ' || i from generate_series(1, $1::int) i`, [
    n,
  ]);
};

describe('routes', () => {
  test('unknown paths, and known ones with another method, are 404', async () => {
    for (const answer of [
      await site.as().get('/nothing'),
      await site.as().delete('/notes'),
      await site.as().get('/notes/abc'),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ code: 'rest_no_route', data: { status: 404 } });
      expect(answer.headers.get('allow')).toBeNull();
    }
  });
  test('a trailing slash and another case name the same route', async () => {
    expect((await site.as().get('/notes/')).status).toBe(200);
    expect((await site.as().get('/Notes')).status).toBe(200);
  });
  // Where each of them were tried as the first of the end, this would take a quarter of an hour.
  test('a million slashes in an address are looked at once', () => {
    expect(trimSlash(`${'/'.repeat(1_000_000)}a/`)).toHaveLength(1_000_001);
  });
  test('HEAD answers the headers of GET without a body', async () => {
    await seed(1);
    const answer = await site.as().request('HEAD', '/notes');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-total')).toBe('1');
    expect(answer.text).toBe('');
  });
  test('OPTIONS describes the route to anybody, and an unknown one is an empty list', async () => {
    const known = await site.as().request('OPTIONS', '/notes');
    expect(known.status).toBe(200);
    expect(known.body).toMatchObject({
      namespace: 'sample/v1',
      methods: ['GET', 'POST'],
      schema: { title: 'note' },
    });
    expect((await site.as().request('OPTIONS', '/nothing')).body).toEqual([]);
  });
});

test('an unlisted route works, and only the index leaves it out', async () => {
  await seed(2);
  expect((await site.as().get('/notes/count')).body).toEqual({ n: 2 });
  const { namespace, resources, title, description } = sampleService;
  expect(Object.keys(describeRoutes(namespace, resources, ''))).toEqual([
    '/sample/v1/notes',
    '/sample/v1/notes/(?P<id>[\\d]+)',
    '/sample/v1/claims',
    '/sample/v1/broken',
  ]);
  const { paths } = openApi(namespace, resources, { title, description, version: '1' }, '') as {
    paths: object;
  };
  expect(Object.keys(paths)).toContain('/sample/v1/notes/count');
});

/** A service of a few routes without a database, named by its only path. */
async function startRoutes(routes: AnyRoute<object>[]): Promise<{ url: string; close: () => Promise<void> }> {
  const handler = serve<object>({
    namespace: 'faulty/v1',
    resources: [{ name: 'things', routes }],
    deps: {},
    log: pino({ level: 'silent' }),
    siteUrl: 'http://site.test',
    actorSecret: TEST_ACTOR_SECRET,
  });
  const server = http.createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/rest/faulty/v1/things`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

test('what a permission throws is a fault of ours and no missing right, whichever method asks; and nothing is done before it is known', async () => {
  let handled = 0;
  const faulty = await startRoutes([
    route({
      methods: ['GET'],
      path: '/things',
      summary: 'Reads.',
      args: {},
      permission: anyone,
      handle: () => {
        handled += 1;
        return reply.plain('read');
      },
    }),
    route({
      methods: ['POST'],
      path: '/things',
      summary: 'Writes.',
      args: {},
      permission: () => {
        throw new Error('a fault of the permission');
      },
      handle: () => reply.plain('written'),
    }),
  ]);
  try {
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      const answer = await fetch(faulty.url, { method });
      expect([method, answer.status]).toEqual([method, 500]);
      expect(await answer.json()).toMatchObject({ code: 'internal_server_error' });
    }
    expect(handled).toBe(0);
  } finally {
    await faulty.close();
  }
});

test('no handler sees a subject that was not found, also where the permission forgets to refuse', async () => {
  const seen: string[] = [];
  const site = await startRoutes([
    route({
      methods: ['GET'],
      path: '/things',
      summary: 'Reads.',
      args: { known: { type: 'boolean', default: false, description: 'Whether there is one.' } },
      load: async ({ args }): Promise<{ name: string } | undefined> =>
        args.known ? { name: 'found' } : undefined,
      permission: anyone,
      handle: ({ subject }) => {
        seen.push(typeof subject);
        return reply.plain('read');
      },
    }),
  ]);
  try {
    expect((await fetch(`${site.url}?known=true`)).status).toBe(200);
    expect((await fetch(site.url)).status).toBe(500);
    expect(seen).toEqual(['object']);
  } finally {
    await site.close();
  }
});

test('what a caller may not ask for is told before the right that he lacks', async () => {
  const site = await startRoutes([
    route({
      methods: ['GET'],
      path: '/things',
      summary: 'Lists.',
      args: { status: { type: 'string', description: 'Status.' } },
      check: ({ args }) => {
        if (args.status === 'secret') throw invalidParam('status', 'status is not one of these.');
      },
      permission: () => deny('rest_forbidden', 'No.'),
      handle: () => reply.plain('read'),
    }),
  ]);
  try {
    expect((await fetch(site.url)).status).toBe(401);
    expect((await fetch(`${site.url}?status=secret`)).status).toBe(400);
  } finally {
    await site.close();
  }
});

test.each(['plain', 'stream'] as const)(
  'an answer of kind %s, given before the body is whole, is the last one on its connection',
  async (kind) => {
    const pieces = async function* (): AsyncGenerator<string> {
      yield 'first and ';
      yield 'last';
    };
    const site = await startRoutes([
      route({
        methods: ['POST'],
        path: '/things',
        summary: 'Looks at no body.',
        args: {},
        permission: anyone,
        body: 'stream',
        handle: () =>
          kind === 'plain' ? reply.plain('first and last') : reply.stream(pieces(), 'text/plain'),
      }),
    ]);
    const { port, pathname } = new URL(site.url);
    const socket = net.connect(Number(port), '127.0.0.1');
    try {
      let told = '';
      socket.on('data', (chunk) => (told += chunk.toString()));
      socket.write(`POST ${pathname} HTTP/1.1\r\nHost: test\r\nContent-Length: 1000000\r\n\r\n`);
      // It is the server that ends it: the client waits for its turn to send.
      await once(socket, 'end');
      expect(told).toMatch(/^HTTP\/1\.1 200 (.|\r\n)*connection: close(.|\r\n)*last/i);
    } finally {
      socket.destroy();
      await site.close();
    }
  },
);

describe('bodies', () => {
  test.each([
    ['{"text":', 'application/json', 'rest_invalid_json'],
    ['['.repeat(100) + ']'.repeat(100), 'application/json', 'rest_invalid_json'],
    ['--x\r\n', 'multipart/form-data', 'rest_invalid_multipart'],
  ])('refuses %j as %s', async (body, type, code) => {
    const answer = await site.as(editor).post('/notes', body, { 'Content-Type': type });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });
  test('a scalar JSON body counts as none', async () => {
    const answer = await site.as(editor).post('/notes', '5', { 'Content-Type': 'application/json' });
    expect(answer.body).toMatchObject({ code: 'rest_missing_callback_param', data: { params: ['text'] } });
  });
  test('form, multipart, query and JSON bodies all carry arguments; the body beats the query', async () => {
    const form = new FormData();
    form.set('text', 'from multipart');
    expect((await site.as(editor).post('/notes', form)).body.text.raw).toBe('from multipart');
    expect(
      (await site.as(editor).post('/notes', new URLSearchParams({ text: 'from form' }))).body.text.raw,
    ).toBe('from form');
    expect((await site.as(editor).post('/notes?text=from%20query')).body.text.raw).toBe('from query');
    expect((await site.as(editor).post('/notes?text=a', { text: 'b' })).body.text.raw).toBe('b');
  });
  test('the path beats both', async () => {
    await seed(2);
    expect((await site.as(editor).post('/notes/1?id=2', { id: 2, text: 'x' })).body.id).toBe(1);
  });
  test('too much is 413', async () => {
    const answer = await site.as(editor).post('/notes', { text: 'x'.repeat(1024 * 1024) });
    expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large']);
  });
  test('what PostgreSQL cannot hold is cleaned, not a fault', async () => {
    const answer = await site
      .as(editor)
      .post('/notes', '{"text":"a\\u0000b\\ud800"}', { 'Content-Type': 'application/json' });
    expect(answer.status).toBe(201);
    expect(answer.body.text.raw).toBe('ab\ufffd');
  });
});

describe('permission', () => {
  /** Sends a head and nothing of the body it promises, and gives back the answer. */
  const headOnly = (method: string, path: string, headers: http.OutgoingHttpHeaders): Promise<number> =>
    new Promise((resolve, reject) => {
      const request = http.request(`${site.url}/rest/sample/v1${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', 'Content-Length': 1_000_000, ...headers },
      });
      request.on('error', reject);
      request.on('continue', () => {
        resolve(100);
        request.destroy();
      });
      request.on('response', (response) => {
        resolve(response.statusCode ?? 0);
        request.destroy();
      });
      request.flushHeaders();
    });

  test('of strangers is judged before the body is read, where no body could help them', async () => {
    await seed(1);
    expect(await headOnly('POST', '/notes', {})).toBe(401);
    expect(await headOnly('PATCH', '/notes/1', {})).toBe(401);
    expect(await headOnly('PATCH', '/notes/99', {})).toBe(404);
    const answer = await site.as().post('/notes', '{"text":', { 'Content-Type': 'application/json' });
    expect(answer).toMatchObject({ status: 401, body: { code: 'rest_cannot_edit' } });
    expect(answer.headers.get('allow')).toBe('GET');
  });

  test('is asked once more when the body is there, where it may depend on it', async () => {
    const sent = await site.as().post('/claims', { key: 'right' });
    expect([sent.status, sent.body]).toEqual([200, { claimed: true }]);
    expect((await site.as().post('/claims', { key: 'wrong' })).status).toBe(401);
    expect((await site.as().post('/claims', '{', { 'Content-Type': 'application/json' })).status).toBe(400);
  });

  test('comes before 100-continue, for everybody', async () => {
    await seed(1);
    const expecting = (actor: Actor) => ({
      Expect: '100-continue',
      ...(actor.id > 0 ? { 'x-sevenfold-actor': signActor(actor, TEST_ACTOR_SECRET) } : {}),
    });
    expect(await headOnly('POST', '/notes', expecting(stranger))).toBe(401);
    expect(await headOnly('POST', '/notes', expecting(reader))).toBe(403);
    expect(await headOnly('POST', '/notes', expecting(editor))).toBe(100);
    expect(await headOnly('PUT', '/notes/1', expecting(editor))).toBe(100);
  });

  test('arguments are judged first, then 401 for strangers and 403 for users', async () => {
    expect((await site.as().post('/notes')).status).toBe(400);
    expect((await site.as(reader).post('/notes', {})).status).toBe(400);
    const refused = await site.as().post('/notes', { text: 'x' });
    expect(refused).toMatchObject({ status: 401, body: { code: 'rest_cannot_edit', data: { status: 401 } } });
    expect((await site.as(reader).post('/notes', { text: 'x' })).status).toBe(403);
    expect(await site.deps.db.rows('select 1 from notes')).toEqual([]);
  });
  test('Allow lists what the caller may', async () => {
    expect((await site.as().get('/notes')).headers.get('allow')).toBe('GET');
    expect((await site.as(editor).get('/notes')).headers.get('allow')).toBe('GET, POST');
    expect((await site.as().post('/notes', { text: 'x' })).headers.get('allow')).toBe('GET');
  });
  test('who is nobody is told how to say who he is, in a way that no browser shows a form for', async () => {
    for (const answer of [
      await site.as().post('/notes', { text: 'x' }),
      await site.as().get('/notes', { 'x-sevenfold-actor': 'garbage' }),
    ])
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
        401,
        'Bearer realm="site.test"',
      ]);
    const refused = await site.as(reader).post('/notes', { text: 'x' });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([403, null]);
  });

  test('a forged or foreign signature is 401', async () => {
    expect((await site.as().get('/notes', { 'x-sevenfold-actor': 'eyJpZCI6MX0.AAAA' })).status).toBe(401);
    expect((await site.as().get('/notes', { 'x-sevenfold-actor': 'garbage' })).status).toBe(401);
  });
  test('answers to users are not for shared caches', async () => {
    expect((await site.as(reader).get('/notes')).headers.get('cache-control')).toBe(
      'no-cache, must-revalidate, max-age=0',
    );
    expect((await site.as().get('/notes')).headers.get('cache-control')).toBeNull();
  });
});

describe('presentation', () => {
  test('the context decides which fields are there, nested ones too', async () => {
    await seed(1);
    expect((await site.as().get('/notes/1')).body).toEqual({
      id: 1,
      text: { rendered: '<p>note 1</p>' },
      _links: { self: [{ href: 'http://site.test/rest/sample/v1/notes/1' }] },
    });
    expect((await site.as().get('/notes/1?context=edit')).body).toMatchObject({
      secret: 'hush',
      text: { raw: 'note 1' },
    });
    expect((await site.as(editor).put('/notes/1', { text: 'new' })).body).toMatchObject({
      secret: 'hush',
      text: { raw: 'new' },
    });
  });
  test('_fields keeps what is named', async () => {
    await seed(1);
    expect((await site.as().get('/notes/1?_fields=id,text.rendered')).body).toEqual({
      id: 1,
      text: { rendered: '<p>note 1</p>' },
    });
    expect((await site.as().get('/notes?_fields[]=id')).body).toEqual([{ id: 1 }]);
    for (const list of [
      '_fields[]=id&_fields[]=text.rendered',
      '_fields%5B%5D=id&_fields%5B%5D=text.rendered',
      '_fields=id%20text.rendered',
      '_fields=id+,+text.rendered',
    ])
      expect(Object.keys((await site.as().get(`/notes?${list}`)).body[0])).toEqual(['id', 'text']);
    expect((await site.as().get('/notes/1?_fields=nothing')).body).toEqual([]);
  });
  test('_embed follows links, all or by name', async () => {
    await site.deps.db.run(`insert into notes (text, friend) values ('a', 0), ('b', 1), ('c', 99)`);
    const all = (await site.as().get('/notes?_embed')).body;
    expect(all[0]._embedded).toBeUndefined();
    expect(all[1]._embedded.friend[0]).toMatchObject({ id: 1 });
    expect(all[2]._embedded.friend[0]).toMatchObject({ code: 'rest_invalid_link' });
    expect((await site.as().get('/notes?_embed=other')).body[1]._embedded).toBeUndefined();
    for (const list of ['friend', 'other,%20friend', 'other+friend'])
      expect((await site.as().get(`/notes?_embed=${list}`)).body[1]._embedded.friend).toHaveLength(1);
  });
  test('paging headers repeat the query', async () => {
    await seed(5);
    const answer = await site.as().get('/notes?page=2&per_page=2&x=%C3%A4');
    expect(answer.headers.get('x-total')).toBe('5');
    expect(answer.headers.get('x-total-pages')).toBe('3');
    expect(answer.headers.get('link')).toBe(
      '<http://site.test/rest/sample/v1/notes?page=1&per_page=2&x=%C3%A4>; rel="prev", <http://site.test/rest/sample/v1/notes?page=3&per_page=2&x=%C3%A4>; rel="next"',
    );
    expect((await site.as().get('/notes?per_page=2')).headers.get('link')).toBe(
      '<http://site.test/rest/sample/v1/notes?per_page=2&page=2>; rel="next"',
    );
  });
  test('of an argument that is repeated the last one counts, in links as well', async () => {
    await seed(5);
    const answer = await site.as().get('/notes?page=1&per_page=4&per_page=2&page=3');
    expect(answer.body).toHaveLength(1);
    expect(answer.headers.get('link')).toBe(
      '<http://site.test/rest/sample/v1/notes?page=2&per_page=4&per_page=2>; rel="prev"',
    );
  });
  test('what was deleted for good is shown as it was, in edit context and without links', async () => {
    await seed(1);
    const answer = await site.as(editor).delete('/notes/1?force=true&_embed');
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      deleted: true,
      previous: { id: 1, text: { rendered: '<p>note 1</p>', raw: 'note 1' }, secret: 'hush' },
    });
    await seed(1);
    expect((await site.as(editor).delete('/notes/2?_fields=previous.id')).body).toEqual({
      previous: { id: 2 },
    });
  });
  test('OPTIONS names the contexts of every field', async () => {
    const { properties } = (await site.as().request('OPTIONS', '/notes')).body.schema;
    expect(properties.id.context).toEqual(['view', 'edit', 'embed']);
    expect(properties.secret.context).toEqual(['edit']);
    expect(properties.text.properties.rendered.context).toEqual(['view', 'edit', 'embed']);
  });
});

describe('faults of ours', () => {
  test('show nothing of their cause', async () => {
    const answer = await site.as().get('/broken');
    expect(answer.status).toBe(500);
    expect(answer.body.code).toBe('internal_server_error');
    expect(answer.text).not.toContain('secret');
  });
});

/** A listener with two routes, and what it logs: one waits until its caller is gone, one tells the address. */
async function startLogged() {
  const lines = new PassThrough({ encoding: 'utf8' });
  let begin = (): void => undefined;
  const began = new Promise<void>((resolve) => (begin = resolve));
  const routes = [
    route({
      methods: ['GET'],
      path: '/cancelled',
      summary: 'Fails when its caller goes.',
      args: {},
      permission: anyone,
      handle: ({ request }) =>
        new Promise<never>((_resolve, reject) => {
          request.signal().addEventListener('abort', () => reject(new Error('1 CANCELLED')));
          begin();
        }),
    }),
    route({
      methods: ['DELETE'],
      path: '/kept',
      summary: 'Refuses, as there is no trash.',
      args: {},
      permission: anyone,
      handle: () => Promise.reject(new ApiError('rest_trash_not_supported', 501, 'There is no trash.')),
    }),
    route({
      methods: ['DELETE'],
      path: '/broken',
      summary: 'Has a fault.',
      args: {},
      permission: anyone,
      handle: () => Promise.reject(new Error('a fault')),
    }),
    route({
      methods: ['GET'],
      path: '/address',
      summary: 'Tells the address of its caller.',
      args: {},
      permission: anyone,
      handle: ({ request }) => Promise.resolve(reply.plain(request.address)),
    }),
    route({
      methods: ['GET'],
      path: '/told',
      summary: 'Refuses, and tells readers of text in text.',
      args: { id: { type: 'integer', required: true, description: 'Any number.' } },
      permission: () => deny('rest_forbidden', 'Not you.'),
      answerError: ({ status, message }, { headers }) =>
        headers.accept === 'text/plain'
          ? reply.text(`${status}: ${message}`, 'text/plain', status)
          : undefined,
      handle: () => reply.seeOther('/elsewhere'),
    }),
    route({
      methods: ['GET'],
      path: '/pieces',
      summary: 'Two pieces.',
      args: {},
      permission: anyone,
      handle: () => reply.stream(pieces(), 'text/plain'),
    }),
  ];
  const handle = serve({
    namespace: 'sample/v1',
    resources: [{ name: 'logged', routes }],
    deps: {},
    log: pino({ level: 'debug', formatters: { level: (level) => ({ level }) } }, lines),
    siteUrl: 'http://site.test',
    actorSecret: 'test',
  });
  const server = http.createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { lines, began, server, url: `http://127.0.0.1:${port}/rest/sample/v1` };
}

async function* pieces(): AsyncGenerator<string> {
  yield 'one ';
  yield 'two';
}

test('a streamed answer comes whole, and few listen to its end: eleven would be warned of', async () => {
  const { server, url } = await startLogged();
  let most = 0;
  server.prependListener('request', (_request, response) => {
    response.on('newListener', () => (most = Math.max(most, response.listenerCount('close') + 1)));
  });
  expect(await (await fetch(`${url}/pieces`)).text()).toBe('one two');
  expect(most).toBeLessThan(4);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('what a caller cuts short by hanging up is no error in the log', async () => {
  const { lines, began, server, url } = await startLogged();
  const request = http.get(`${url}/cancelled`, { agent: false }).on('error', () => undefined);
  await began;
  const line = new Promise<string>((resolve) => lines.once('data', resolve));
  request.destroy();
  expect(JSON.parse(await line)).toMatchObject({ level: 'debug', err: { message: '1 CANCELLED' } });
  await new Promise((resolve) => server.close(resolve));
});

test('that there is no trash is told to its caller, and is no error in the log', async () => {
  const { lines, server, url } = await startLogged();
  const said: string[] = [];
  lines.on('data', (line: string) => said.push(line));
  const remove = async (path: string): Promise<number> =>
    (await fetch(`${url}/${path}`, { method: 'DELETE', headers: { Connection: 'close' } })).status;
  expect([await remove('kept'), await remove('broken')]).toEqual([501, 500]);
  const told = said.map((line) => JSON.parse(line) as { level: string; path: string });
  expect(told.filter(({ level }) => level === 'error').map(({ path }) => path)).toEqual([
    '/rest/sample/v1/broken',
  ]);
  await new Promise((resolve) => server.close(resolve));
});

test('the address of a caller is what the gateway signed, else where its connection comes from', async () => {
  const { server, url } = await startLogged();
  const told = async (headers: Record<string, string>): Promise<unknown> =>
    (await fetch(`${url}/address`, { headers: { ...headers, Connection: 'close' } })).json();
  const signed = (secret: string, until = Date.now() + 60_000, claims: object = { address: '203.0.113.9' }) =>
    told({ [ADDRESS_HEADER]: signStatement('address', claims, secret, until) });
  expect(await told({ [ADDRESS_HEADER]: addressSigner('test')('203.0.113.9') })).toBe('203.0.113.9');
  expect(await signed('test')).toBe('203.0.113.9');
  expect(await signed('guessed')).toBe('127.0.0.1');
  expect(await signed('test', Date.now() - 1)).toBe('127.0.0.1');
  expect(await signed('test', undefined, { address: 5 })).toBe('127.0.0.1');
  expect(await told({ [ADDRESS_HEADER]: '203.0.113.9' })).toBe('127.0.0.1');
  expect(await told({ 'X-Forwarded-For': '203.0.113.9' })).toBe('127.0.0.1');
  expect(await told({})).toBe('127.0.0.1');
  await new Promise((resolve) => server.close(resolve));
});

test('a route tells of errors in its own way, whatever stop they come from', async () => {
  const { server, url } = await startLogged();
  const ask = (query: string, accept: string) =>
    fetch(`${url}/told${query}`, { headers: { Accept: accept, Connection: 'close' } });
  for (const [query, status, text] of [
    ['', 400, '400: Missing parameter(s): id'],
    ['?id=1', 401, '401: Not you.'],
  ] as const) {
    const told = await ask(query, 'text/plain');
    expect([told.status, told.headers.get('content-type'), await told.text()]).toEqual([
      status,
      'text/plain',
      text,
    ]);
    const usual = await ask(query, 'application/json');
    expect([usual.status, ((await usual.json()) as { data: object }).data]).toMatchObject([
      status,
      { status },
    ]);
  }
  await new Promise((resolve) => server.close(resolve));
});
