/** Too much of one kind of work, or what is wrong with it, is felt by no other kind and no other service. */
import net from 'node:net';
import { register } from 'prom-client';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { type Deps, basic, signedIn, signedInAsOther, smallContent } from '../testing/small';
import { seo } from '../testing/small-seo';
import { startRawServer } from '../testing/sockets';

let content: RunningService<Deps>;
let neighbour: RunningService<object>;
let gateway: RunningGateway;
beforeEach(async () => {
  content = await startSmall(smallContent);
  neighbour ??= await startSmall(seo);
});
afterEach(async () => {
  content.deps.release();
  await gateway.stop();
  await content.stop();
});
const start = async (settings: object): Promise<void> => {
  const where = { ...addresses('CONTENT', content), ...addresses('SEO', neighbour) };
  gateway = await startTestGateway({ ...where, ...settings });
};

const WAIT = '/rest/core/v2/wait';
const ECHO = '/rest/core/v2/echo';
const MEDIA = '/rest/core/v2/media';
const NEIGHBOUR = '/rest/seo/v1/statistics';
const IMAGE = { 'Content-Type': 'image/png' };

type Asked = Awaited<ReturnType<ReturnType<typeof speaker>['get']>>;
const client = () => speaker(gateway.url);
const asks = {
  read: () => client().get(ECHO),
  write: () => client().post(ECHO, {}),
  upload: () => client().post(MEDIA, Buffer.alloc(10), IMAGE),
  // With an upload, of which no test here has too many when it signs in.
  'sign-in': () => client().post(MEDIA, Buffer.alloc(10), { ...IMAGE, ...signedInAsOther(0) }),
  neighbour: () => client().get(NEIGHBOUR),
};
/** What works beside the kind that does not. */
const others = async (kind: keyof typeof asks): Promise<void> => {
  const good: Record<string, boolean> = {};
  for (const [name, ask] of Object.entries(asks)) if (name !== kind) good[name] = (await ask()).status < 300;
  expect(Object.values(good)).not.toContain(false);
};

const isBusy = ({ status, body, headers }: Asked): boolean =>
  status === 503 && body.code === 'service_busy' && headers.get('retry-after') === '2';

describe('a kind of which too much is asked', () => {
  test.each([
    ['read', 'READS_AT_ONCE'],
    ['write', 'WRITES_AT_ONCE'],
  ] as const)('%s: is bounded and refused beyond that, and nobody else notices', async (kind, variable) => {
    await start({ [variable]: 2 });
    const answered: Asked[] = [];
    const ask = (): Promise<Asked> =>
      kind === 'read' ? client().get(WAIT, signedIn) : client().post(WAIT, {}, signedIn);
    const all = Promise.all(Array.from({ length: 10 }, () => ask().then((one) => answered.push(one))));
    // Two run and four wait; how many of those wait for too long is the machine's to say.
    await until(() => answered.length >= 4);
    expect(answered.every(isBusy)).toBe(true);
    // Whoever is refused may hear of it before the others have reached the service.
    await until(() => content.deps.waiting === 2);
    await others(kind);
    expect(content.deps.waiting).toBe(2);
    content.deps.release();
    await all;
    const good = answered.filter(({ status }) => status < 300);
    expect(good.length).toBeGreaterThanOrEqual(2);
    expect(answered.filter((one) => !good.includes(one)).every(isBusy)).toBe(true);
    await until(async () => (await asks[kind]()).status < 300);
  });

  test('checks of credentials of strangers: those who were right lately and those without go on', async () => {
    await start({ SIGN_INS_AT_ONCE: 2, CREDENTIAL_SECONDS: 0.001 });
    let letGo = (): void => undefined;
    // Until the news of users are followed nobody is remembered.
    await until(async () => {
      await client().get(ECHO, signedIn);
      content.deps.held = Promise.reject(new Error('away'));
      content.deps.held.catch(() => undefined);
      const { status } = await client().get(ECHO, signedIn);
      content.deps.held = undefined;
      return status === 200;
    });
    content.deps.held = new Promise((resolve) => (letGo = resolve));
    const before = content.deps.signIns;
    const answered: Asked[] = [];
    const all = Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        client()
          .get(ECHO, basic('editor', `wrong ${n}`))
          .then((one) => answered.push(one)),
      ),
    );
    await until(() => answered.length >= 4);
    expect(answered.slice(0, 4).every(isBusy)).toBe(true);
    await until(() => content.deps.signIns - before === 2);
    expect((await client().get(ECHO, signedIn)).status).toBe(200);
    expect((await client().get(ECHO)).status).toBe(200);
    letGo();
    content.deps.held = undefined;
    await all;
  });

  test('uploads whose bodies stop give way to those that come', async () => {
    await start({ UPLOADS_AT_ONCE: 2 });
    const heads = Array.from({ length: 2 }, () => stalled(gateway.port));
    await until(() => heads.every(({ sent }) => sent()));
    // The two hold all there is, until somebody waits; then they are told that their time is over.
    await until(async () => (await asks.upload()).status === 201);
    await until(() => heads.some(({ text }) => /^HTTP\/1\.1 408 .*"request_timeout"/s.test(text())));
    await others('upload');
    for (const { socket } of heads) socket.destroy();
  });
});

function stalled(port: number) {
  const socket = net.connect(port, '127.0.0.1');
  let text = '';
  let sent = false;
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  const head = `POST ${MEDIA} HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: 100000\r\n\r\nabc`;
  socket.write(head, () => (sent = true));
  return { socket, text: () => text, sent: () => sent };
}

/** The samples of this name and this label together. */
async function told(metric: string, name: string, label: string, value: string): Promise<number> {
  const { values } = (await register.getSingleMetric(metric)?.get()) ?? { values: [] };
  return values
    .filter((one) => (one as { metricName?: string }).metricName === name || metric === name)
    .filter(({ labels }) => (labels as Record<string, unknown>)[label] === value)
    .reduce((sum, one) => sum + one.value, 0);
}
const running = (kind: string): Promise<number> => told('gateway_running', 'gateway_running', 'kind', kind);
const SECONDS = 'gateway_request_duration_seconds';
const gone = (): Promise<number> => told(SECONDS, `${SECONDS}_count`, 'status', '499');

test('whoever leaves while it is asked who that is gets no room, and nothing is done for him', async () => {
  await start({ READS_AT_ONCE: 2, STREAMS_AT_ONCE: 2 });
  // From then on those who come with the same credential wait for the same answer.
  await until(() => content.deps.news.listenerCount('user') > 0);
  await client().get(ECHO, signedIn);
  const asked = content.deps.signIns;
  let letGo = (): void => undefined;
  content.deps.held = new Promise((resolve) => (letGo = resolve));
  const PROGRESS = '/console/api/imports/a/progress';
  const lines = [`GET ${ECHO}`, `GET ${ECHO}`, `GET ${PROGRESS}`, `GET ${PROGRESS}`, `DELETE ${ECHO}`];
  // Those who come with one credential wait for one answer.
  const users = lines.map((_, n) => signedInAsOther(n));
  const sockets = lines.map((line, n) => {
    const socket = net.connect(gateway.port, '127.0.0.1').on('error', () => undefined);
    socket.write(
      `${line} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: ${users[n]?.Authorization}\r\n\r\n`,
    );
    return socket;
  });
  await until(() => content.deps.signIns === asked + lines.length);
  const before = await gone();
  for (const socket of sockets) socket.destroy();
  await until(async () => (await gone()) === before + lines.length);
  letGo();
  // Whoever asks with the same is answered after them.
  const answers: Asked[] = [];
  for (const user of users) answers.push(await client().get(PROGRESS, user));
  expect(answers.filter(isBusy)).toEqual([]);
  expect([await running('reads'), await running('streams'), content.deps.runs]).toEqual([0, 0, 0]);
  expect((await client().get(ECHO, signedIn)).status).toBe(200);
});

test('what fails of one kind opens the breaker of that kind alone', async () => {
  const body = '{"alive":true}';
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const server = await startRawServer((request) => (request.startsWith('GET') ? head : ''));
  await start({ CONTENT_HTTP: server.url });
  const codes: string[] = [];
  await until(async () => {
    const answer = await client().post(ECHO, {});
    codes.push(answer.body.code as string);
    return answer.status === 503;
  });
  expect([codes.slice(0, -1).every((code) => code === 'bad_gateway'), codes.at(-1)]).toEqual([
    true,
    'service_unavailable',
  ]);
  const { status, body: read } = await client().get(ECHO);
  expect([status, read]).toEqual([200, { alive: true }]);
  // Uploads have not been tried.
  expect((await asks.upload()).status).toBe(502);
  await server.stop();
});

test('answers whose heads are too long open no breaker: who asks may have made them so', async () => {
  const body = '{"alive":true}';
  const head = (more: string): string =>
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Sevenfold-Long: ${more}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const server = await startRawServer((request) =>
    head('x'.repeat(request.includes('long') ? 70_000 : 20_000)),
  );
  await start({ CONTENT_HTTP: server.url });
  const statuses = new Set<number>();
  for (let n = 0; n < 8; n++) {
    statuses.add((await client().get(`${ECHO}?long=${n}`)).status);
    statuses.add((await client().post(`${ECHO}?long=${n}`, {})).status);
  }
  expect([...statuses]).toEqual([502]);
  expect([(await asks.read()).status, (await asks.write()).status]).toEqual([200, 200]);
  await server.stop();
});
