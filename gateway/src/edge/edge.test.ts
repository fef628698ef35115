/** What strangers do on the socket: refused uploads, requests sent ahead, stalled bodies, answers left unread. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { isLoggedIn } from '@sevenfold/chassis/actor';
import { type Denial, WRITE, anyone, reply, route } from '@sevenfold/chassis/http/route';
import type { RunningService, ServiceConfig, ServiceDefinition } from '@sevenfold/chassis/service-definition';
import { type Speaker, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { type Deps, signedIn, smallContent } from '../testing/small';
import { ask, startRawServer } from '../testing/sockets';

const text = { type: 'string', default: '', description: 'A text.' } as const;
const users = ({ actor }: { actor: Parameters<typeof isLoggedIn>[0] }): Denial | undefined =>
  isLoggedIn(actor) ? undefined : { code: 'rest_cannot_create', message: 'Sign in.' };

const guarded: ServiceDefinition<Deps, ServiceConfig> = {
  ...smallContent,
  resources: [
    ...smallContent.resources.map((resource) => ({
      ...resource,
      routes: resource.routes.filter(({ path }) => path !== '/media'),
    })),
    {
      name: 'guarded',
      routes: [
        route({
          methods: ['POST'],
          path: '/media',
          summary: 'Counts what users upload',
          args: {},
          permission: users,
          body: 'stream',
          handle: async ({ request }) => {
            let size = 0;
            for await (const chunk of request.raw as AsyncIterable<Buffer>) size += chunk.length;
            return reply.plain({ size }, 201);
          },
        }),
        route({
          methods: [...WRITE],
          path: '/guarded',
          summary: 'For users',
          args: { text },
          permission: users,
          handle: ({ args }) => reply.plain(args),
        }),
        route({
          methods: ['GET'],
          path: '/alive',
          summary: 'Answers',
          args: {},
          permission: anyone,
          handle: () => reply.plain({ alive: true }),
        }),
      ],
    },
  ],
};

let content: RunningService<Deps>;
let gateway: RunningGateway;
let client: Speaker;

beforeAll(async () => {
  content = await startSmall(guarded);
  gateway = await startTestGateway({ ...addresses('CONTENT', content), REQUEST_TIMEOUT_SECONDS: 10 });
  client = speaker(gateway.url);
});

afterAll(async () => {
  content.deps.release();
  await gateway.stop();
  await content.stop();
});

const MEDIA = '/rest/core/v2/media';
const GUARDED = '/rest/core/v2/guarded';
const ALIVE = '/rest/core/v2/alive';
const WAIT = '/rest/core/v2/wait';
const BYTES = 5_000_000;

const alive = async (who: Speaker = client): Promise<void> =>
  expect([(await who.get(ALIVE)).status, (await who.post('/rest/core/v2/echo')).status]).toEqual([200, 201]);

const head = (method: string, path: string, headers = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

interface Stranger {
  readonly socket: net.Socket;
  text(): string;
  /** How its connection ended. */
  readonly ended: Promise<string>;
}

function stranger(port: number, bytes: string | Buffer): Stranger {
  const socket = net.connect(port, '127.0.0.1');
  let all = '';
  socket.on('data', (chunk) => (all += chunk.toString()));
  socket.write(bytes);
  const ended = new Promise<string>((resolve) => {
    let how = 'closed';
    socket.on('error', (error: NodeJS.ErrnoException) => (how = error.code ?? error.message));
    socket.on('close', () => resolve(how));
  });
  return { socket, text: () => all, ended };
}

describe('a refused upload', () => {
  test('is told so, every time, to a client that first sends everything; nobody else notices', async () => {
    for (let turn = 0; turn < 12; turn++) {
      const one = stranger(
        gateway.port,
        head('POST', MEDIA, `Content-Type: image/png\r\nContent-Length: ${BYTES}\r\n`),
      );
      await new Promise<void>((resolve) => one.socket.write(Buffer.alloc(BYTES), () => resolve()));
      expect(await one.ended).toBe('closed');
      expect(one.text()).toMatch(/^HTTP\/1\.1 401 (.|\r\n)*"rest_cannot_create"/);
    }
    await alive();
  });

  test.each(['', '?_envelope'])('of unknown length, too (%s)', async (query) => {
    for (let turn = 0; turn < 6; turn++) {
      const headers = { 'Transfer-Encoding': 'chunked', 'Content-Type': 'image/png' };
      const answer = await ask(
        `${gateway.url}${MEDIA}${query}`,
        { method: 'POST', headers },
        Buffer.alloc(BYTES),
      );
      expect([answer.status, answer.text]).toEqual([
        query === '' ? 401 : 200,
        expect.stringContaining('"rest_cannot_create"'),
      ]);
    }
    await alive();
  });

  test('is allowed to those who may', async () => {
    const { status, body } = await client.post(MEDIA, Buffer.alloc(BYTES), {
      ...signedIn,
      'Content-Type': 'image/png',
    });
    expect([status, body]).toEqual([201, { size: BYTES }]);
  });

  test('answered by a service that does not read on wins over what is still to be sent', async () => {
    const body = '{"code":"no"}';
    const server = await startRawHead(
      `HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const own = await startTestGateway({ ...addresses('CONTENT', content), CONTENT_HTTP: server.url });
    for (let turn = 0; turn < 6; turn++) {
      const { status, body: told } = await speaker(own.url).post(MEDIA, Buffer.alloc(BYTES), {
        'Content-Type': 'image/png',
      });
      expect([status, told]).toEqual([403, { code: 'no' }]);
    }
    await own.stop();
    await server.stop();
  });
});

/** Answers as soon as a head has come, and reads nothing more. */
async function startRawHead(answer: string): Promise<{ url: string; stop(): Promise<void> }> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => {
      socket.pause();
      socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

describe('Expect: 100-continue', () => {
  const expecting = (path: string, headers: Record<string, string> = {}): Promise<[number, string]> =>
    new Promise((resolve, reject) => {
      let continued = false;
      const request = http.request(`${gateway.url}${path}`, {
        method: 'POST',
        agent: false,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': 12,
          Expect: '100-continue',
          ...headers,
        },
      });
      request.on('error', reject);
      request.on('continue', () => {
        continued = true;
        request.end('{"text":"x"}');
      });
      request.on('response', (response) => {
        let all = '';
        response.on('data', (chunk) => (all += chunk));
        response.on('end', () => {
          resolve([response.statusCode ?? 0, `${continued ? 'continued ' : ''}${all}`]);
          request.destroy();
        });
      });
      request.flushHeaders();
    });

  test.each([GUARDED, MEDIA, `${GUARDED}?_envelope`])(
    '%s: strangers are refused without their body',
    async (path) => {
      const [status, told] = await expecting(path);
      expect(status).toBe(path.endsWith('_envelope') ? 200 : 401);
      expect(told).toMatch(/^\{.*"rest_cannot_create"/);
    },
  );

  test('what the gateway refuses is not asked for', async () => {
    expect((await expecting(GUARDED, { 'Content-Type': 'text/plain' }))[1]).toMatch(
      /^\{.*unsupported_media_type/,
    );
    expect((await expecting(GUARDED, { Authorization: 'Basic bm86bm8=' }))[1]).toMatch(
      /^\{.*rest_invalid_cred/,
    );
  });

  test.each([GUARDED, MEDIA])('%s: users send theirs when it is wanted', async (path) => {
    expect(await expecting(path, signedIn)).toEqual([
      path === MEDIA ? 201 : 200,
      `continued ${path === MEDIA ? '{"size":12}' : '{"text":"x"}'}`,
    ]);
  });
});

describe('what clients do wrong', () => {
  const TRIES = 8;

  test('is no fault of the service: bodies that stop, break off or are nonsense', async () => {
    const own = await startTestGateway({ ...addresses('CONTENT', content), REQUEST_TIMEOUT_SECONDS: 5 });
    const echo = '/rest/core/v2/echo';
    for (const query of ['', '?_envelope']) {
      const stalled = Array.from({ length: TRIES }, () =>
        stranger(own.port, `${head('POST', `${echo}${query}`, 'Content-Length: 100\r\n')}text=`),
      );
      await Promise.all(stalled.map(({ ended }) => ended));
      for (const one of stalled) expect(one.text()).toContain('"request_timeout"');
    }
    for (let turn = 0; turn < TRIES; turn++) {
      const upload = head('POST', MEDIA, 'Content-Type: image/png\r\nContent-Length: 5000000\r\n');
      const gone = stranger(own.port, upload);
      await new Promise<void>((resolve) => gone.socket.write(Buffer.alloc(100_000), () => resolve()));
      gone.socket.resetAndDestroy();
      await gone.ended;
      const nonsense = stranger(
        own.port,
        `${head('POST', echo, 'Transfer-Encoding: chunked\r\n')}3\r\nabc\r\nzz\r\n`,
      );
      await nonsense.ended;
    }
    await alive(speaker(own.url));
    await own.stop();
  });

  test('while a service that reads no body is one', async () => {
    const server = await startRawServer(() => undefined);
    const own = await startTestGateway({ SEO_HTTP: server.url, REQUEST_TIMEOUT_SECONDS: 1 });
    const { status, body } = await speaker(own.url).post('/rest/seo/v1/configurator', { text: 'x' });
    expect([status, body.code]).toEqual([504, 'upstream_timeout']);
    await own.stop();
    await server.stop();
  });
});

describe('requests sent ahead', () => {
  test('are begun one at a time, and end with their socket: every connection to the service comes back', async () => {
    const before = { ...content.deps };
    const many = Array.from({ length: 4 }, () => stranger(gateway.port, head('GET', WAIT).repeat(50)));
    await until(() => content.deps.waiting === before.waiting + 4);
    for (const { socket } of many) socket.resetAndDestroy();
    await until(() => content.deps.gone === before.gone + 4);
    expect(content.deps.waiting).toBe(before.waiting + 4);
    await alive();
  });

  test('of which answers nobody reads cost one answer each', async () => {
    const many = Array.from({ length: 3 }, () => {
      const one = stranger(gateway.port, head('GET', '/rest/core/v2/big').repeat(60));
      one.socket.pause();
      return one;
    });
    await alive();
    for (const { socket } of many) socket.resetAndDestroy();
    await alive();
  });

  test('by the thousand end their connection', async () => {
    const one = stranger(gateway.port, head('GET', '/rest/?_pretty').repeat(1_300));
    await one.ended;
    await alive();
  });
});

describe('answers that are not read', () => {
  const LARGE = Buffer.alloc(24 * 1024 * 1024, 'x');
  const MANY = 140;

  /** A service with answers without end, and small ones. */
  async function withService(
    settings: Record<string, unknown>,
    work: (site: {
      gateway: RunningGateway;
      running: Set<ServerResponse>;
      open: Set<net.Socket>;
    }) => Promise<void>,
  ): Promise<void> {
    const running = new Set<ServerResponse>();
    const open = new Set<net.Socket>();
    const server = http.createServer((request: IncomingMessage, response: ServerResponse) => {
      if (!request.url?.includes('endless')) return void response.end('{}');
      running.add(response);
      response.on('close', () => running.delete(response));
      const more = (): void => {
        while (!response.destroyed && response.write(LARGE.subarray(0, 1024 * 1024)));
      };
      response.on('drain', more);
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const own = await startTestGateway({
      ...addresses('CONTENT', content),
      CONTENT_HTTP: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      SHUTDOWN_SECONDS: 0,
      ...settings,
    });
    try {
      await work({ gateway: own, running, open });
    } finally {
      for (const socket of open) socket.destroy();
      await own.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  const ENDLESS = head('GET', '/rest/core/v2/endless');

  test('take no connection to the service from others, however many there are', async () => {
    await withService({ REQUEST_TIMEOUT_SECONDS: 20 }, async ({ gateway: own, running, open }) => {
      for (let at = 0; at < MANY; at++) {
        const { socket } = stranger(own.port, ENDLESS);
        open.add(socket.pause());
      }
      await until(() => running.size >= 100);
      const own2 = speaker(own.url);
      for (let turn = 0; turn < 3; turn++) expect((await own2.get('/rest/core/v2/posts')).status).toBe(200);
    });
  });

  test('or read by the byte end in time, with their connection to the service', async () => {
    await withService({ ANSWER_SECONDS: 2 }, async ({ gateway: own, running, open }) => {
      for (const query of ['', '?_envelope']) {
        const { socket, ended } = stranger(own.port, head('GET', `/rest/core/v2/endless${query}`));
        open.add(socket);
        const reader = setInterval(() => socket.resume() && setImmediate(() => socket.pause()), 50);
        await ended;
        clearInterval(reader);
        await until(() => running.size === 0);
      }
    });
  });
});
