/** How long bodies may take, as slow clients send them. */
import net from 'node:net';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { until } from '@sevenfold/chassis/testing/until';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { type Deps, smallContent } from '../testing/small';

let content: RunningService<Deps>;
let gateway: RunningGateway;
beforeAll(async () => {
  content = await startSmall(smallContent);
  gateway = await startTestGateway({ ...addresses('CONTENT', content), BODY_SECONDS: 1 });
});
afterAll(async () => {
  await gateway.stop();
  await content.stop();
});

const MEDIA = '/rest/core/v2/media';
const ECHO = '/rest/core/v2/echo';
const EVERY_MS = 50;

/** Sends a piece every so often until all is sent, or an answer has come; answers with that. */
async function send(path: string, type: string, pieces: number, bytes: number): Promise<string> {
  const socket = net.connect(gateway.port, '127.0.0.1').on('error', () => undefined);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${pieces * bytes}\r\n\r\n`,
  );
  // What a busy machine kept from being sent in time is sent with what comes next.
  const begun = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (; sent < Math.min(pieces, (performance.now() - begun) / EVERY_MS); sent++)
      socket.write('x'.repeat(bytes));
  }, EVERY_MS);
  try {
    await until(() => text.includes('\r\n\r\n'));
    return text;
  } finally {
    clearInterval(timer);
    socket.destroy();
  }
}

/** Pieces of three of the times that a body has. */
const THREE = (3 * 1_000) / EVERY_MS;
/** More than a busy machine is late by. */
const MANY = 10 * THREE;

test('an upload goes on for as long as it keeps coming', async () => {
  expect(await send(MEDIA, 'image/png', THREE, 2_000)).toMatch(/^HTTP\/1\.1 201 (.|\r\n)*\{"size":120000\}$/);
});

test('one that hardly comes is over', async () => {
  expect(await send(MEDIA, 'image/png', MANY, 10)).toMatch(/^HTTP\/1\.1 408 (.|\r\n)*"request_timeout"/);
});

test.each([
  ['what is short is over in its time, however much of it comes', ECHO],
  ['and so is what the console is sent', '/console/api/sessions'],
])('%s, and nothing was done', async (_, path) => {
  const runs = content.deps.runs;
  const answer = await send(path, 'application/json', MANY, 1_000);
  expect(answer).toMatch(/^HTTP\/1\.1 408 (.|\r\n)*"request_timeout"/);
  if (path === ECHO) expect(answer).toContain('"done":false');
  expect(content.deps.runs).toBe(runs);
});
