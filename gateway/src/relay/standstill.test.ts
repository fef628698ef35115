/** A gateway that got no time for a while: what clients did meanwhile is no fault of theirs. */
import http, { type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { register } from 'prom-client';
import { addresses, startSmall, startTestGateway } from '../testing';
import { smallContent } from '../testing/small';

const LARGE_BYTES = 24 * 1024 * 1024;

/** Of all that runs here: gateway, service and client. */
const standStill = (ms: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('a client that reads again when the gateway does gets its whole answer', async () => {
  const content = await startSmall(smallContent);
  let response: ServerResponse | undefined;
  const service = http.createServer((_request, answer) => {
    response = answer;
    answer.end(Buffer.alloc(LARGE_BYTES, 'x'));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const gateway = await startTestGateway({
    ...addresses('CONTENT', content),
    CONTENT_HTTP: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    READER_PATIENCE_SECONDS: 6,
  });
  const socket = net.connect(gateway.port, '127.0.0.1').on('error', () => undefined);
  socket.write('GET /rest/core/v2/large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  let size = 0;
  socket.on('data', (chunk) => (size += chunk.length));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  // Until nothing of it moves any more, in all that lies between.
  let [before, times] = [-1, 0];
  await until(() => {
    const now = response?.socket?.bytesWritten ?? 0;
    times = now === before ? times + 1 : 0;
    before = now;
    return times > 20;
  });
  // The timers of a process that goes on run before it reads and writes anything. The first look sees where it stands.
  for (let look = 0; look < 2; look++) {
    await new Promise((resolve) => setImmediate(resolve));
    standStill(7_000);
  }
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  expect(size).toBeGreaterThan(LARGE_BYTES);
  await gateway.stop();
  service.closeAllConnections();
  service.close();
});

const gauge = async (what: 'running' | 'waiting', kind: 'reads' | 'writes'): Promise<string> =>
  (await register.metrics()).match(
    new RegExp(`^gateway_${what}\\{upstream="content",kind="${kind}"\\} (\\d+)`, 'm'),
  )?.[1] ?? '';
const writes = (what: 'running' | 'waiting'): Promise<string> => gauge(what, 'writes');
const reads = (what: 'running' | 'waiting'): Promise<string> => gauge(what, 'reads');

test('a body that came meanwhile did not come slowly', async () => {
  const content = await startSmall(smallContent);
  const gateway = await startTestGateway({ ...addresses('CONTENT', content), WRITES_AT_ONCE: 1 });
  const bytes = 900_000;
  const head = `POST /rest/core/v2/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
  const connect = (): net.Socket =>
    net
      .connect(gateway.port, '127.0.0.1')
      .on('error', () => undefined)
      .on('data', () => undefined);
  const socket = connect();
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.write(`${head}{"text":"x"}`);
  await until(async () => (await writes('running')) === '1');
  const other = connect();
  other.write(head);
  await until(async () => (await writes('waiting')) === '1');
  socket.write(' '.repeat(bytes - 100));
  standStill(3_000);
  socket.write(' '.repeat(100 - '{"text":"x"}'.length));
  await new Promise((resolve) => socket.once('close', resolve));
  expect(text).toMatch(/^HTTP\/1.1 201 /);
  other.destroy();
  await gateway.stop();
});

/** A service that keeps everybody waiting until it has answered once. */
async function startSlow(settings: Record<string, unknown>) {
  const content = await startSmall(smallContent);
  const asked: ServerResponse[] = [];
  let isOver = false;
  const service = http.createServer((request, answer) => {
    request.resume();
    if (isOver) answer.end('{"done":true}');
    else asked.push(answer);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const gateway = await startTestGateway({
    ...addresses('CONTENT', content),
    CONTENT_HTTP: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    ...settings,
  });
  return {
    client: speaker(gateway.url),
    asked,
    /** It answers, and the gateway goes on so much later: with its timers. */
    answerUnread: async (ms: number): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      isOver = true;
      for (const answer of asked) answer.end('{"done":true}');
      standStill(ms);
    },
    stop: async (): Promise<void> => {
      await gateway.stop();
      service.closeAllConnections();
      service.close();
    },
  };
}

test('an answer that came meanwhile did not come too late', async () => {
  const { client, asked, answerUnread, stop } = await startSlow({ REQUEST_TIMEOUT_SECONDS: 5 });
  const both = [client.get('/rest/core/v2/slow'), client.post('/rest/core/v2/slow', {})];
  await until(() => asked.length === 2);
  await answerUnread(6_000);
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  await stop();
});

test('nor did the turn of whoever waited for one', async () => {
  const { client, asked, answerUnread, stop } = await startSlow({ READS_AT_ONCE: 1 });
  const both = [client.get('/rest/core/v2/slow')];
  await until(() => asked.length === 1);
  both.push(client.get('/rest/core/v2/slow?next'));
  await until(async () => (await reads('waiting')) === '1');
  // Nobody waits for room as long as that.
  await answerUnread(6_000);
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  await stop();
});
