/** What the others notice of a service that is frozen: its connections stay open, and nothing comes. */
import { ApiError } from '@sevenfold/chassis/errors';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { type Freezable, startFreezable } from '@sevenfold/chassis/testing/freezable';
import { type Answer, type Speaker, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { type Deps, basic, signedIn, smallContent } from '../testing/small';
import { seo } from '../testing/small-seo';

const STATISTICS = '/rest/seo/v1/statistics';
const ECHO = '/rest/core/v2/echo';
const WAIT = '/rest/core/v2/wait';

let content: RunningService<Deps>;
let other: RunningService<object>;
let doors: Freezable[];
let gateway: RunningGateway;
let client: Speaker;

const freeze = (): void => doors.forEach((door) => door.freeze());
const thaw = (): void => doors.forEach((door) => door.thaw());

beforeEach(async () => {
  content = await startSmall(smallContent);
  other = await startSmall(seo);
  const [http, grpc] = [await startFreezable(content.httpPort), await startFreezable(content.grpcPort)];
  doors = [http, grpc];
  gateway = await startTestGateway({
    CONTENT_HTTP: `http://127.0.0.1:${http.port}`,
    CONTENT_GRPC: `127.0.0.1:${grpc.port}`,
    ...addresses('SEO', other),
    // Each request asks who is calling.
    CREDENTIAL_SECONDS: 0.001,
    // Nobody is to wait for that.
    REQUEST_TIMEOUT_SECONDS: 600,
  });
  client = speaker(gateway.url);
  await until(() => content.deps.news.listenerCount('user') === 1);
});
afterEach(async () => {
  thaw();
  content.deps.release();
  await gateway.stop();
  await Promise.all([content.stop(), other.stop(), ...doors.map((door) => door.stop())]);
});

const seen = ({ status, headers, body }: Answer) => [status, body.code, headers.get('retry-after')];
const known = async (): Promise<boolean> =>
  (await client.get(ECHO)).status === 503 && (await client.get('/rest/core/v2/things')).status === 503;

test('reads end soon, later requests at once, and all is well from the thaw on', async () => {
  const reads = ['', '?_envelope'].map((query) => client.get(`${WAIT}${query}`));
  await until(() => content.deps.waiting === 2);
  const { runs } = content.deps;
  freeze();
  const [plain, enveloped] = await Promise.all(reads);
  expect(seen(plain!)).toEqual([504, 'upstream_timeout', '2']);
  expect(enveloped!.body).toMatchObject({ status: 504, body: { code: 'upstream_timeout' } });
  for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS'])
    for (let turn = 0; turn < 6; turn++) {
      const { status, headers } = await client.request(method, ECHO);
      expect([method, status, headers.get('retry-after')]).toEqual([method, 503, '2']);
    }
  expect((await client.get('/uploads/cat.txt')).status).toBe(503);
  expect((await client.get(STATISTICS)).status).toBe(200);
  expect((await client.get('/rest/')).status).toBe(200);
  expect((await client.get('/readyz')).status).toBe(200);
  thaw();
  await until(async () => (await client.get(ECHO)).status === 200);
  for (let turn = 0; turn < 6; turn++) {
    expect((await client.get(ECHO)).status).toBe(200);
    expect((await client.get('/uploads/cat.txt')).status).toBe(200);
  }
  expect(content.deps.runs).toBe(runs);
});

test('a write that runs is not cut: it is done, and its answer comes', async () => {
  const write = client.post(WAIT);
  await until(() => content.deps.waiting === 1);
  freeze();
  await until(known);
  content.deps.release();
  thaw();
  expect((await write).status).toBe(200);
});

test('those who sign in notice nothing of it elsewhere, before, while and after', async () => {
  const answers: [number, string][] = [];
  let over = false;
  const signIn = async (): Promise<void> => {
    while (!over) {
      const { status, body } = await client.get(STATISTICS, signedIn);
      answers.push([status, body.for ?? body.code]);
    }
  };
  await until(async () => (await client.get(ECHO, signedIn)).status === 200);
  const several = Array.from({ length: 4 }, signIn);
  for (let turn = 0; turn < 2; turn++) {
    freeze();
    await until(known);
    const before = answers.length;
    await until(() => answers.length > before + 300);
    thaw();
    await until(async () => (await client.get(ECHO, signedIn)).status === 200);
    // What is told anew makes everybody unknown for a moment.
    content.deps.news.emit('user', 0);
    const signIns = content.deps.signIns;
    await until(() => content.deps.signIns > signIns + 20);
  }
  over = true;
  await Promise.all(several);
  expect(answers.filter(([status, who]) => status !== 200 || who !== 'editor')).toEqual([]);
});

test('whoever is not known is told at once that nobody can be checked', async () => {
  freeze();
  await until(known);
  for (let turn = 0; turn < 200; turn++)
    expect(seen(await client.get(STATISTICS, signedIn))).toEqual([503, 'service_unavailable', '2']);
  thaw();
  await until(async () => (await client.get(STATISTICS, signedIn)).status === 200);
});

test('a check that takes too long, of somebody whom news made unknown meanwhile, is made once more', async () => {
  await until(async () => (await client.get(STATISTICS, signedIn)).status === 200);
  const before = content.deps.signIns;
  content.deps.held = new Promise(() => undefined);
  const answer = client.get(STATISTICS, signedIn);
  await until(() => content.deps.signIns > before);
  content.deps.news.emit('user', 7);
  content.deps.held = undefined;
  expect((await answer).body).toMatchObject({ for: 'editor' });
});

test('a check for which there is little processor time is waited for as long as the service lives', async () => {
  let release = (): void => undefined;
  content.deps.held = new Promise((resolve) => (release = resolve));
  const { signIns } = content.deps;
  const answer = client.get(STATISTICS, signedIn);
  await until(() => content.deps.signIns === signIns + 2);
  // Somebody else is asked for a second time: the first one has been waited for twice as long by then.
  const after = client.get(STATISTICS, basic('editor', 'of another machine'));
  await until(() => content.deps.signIns === signIns + 4);
  release();
  expect((await answer).body).toMatchObject({ for: 'editor' });
  expect((await after).status).toBeLessThan(500);
});

test('too many checks for an address turn away whoever is not known, and nobody else', async () => {
  await until(async () => (await client.get(STATISTICS, signedIn)).status === 200);
  content.deps.held = Promise.reject(
    new ApiError('rest_too_many_attempts', 429, 'Too many.', { headers: { 'Retry-After': '2' } }),
  );
  await content.deps.held.catch(() => undefined);
  expect((await client.get(STATISTICS, signedIn)).body).toEqual({ alive: true, for: 'editor' });
  expect(seen(await client.get(STATISTICS, basic('editor', 'wrong')))).toEqual([
    429,
    'rest_too_many_attempts',
    '2',
  ]);
});
