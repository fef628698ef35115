/** Clients that read slowly, not at all, or do not send what they promised: what they cost the others. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { speaker } from '@sevenfold/chassis/testing/service';
import { together } from '@sevenfold/chassis/testing/together';
import { until } from '@sevenfold/chassis/testing/until';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { type Deps, smallContent } from '../testing/small';
import { ask } from '../testing/sockets';

const MANY = 135;
const ENDLESS = '/rest/core/v2/endless';
const LARGE = '/rest/core/v2/large';
const SILENT = '/rest/core/v2/silent';
const LARGE_BYTES = 24 * 1024 * 1024;

interface Site {
  readonly gateway: RunningGateway;
  /** Answers that the service has begun and not ended, and requests it has seen. */
  readonly running: Set<ServerResponse>;
  readonly connect: (bytes: string) => net.Socket;
}

let content: RunningService<Deps>;
const large = Buffer.alloc(LARGE_BYTES, 'x');

beforeAll(async () => {
  content = await startSmall(smallContent);
});
afterAll(() => content.stop());
// Each has a gateway of its own, and waits for what it does.
const scenario = together();

/** A service that answers without an end, with much, or with a beginning; in front of it a gateway, and its clients. */
async function withSite(
  settings: Record<string, unknown>,
  work: (site: Site) => Promise<void>,
): Promise<void> {
  const running = new Set<ServerResponse>();
  const sockets = new Set<net.Socket>();
  const server = http.createServer((request, response) => answer(request, response, running));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gateway = await startTestGateway({
    ...addresses('CONTENT', content),
    CONTENT_HTTP: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SHUTDOWN_SECONDS: 0,
    ...settings,
  });
  const connect = (bytes: string): net.Socket => {
    const socket = net.connect(gateway.port, '127.0.0.1').on('error', () => undefined);
    socket.write(bytes);
    sockets.add(socket);
    return socket;
  };
  try {
    await work({ gateway, running, connect });
  } finally {
    for (const socket of sockets) socket.destroy();
    await gateway.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function answer(request: IncomingMessage, response: ServerResponse, running: Set<ServerResponse>): void {
  running.add(response);
  response.on('close', () => running.delete(response));
  const path = (request.url as string).split('?', 1)[0];
  if (path === ENDLESS) {
    const more = (): void => {
      while (!response.destroyed && response.write(large.subarray(0, 1024 * 1024)));
    };
    response.on('drain', more);
    more();
  } else if (path === LARGE) response.end(large);
  else if (path?.startsWith('/uploads/')) {
    const timer = setInterval(() => response.write('a piece of a file'), 50);
    response.on('close', () => clearInterval(timer));
  } else if (path === SILENT) request.resume();
  else request.resume().on('end', () => response.end('{}'));
}

const head = (method: string, path: string, headers = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

const firstBytes = (socket: net.Socket): Promise<string> =>
  new Promise((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));

/** Where nothing is read any more, once the answer has begun. A service that was taken for silent for a moment is asked again. */
async function begun(connect: Site['connect'], bytes: string): Promise<net.Socket> {
  for (;;) {
    const socket = connect(bytes);
    const text = await firstBytes(socket);
    socket.pause();
    if (!text.startsWith('HTTP/1.1 503')) return socket;
    socket.destroy();
  }
}

const closed = (socket: net.Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()));

// The kernel lets the gateway go on after each megabyte or so: ten times as long as that takes one who reads slowly, since
// client and gateway share a busy machine.
const PATIENCE_SECONDS = 12;
/** The whole of it takes twice the patience. */
const BYTES_A_MS = LARGE_BYTES / (2 * PATIENCE_SECONDS * 1_000);

describe('a client that does not read', () => {
  for (const [method, path, headers] of [
    ['GET', ENDLESS, ''],
    ['POST', ENDLESS, 'Content-Length: 0\r\n'],
    ['GET', `${LARGE}?_envelope`, ''],
  ] as const)
    scenario(`${method} ${path} is cut off, and so is the service`, () =>
      withSite({ READER_PATIENCE_SECONDS: 0.3 }, async ({ running, connect }) => {
        const socket = await begun(connect, head(method, path, headers));
        // What it sends meanwhile is no sign of reading, and tells it in the end that its connection is gone.
        await until(() => {
          socket.write('\r\n');
          return socket.destroyed;
        });
        expect(socket.bytesRead).toBeLessThan(LARGE_BYTES);
        await until(() => running.size === 0);
      }),
    );

  for (const method of ['GET', 'POST'])
    scenario(`${method}: is cut off for its own patience, not for the silence of the service`, async () => {
      const settings = { READER_PATIENCE_SECONDS: 600, REQUEST_TIMEOUT_SECONDS: 2 };
      await withSite(settings, async ({ gateway, running, connect }) => {
        const socket = await begun(connect, head(method, ENDLESS, 'Content-Length: 0\r\n'));
        await until(() => running.size === 1);
        const [endless] = running;
        // While the service's silence towards others ends their requests, one after the other.
        for (let turn = 0; turn < 2; turn++)
          expect((await ask(`${gateway.url}${SILENT}`, { method })).status).toBe(504);
        expect(running.has(endless!)).toBe(true);
        socket.destroy();
        await until(() => running.size === 0);
      });
    });

  for (const path of [LARGE, `${LARGE}?_envelope`])
    scenario(`${path} comes whole to one that reads slowly`, () =>
      withSite({ READER_PATIENCE_SECONDS: PATIENCE_SECONDS }, async ({ connect }) => {
        const socket = connect(head('GET', path, 'Connection: close\r\n'));
        let size = 0;
        socket.on('data', (chunk) => {
          size += chunk.length;
          socket.pause();
          setTimeout(() => socket.resume(), chunk.length / BYTES_A_MS);
        });
        await closed(socket);
        expect(size).toBeGreaterThan(LARGE_BYTES);
      }),
    );
});

// After those above, which fill the loop with megabytes: all of a crowd have to be there before the first of them gives up.
const crowd = together();
const CROWDED = { REQUEST_TIMEOUT_SECONDS: 40 };

describe('many of them', () => {
  crowd('at big files leave the interface alone', async () => {
    await withSite(CROWDED, async ({ gateway, running, connect }) => {
      const sockets = Array.from({ length: MANY }, () => connect(head('GET', '/uploads/big.bin')));
      // Those that found no connection are told so; that counts against files only.
      const begun = await Promise.all(sockets.map(firstBytes));
      expect(begun.filter((text) => text.startsWith('HTTP/1.1 200'))).toHaveLength(128);
      const client = speaker(gateway.url);
      for (let turn = 0; turn < 3; turn++) expect((await client.get('/rest/core/v2/posts')).status).toBe(200);
      await until(() => running.size === 128);
    });
  });

  for (const [what, asked] of [
    ['a write', head('POST', LARGE, 'Content-Length: 0\r\n')],
    ['a read with a body', `${head('GET', LARGE, 'Content-Length: 1\r\n')}0`],
  ] as const)
    crowd(`that do not read the answer to ${what} leave writes alone`, async () => {
      const settings = { ...CROWDED, READER_PATIENCE_SECONDS: 600, WRITES_AT_ONCE: 4 };
      await withSite(settings, async ({ gateway, connect }) => {
        await Promise.all(Array.from({ length: 4 }, () => begun(connect, asked)));
        for (let turn = 0; turn < 6; turn++) {
          const { status } = await ask(`${gateway.url}/rest/core/v2/posts`, { method: 'POST' });
          expect([turn, status]).toEqual([turn, 200]);
        }
      });
    });

  crowd('that do not send the body of an enveloped write leave reads alone', async () => {
    const settings = { ...CROWDED, WRITES_AT_ONCE: MANY };
    await withSite(settings, async ({ gateway, running, connect }) => {
      const write = head(
        'POST',
        '/rest/core/v2/posts?_envelope',
        'Content-Type: application/json\r\nContent-Length: 9\r\n',
      );
      const sockets = Array.from({ length: MANY }, () => connect(`${write}{`));
      await until(() => running.size === MANY);
      const client = speaker(gateway.url);
      expect((await client.get('/rest/core/v2/posts')).status).toBe(200);
      expect((await client.get('/rest/core/v2/posts?_envelope')).body.status).toBe(200);
      expect(running.size).toBeGreaterThanOrEqual(MANY);
      for (const text of await Promise.all(sockets.map(firstBytes)))
        expect(text).toContain('request_timeout');
      // The service did nothing wrong: the next write reaches it.
      const { text } = await ask(
        `${gateway.url}/rest/core/v2/posts?_envelope`,
        { method: 'POST', headers: { 'Content-Type': 'application/json' } },
        '{"a":"b"}',
      );
      expect(JSON.parse(text).status).toBe(200);
    });
  });
});
