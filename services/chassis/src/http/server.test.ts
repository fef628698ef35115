/** How a listener stops while its clients keep their connections and go on sending. */
import type http from 'node:http';
import { until } from '../testing/until';
import net from 'node:net';
import { createLog } from '../log';
import { type HttpServer, type HttpServerOptions, startHttpServer } from './server';

// Far more than a test may take: one that waits for it fails.
const GRACE_MS = 60_000;

interface Held {
  readonly server: HttpServer;
  /** The answers that wait, by path; nothing of them was sent. */
  readonly waiting: Map<string, http.ServerResponse>;
}

async function startHeld(more: Partial<HttpServerOptions> = {}): Promise<Held> {
  const waiting = new Map<string, http.ServerResponse>();
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    log: createLog('test', 'api', 'silent'),
    notReady: () => [],
    configure: (app) =>
      app.use((request, response) => void waiting.set(request.url, response as http.ServerResponse)),
    ...more,
  });
  return { server, waiting };
}

/** Sends requests as they are on one connection, and collects what comes back. */
function connect(port: number): {
  send(path: string): void;
  text(): string;
  readonly closed: Promise<void>;
} {
  const socket = net.connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  return {
    send: (path) => void socket.write(`POST ${path} HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\r\n`),
    text: () => text,
    closed: new Promise((resolve, reject) => socket.on('close', () => resolve()).on('error', reject)),
  };
}

test('a running request is answered, and told that its connection ends', async () => {
  const { server, waiting } = await startHeld();
  const client = connect(server.port);
  client.send('/running');
  await until(() => waiting.has('/running'));
  const stopped = server.stop(GRACE_MS);
  waiting.get('/running')!.end('done');
  await client.closed;
  expect(client.text()).toMatch(/^HTTP\/1\.1 200 OK\r\n(.|\r\n)*Connection: close\r\n(.|\r\n)*done$/);
  await stopped;
});

test('while it lets go everything is answered, on new connections too, and each answer ends its connection', async () => {
  const { server, waiting } = await startHeld();
  const kept = connect(server.port);
  kept.send('/before');
  await until(() => waiting.has('/before'));
  waiting.get('/before')!.end('before');
  await until(() => kept.text().includes('before'));
  expect(kept.text()).toContain('Connection: keep-alive');
  server.letGo();
  const fresh = connect(server.port);
  for (const [client, path] of [
    [kept, '/kept'],
    [fresh, '/fresh'],
  ] as const) {
    client.send(path);
    await until(() => waiting.has(path));
    waiting.get(path)!.end('answered');
    await client.closed;
    expect(client.text()).toMatch(/Connection: close\r\n(.|\r\n)*answered$/);
  }
  await server.stop(GRACE_MS);
});

test('a connection that is kept busy past its age ends with an answer, so that its client makes the next one elsewhere', async () => {
  const { server, waiting } = await startHeld({ connectionAgeMs: 1 });
  const client = connect(server.port);
  let sent = 0;
  const again = async (): Promise<boolean> => {
    const path = `/${(sent += 1)}`;
    client.send(path);
    await until(() => waiting.has(path));
    waiting.get(path)!.end('answered');
    await until(() => client.text().split('answered').length > sent);
    return client.text().includes('Connection: close');
  };
  while (!(await again()));
  await client.closed;
  await server.stop(GRACE_MS);
});

test('a connection that is kept busy serves one more request, and is closed with its answer', async () => {
  const { server, waiting } = await startHeld();
  const client = connect(server.port);
  client.send('/begun');
  await until(() => waiting.has('/begun'));
  // What was sent cannot be taken back: the client believes that it may go on here.
  waiting.get('/begun')!.setHeader('Content-Length', '5');
  waiting.get('/begun')!.flushHeaders();
  await until(() => client.text().includes('keep-alive'));
  const stopped = server.stop(GRACE_MS);
  client.send('/next');
  waiting.get('/begun')!.end('first');
  await until(() => waiting.has('/next'));
  waiting.get('/next')!.end('second');
  await client.closed;
  expect(client.text()).toMatch(/first(.|\r\n)*Connection: close\r\n(.|\r\n)*second/);
  await stopped;
});

test('a connection whose last answer had begun before the stop is closed once it is idle', async () => {
  const { server, waiting } = await startHeld();
  const client = connect(server.port);
  client.send('/begun');
  await until(() => waiting.has('/begun'));
  waiting.get('/begun')!.setHeader('Content-Length', '4');
  waiting.get('/begun')!.flushHeaders();
  await until(() => client.text().includes('keep-alive'));
  const stopped = server.stop(GRACE_MS);
  waiting.get('/begun')!.end('done');
  await client.closed;
  await stopped;
});

test('requests that do not end are cut when the time is over', async () => {
  const { server, waiting } = await startHeld();
  const client = connect(server.port);
  client.send('/endless');
  await until(() => waiting.has('/endless'));
  await server.stop(50);
  await client.closed;
  expect(client.text()).toBe('');
});

test('whoever asks for readiness is answered while the check hangs, and no second check begins meanwhile', async () => {
  let checks = 0;
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    log: createLog('test', 'api', 'silent'),
    notReady: () => {
      checks += 1;
      return new Promise(() => undefined);
    },
  });
  try {
    for (let turn = 0; turn < 2; turn++) {
      const answers = await Promise.all([fetch(`${server.url}/readyz`), fetch(`${server.url}/readyz`)]);
      for (const answer of answers)
        expect([answer.status, await answer.text()]).toEqual([503, 'not ready:\nthe check takes too long\n']);
    }
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(checks).toBe(1);
  } finally {
    await server.stop(0);
  }
});

test('a check that fails is a reason, and the next one begins anew', async () => {
  let fails = true;
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    log: createLog('test', 'api', 'silent'),
    notReady: () => {
      if (fails) throw new Error('no luck');
      return [];
    },
  });
  try {
    expect(await (await fetch(`${server.url}/readyz`)).text()).toBe(
      'not ready:\nthe check failed: no luck\n',
    );
    fails = false;
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  } finally {
    await server.stop(0);
  }
});

test('requests and responses are born with the prototypes that Express would give them', async () => {
  const { server, waiting } = await startHeld();
  const born: object[] = [];
  server.server.prependListener('request', (request: object, response: object) =>
    born.push(Object.getPrototypeOf(request) as object, Object.getPrototypeOf(response) as object),
  );
  const client = connect(server.port);
  client.send('/born');
  await until(() => waiting.has('/born'));
  const response = waiting.get('/born')!;
  const used = [response.req, response].map((object) => Object.getPrototypeOf(object) as object);
  response.end();
  await server.stop(0);
  await client.closed;
  expect(born.map((prototype, at) => prototype === used[at])).toEqual([true, true]);
});

test.each([
  ['no host', 'GET / HTTP/1.1\r\n\r\n'],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  [
    'a coding that nobody knows',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  ],
])('a request with %s is refused in words, and the last one on its connection', async (_, bytes) => {
  const { server, waiting } = await startHeld();
  const socket = net.connect(server.port, '127.0.0.1', () => socket.write(bytes.repeat(2)));
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  await new Promise((resolve) => socket.on('close', resolve).on('error', resolve));
  expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  expect(text).toMatch(/Content-Type: application\/json(.|\r\n)*\r\n\r\n\{"code":"bad_request"/);
  expect(waiting.size).toBe(0);
  await server.stop(0);
});
