/** Imports that are followed: who takes a place among those who do, and for how long. */
import { EventEmitter, on } from 'node:events';
import net from 'node:net';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import {
  Import,
  type ImportsServiceServer,
  ImportsServiceService,
  Progress,
} from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { only } from '../testing/only';
import { type Deps, signedIn, smallContent } from '../testing/small';
import { seo } from '../testing/small-seo';
import { ask } from '../testing/sockets';

const PROGRESS = '/console/api/imports/a/progress';
const EVENTS = { Accept: 'text/event-stream' };
const unchanged = Import.decode(new Uint8Array());

/** Emits `change` for those who follow. */
const changes = new EventEmitter();
/** What the imports service is telling of. */
let streams = 0;

let content: RunningService<Deps>;
let imports: RunningService<object>;
let gateway: RunningGateway;
beforeAll(async () => {
  content = await startSmall(smallContent);
  imports = await startSmall({
    ...seo,
    name: 'imports',
    namespace: 'calendar/event-aggregator/v1',
    rpc: () => [
      only<ImportsServiceServer>(ImportsServiceService, {
        getImport: () => Promise.resolve({ import: unchanged, batches: [], faults: [] }),
        getProgress: () => Promise.resolve({ ...Progress.decode(new Uint8Array()), import: unchanged }),
        streamProgress: async function* (_, { signal }) {
          const more = on(changes, 'change', { signal });
          streams += 1;
          try {
            yield unchanged;
            for await (const _change of more) yield unchanged;
          } finally {
            streams -= 1;
          }
        },
      }),
    ],
  });
  gateway = await startTestGateway({
    ...addresses('CONTENT', content),
    ...addresses('IMPORTS', imports),
    STREAMS_AT_ONCE: 1,
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([content.stop(), imports.stop()]);
});

const client = () => speaker(gateway.url);
async function follow(): Promise<{ status: number; next: () => Promise<string>; leave: () => void }> {
  const over = new AbortController();
  const { status, body } = await fetch(`${gateway.url}${PROGRESS}`, {
    headers: { ...signedIn, ...EVENTS },
    signal: over.signal,
  });
  const reader = body!.getReader();
  const next = async (): Promise<string> => {
    const { done, value } = await reader.read();
    return done ? 'the end' : Buffer.from(value).toString();
  };
  return { status, next, leave: () => over.abort() };
}
/** The one place is free again. */
const isFree = async (): Promise<boolean> => {
  const { status, leave } = await follow();
  leave();
  return status === 200;
};

test('takes a place while it goes on; who asks how it is needs none', async () => {
  const { status, next, leave } = await follow();
  expect([status, await next()]).toEqual([200, expect.stringMatching(/^event: progress\ndata: \{/)]);
  const second = await client().get(PROGRESS, { ...signedIn, ...EVENTS });
  expect([second.status, second.body.code]).toEqual([503, 'service_busy']);
  expect((await client().get(PROGRESS, signedIn)).status).toBe(200);
  expect((await client().get(PROGRESS, { 'X-Batch-Hash': 'x' })).status).toBe(200);
  expect((await client().get(PROGRESS, EVENTS)).status).toBe(401);
  leave();
  await until(isFree);
  await until(() => streams === 0);
});

test('goes on for five minutes; then its place is free, and whoever follows anew is judged anew', async () => {
  const { next } = await follow();
  await next();
  const { now } = Date;
  Date.now = () => now() + 300_000;
  try {
    changes.emit('change');
    expect([await next(), await next()]).toEqual([expect.stringMatching(/^event: progress\n/), 'the end']);
  } finally {
    Date.now = now;
  }
  await until(() => streams === 0);
  await until(isFree);
});

test('takes none for who may not, for what is not followed, and for what has not come', async () => {
  const lines = [`GET ${PROGRESS}`, `POST ${PROGRESS}`, 'GET /console/api/nowhere/progress'];
  const heads = lines.flatMap((line) =>
    ['text/event-stream', 'application/json'].map((type) => [line, type]),
  );
  const sockets = heads.map(([line, type]) => {
    const socket = net.connect(gateway.port, '127.0.0.1').on('error', () => undefined);
    const headers = `Host: x\r\nAccept: ${type}\r\nContent-Type: application/json\r\nContent-Length: 10`;
    socket.write(`${line} HTTP/1.1\r\n${headers}\r\n\r\n`);
    return socket;
  });
  // Answers of the others come behind those heads.
  for (let turn = 0; turn < 5; turn++)
    expect((await client().get(PROGRESS, { 'X-Batch-Hash': 'x' })).status).toBe(200);
  await until(isFree);
  for (const socket of sockets) socket.destroy();
});

test('HEAD keeps no place, and nothing is followed for it', async () => {
  const head = { method: 'HEAD', headers: { ...signedIn, ...EVENTS } };
  for (let turn = 0; turn < 2; turn++) {
    await until(async () => (await ask(`${gateway.url}${PROGRESS}`, head)).status === 200);
    await until(() => streams === 0);
  }
  await until(isFree);
});

test.each([
  ['GET', '/console/api/imports?page=3000000000'],
  ['POST', '/console/api/imports/a/retry?number=3000000000'],
])('%s %s asks for a number that no message takes', async (method, address) => {
  const { status, body } = await client().request(method, address, { headers: signedIn });
  expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
});
