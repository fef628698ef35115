/** One try against a real receiver: what is sent, what of an answer is kept, and what is said where there is none. */
import { freePort } from '@sevenfold/chassis/ports';
import { until } from '@sevenfold/chassis/testing/until';
import { type Outcome, type Sender, openSender } from './send';
import { type Receiver, startReceiver } from './testing/receiver';

const never = new AbortController().signal;

let receiver: Receiver;
/** Waits for longer than a test does. */
let sender: Sender;
beforeAll(async () => {
  receiver = await startReceiver();
  sender = openSender({ allowPrivate: true, timeoutMs: 100_000 });
});
afterAll(async () => {
  await sender.close();
  await receiver.stop();
});

const post = (signal = never, by = sender, url = receiver.url): Promise<Outcome> =>
  by.send(`${url}/hook`, { 'webhook-id': 'msg_1' }, '{"type":"t"}', signal);
const answerWith = (
  status: number,
  body: string | Buffer = '',
  headers: Record<string, string> = {},
): void => {
  receiver.answer = (_, response) => void response.writeHead(status, headers).end(body);
};
const none = { status: 0, answer: '', isArrived: false, isCut: false, retrySeconds: 0 };

test('posts what it is given', async () => {
  answerWith(204);
  expect(await post()).toEqual({ ...none, status: 204, isArrived: true, error: '', ms: expect.any(Number) });
  expect(receiver.got.at(-1)).toMatchObject({
    path: '/hook',
    text: '{"type":"t"}',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Sevenfold webhooks',
      'webhook-id': 'msg_1',
    },
  });
});

test('knows what has arrived by the status', async () => {
  for (const [status, isArrived] of [
    [200, true],
    [299, true],
    [300, false],
    [404, false],
    [500, false],
  ] as const) {
    answerWith(status);
    expect(await post()).toMatchObject({
      status,
      isArrived,
      error: isArrived ? '' : `It answered ${status}.`,
    });
  }
});

test('tells how long it took', async () => {
  const started = performance.now();
  receiver.answer = (_, response) => void setTimeout(() => response.writeHead(200).end(), 50);
  const { ms } = await post();
  expect(ms).toBeGreaterThanOrEqual(40);
  expect(ms).toBeLessThanOrEqual(Math.ceil(performance.now() - started));
});

test('keeps the beginning of an answer as a text that the database takes', async () => {
  answerWith(500, `é\0${'w'.repeat(2_000)}`);
  expect((await post()).answer).toBe(`é\uFFFD${'w'.repeat(1_021)}`);
  // Of several pieces, of which the first is short.
  receiver.answer = (_, response) => {
    response.writeHead(200).write('ab');
    setImmediate(() => response.end('cd'));
  };
  expect((await post()).answer).toBe('abcd');
});

test('an answer that never ends is told by its beginning, one that breaks off by what has come', async () => {
  receiver.answer = (_, response) => void response.writeHead(200).write('x'.repeat(1_024));
  expect(await post()).toMatchObject({ isArrived: true, answer: 'x'.repeat(1_024) });
  receiver.answer = (_, response) => {
    response.writeHead(200).write('half');
    setImmediate(() => response.destroy());
  };
  expect(await post()).toMatchObject({ status: 200, isArrived: true, error: '' });
});

test('comes again when the receiver wants it, within an hour', async () => {
  for (const [header, seconds] of [
    ['120', 120],
    ['86400', 3_600],
    ['soon', 0],
  ] as const) {
    answerWith(503, '', { 'Retry-After': header });
    expect((await post()).retrySeconds).toBe(seconds);
  }
});

test('says why there was no answer', async () => {
  receiver.answer = () => undefined;
  const hasty = openSender({ allowPrivate: true, timeoutMs: 50 });
  expect(await post(never, hasty)).toMatchObject({ ...none, error: 'It did not answer in time.' });
  await hasty.close();
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  expect(await post(never, sender, nowhere)).toMatchObject({
    ...none,
    error: 'It cannot be reached: ECONNREFUSED',
  });
  const strict = openSender({ allowPrivate: false, timeoutMs: 100_000 });
  expect(await post(never, strict)).toMatchObject({ ...none, error: 'It is not at a public address.' });
  await strict.close();
});

test('a process that stops knows nothing of its tries', async () => {
  receiver.answer = () => undefined;
  const stopping = new AbortController();
  const before = receiver.got.length;
  const outcome = post(stopping.signal);
  await until(() => receiver.got.length > before);
  stopping.abort();
  expect(await outcome).toMatchObject({ ...none, isCut: true, error: '' });
});

test('whoever closes waits for nobody, and what was on its way is told so', async () => {
  receiver.answer = () => undefined;
  const own = openSender({ allowPrivate: true, timeoutMs: 100_000 });
  await own.close();
  const before = receiver.got.length;
  const outcome = post(never, own);
  await until(() => receiver.got.length > before);
  await own.close();
  expect((await outcome).error).toMatch(/^It cannot be reached: /);
});
