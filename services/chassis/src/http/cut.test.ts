/** What ends half-way: requests whose client leaves, and answers that cannot go on. Who is told of it, and as whose fault. */
import http from 'node:http';
import { PassThrough, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createLog } from '../log';
import { until } from '../testing/until';
import { serve } from './road';
import { type Reply, anyone, reply, route } from './route';
import { type HttpServer, startHttpServer } from './server';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly path: string;
  readonly status?: number;
  readonly err?: { readonly message: string };
}

let server: HttpServer;
let url: string;
let lines: Line[];
let observed: string[];
/** Of the answers in pieces how many were begun, and what the next ones are. */
let begun: number;
let pieces: () => AsyncGenerator<string>;
const counted = (): AsyncGenerator<string> => {
  begun += 1;
  return pieces();
};

const about = { summary: 'For tests.', args: {}, permission: anyone };
const swallow = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });
const routes = [
  route({ ...about, methods: ['POST'], path: '/parsed', handle: () => reply.plain('read') }),
  route({
    ...about,
    methods: ['POST'],
    path: '/streamed',
    body: 'stream',
    handle: async ({ request }) => {
      await pipeline(request.raw, swallow());
      return reply.plain('read');
    },
  }),
  route({ ...about, methods: ['GET'], path: '/pieces', handle: () => reply.stream(counted(), 'text/plain') }),
  route({
    ...about,
    methods: ['GET'],
    path: '/text',
    handle: (): Reply<never> => reply.text(counted(), 'text/plain'),
  }),
];

beforeAll(async () => {
  const output = new PassThrough();
  output.on('data', (chunk) => lines.push(JSON.parse(String(chunk)) as Line));
  const log = createLog('cut', 'test', 'debug', output);
  const handle = serve({
    namespace: 'sample/v1',
    resources: [{ name: 'cut', routes }],
    deps: {},
    log,
    siteUrl: 'http://site.test',
    actorSecret: 'test',
    observe: (method, pattern, status) => observed.push(`${method} ${pattern} ${status}`),
  });
  server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    log,
    notReady: () => [],
    configure: (app) => app.use((request, response) => void handle(request, response)),
  });
  url = `${server.url}/rest/sample/v1`;
});
afterAll(() => server.stop(0));
beforeEach(() => {
  lines = [];
  observed = [];
  begun = 0;
});

const alarms = (): Line[] => lines.filter(({ level }) => level === 'warn' || level === 'error');

test.each([
  ['/parsed', 'application/json', '{"text":'],
  ['/parsed', 'application/x-www-form-urlencoded', 'text='],
  [
    '/parsed',
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n',
  ],
  ['/streamed', 'text/plain', 'some of it'],
])('a body for %s, as %s, that its client cuts is the fault of nobody else', async (path, type, bytes) => {
  const headers = { 'Content-Type': type, 'Content-Length': 100_000 };
  const request = http.request(url + path, { method: 'POST', agent: false, headers });
  request.on('error', () => undefined);
  const arrived = new Promise((resolve) => server.server.once('request', resolve));
  request.write(bytes);
  await arrived;
  request.destroy();
  await until(() => observed.length > 0);
  expect(observed).toEqual([`POST /sample/v1${path} 499`]);
  expect(alarms()).toEqual([]);
  expect(JSON.stringify(lines)).not.toContain('database');
  expect(lines.filter(({ msg }) => msg === 'request')).toMatchObject([{ level: 'info', status: 499 }]);
});

test.each(['/pieces', '/text'])('an answer of %s that cannot go on is cut, and told of', async (path) => {
  let goOn = (): void => undefined;
  const begins = new Promise<void>((resolve) => (goOn = resolve));
  pieces = async function* () {
    yield 'one';
    await begins;
    throw new Error('no more');
  };
  const answer = await fetch(url + path);
  expect(answer.status).toBe(200);
  goOn();
  await expect(answer.text()).rejects.toThrow();
  await until(() => alarms().length > 0);
  expect(alarms()).toMatchObject([
    { level: 'error', path: `/rest/sample/v1${path}`, err: { message: 'no more' } },
  ]);
});

test.each(['/pieces', '/text'])('one of %s whose client has gone is no alarm', async (path) => {
  let ended = false;
  let goOn = (): void => undefined;
  const gone = new Promise<void>((resolve) => (goOn = resolve));
  pieces = async function* () {
    try {
      yield 'one';
      await gone;
      throw new Error('cut short');
    } finally {
      ended = true;
    }
  };
  const answering = new Promise<http.ServerResponse>((resolve) =>
    server.server.once('request', (_request, response) => resolve(response)),
  );
  const request = http.get(url + path, { agent: false }).on('error', () => undefined);
  request.on('response', (response) =>
    response.on('error', () => undefined).once('data', () => request.destroy()),
  );
  const response = await answering;
  await until(() => response.destroyed);
  goOn();
  await until(() => ended);
  await new Promise((resolve) => setImmediate(resolve));
  expect([begun, alarms()]).toEqual([1, []]);
});

test('a text that fails before its first piece is an answer of its own', async () => {
  // eslint-disable-next-line require-yield -- it fails before
  pieces = async function* () {
    await Promise.reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
  };
  const answer = await fetch(`${url}/text`);
  expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'service_unavailable' }]);
});
