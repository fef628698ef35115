/** Large bodies of many: those of one network do not take the room of all others. */
import http from 'node:http';
import { ADDRESS_HEADER, addressSigner } from './client-address';
import { createLog } from '../log';
import { TEST_ACTOR_SECRET } from '../testing/service';
import { until } from '../testing/until';
import { serve } from './road';
import { anyone, reply, route } from './route';
import { type HttpServer, startHttpServer } from './server';

const MEGABYTE = 1024 * 1024;
/** More than all of them have. */
const MANY = 60;
const sign = addressSigner(TEST_ACTOR_SECRET);

let server: HttpServer;
/** Whoever works on a body goes on when this is called. */
let finish: () => void = () => undefined;
let working = 0;

beforeAll(async () => {
  const about = { summary: 'For tests.', args: {}, permission: anyone };
  const handle = serve({
    namespace: 'sample/v1',
    resources: [
      {
        name: 'bodies',
        routes: [
          route({ ...about, methods: ['POST'], path: '/read', handle: () => reply.plain('read') }),
          route({
            ...about,
            methods: ['POST'],
            path: '/worked-on',
            bodyLimit: 60 * MEGABYTE,
            handle: async () => {
              working += 1;
              await new Promise<void>((resolve) => {
                const before = finish;
                finish = () => {
                  before();
                  resolve();
                };
              });
              return reply.plain('done');
            },
          }),
        ],
      },
    ],
    deps: {},
    log: createLog('sample', 'test', 'silent'),
    siteUrl: 'http://site.test',
    actorSecret: TEST_ACTOR_SECRET,
  });
  server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    log: createLog('sample', 'test', 'silent'),
    notReady: () => [],
    configure: (app) => app.use((request, response) => void handle(request, response)),
  });
});
afterAll(() => server.stop(0));

interface Sending {
  readonly request: http.ClientRequest;
  readonly answer: Promise<{ readonly status: number; readonly retryAfter?: string; readonly text: string }>;
}

function send(from: string, path: string, type: string, body: Buffer | string, declared: number): Sending {
  const request = http.request(`${server.url}/rest/sample/v1${path}`, {
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': type, 'Content-Length': declared, [ADDRESS_HEADER]: sign(from) },
  });
  const answer = new Promise<Awaited<Sending['answer']>>((resolve) => {
    request.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('close', () =>
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text }),
      );
    });
    // Refused in the middle.
    request.on('error', () => undefined);
  });
  request.write(body);
  return { request, answer };
}

const JSON_TYPE = 'application/json';
const PARTS = 'multipart/form-data; boundary=x';
const jsonOf = (bytes: number): string => JSON.stringify({ text: 'x'.repeat(bytes - 11) });
const partOf = (bytes: number): string =>
  `--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n${'x'.repeat(bytes)}`;

const open = new Set<Sending>();
afterEach(() => {
  finish();
  for (const { request } of open) request.destroy();
  open.clear();
});

/** Bodies of nearly a megabyte that never end; resolves when so many of them were refused. */
async function stall(
  from: (at: number) => string,
  type = JSON_TYPE,
  refusals = MANY - 50,
): Promise<unknown[]> {
  const refused: unknown[] = [];
  for (let at = 0; at < MANY; at++) {
    const body = (type === PARTS ? partOf(MEGABYTE) : jsonOf(MEGABYTE)).slice(0, MEGABYTE - 1_000);
    const sending = send(from(at), '/read', type, body, MEGABYTE);
    open.add(sending);
    void sending.answer.then((answer) => refused.push(answer));
  }
  await until(() => refused.length >= refusals);
  return refused;
}

test.each([
  ['JSON', JSON_TYPE],
  ['parts', PARTS],
])('whoever fills the room with %s is told to come again, and others are served', async (_, type) => {
  const refused = await stall((at) => `192.0.2.${at}`, type);
  expect(refused[0]).toMatchObject({ status: 503, retryAfter: '5' });
  expect(JSON.parse((refused[0] as { text: string }).text)).toMatchObject({
    code: 'service_busy',
    data: { done: false },
  });
  for (const from of ['198.51.100.1', '2001:db8::1']) {
    const body = jsonOf(MEGABYTE);
    const { request, answer } = send(from, '/read', JSON_TYPE, body, body.length);
    request.end();
    expect(await answer).toMatchObject({ status: 200 });
  }
});

test('usual bodies need no room, whoever sends them', async () => {
  await stall((at) => `192.0.2.${at}`);
  const body = jsonOf(10_000);
  const { request, answer } = send('192.0.2.250', '/read', JSON_TYPE, body, body.length);
  request.end();
  expect(await answer).toMatchObject({ status: 200 });
});

test('what is worked on is not given up, and holds its room until it is answered', async () => {
  const sizes = [23, 23];
  const first = sizes.map((size, at) => {
    const body = jsonOf(size * MEGABYTE);
    const sending = send(`203.0.113.${at}`, '/worked-on', JSON_TYPE, body, body.length);
    sending.request.end();
    return sending;
  });
  working = 0;
  await until(() => working === sizes.length);
  const body = jsonOf(10 * MEGABYTE);
  const late = send('198.51.100.7', '/worked-on', JSON_TYPE, body, body.length);
  late.request.end();
  expect(await late.answer).toMatchObject({ status: 503, retryAfter: '5' });
  finish();
  for (const { answer } of first) expect(await answer).toMatchObject({ status: 200 });
  const again = send('198.51.100.7', '/worked-on', JSON_TYPE, body, body.length);
  again.request.end();
  await until(() => {
    finish();
    return Promise.race([again.answer, Promise.resolve(undefined)]);
  });
  expect(await again.answer).toMatchObject({ status: 200 });
});
