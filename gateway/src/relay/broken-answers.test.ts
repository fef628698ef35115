/** What clients get where the answer of a service is none, or breaks off before they have had anything of it. */
import net from 'node:net';
import { type Answer, speaker } from '@sevenfold/chassis/testing/service';
import { startTestGateway, stoppedOnce } from '../testing';
import { raw, startRawServer } from '../testing/sockets';

const STATISTICS = '/rest/seo/v1/statistics';
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** What a client gets when the service answers with these bytes. */
const answerTo = async (method: string, bytes: string) => {
  const server = await startRawServer(() => bytes);
  // Of whoever holds a place for ever the next one would hear.
  const gateway = await startTestGateway({ SEO_HTTP: server.url, WRITES_AT_ONCE: 1 });
  const answers: string[] = [];
  for (let turn = 0; turn < 3; turn++)
    answers.push(
      await raw(
        gateway.port,
        `${method} ${STATISTICS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      ),
    );
  await gateway.stop();
  await server.stop();
  return answers;
};
const BAD = /^HTTP\/1\.1 502 [^]*"code":"bad_gateway"/;

describe.each(['GET', 'POST'])('to %s', (method) => {
  test.each([
    ['changes the protocol', 'HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
    ['says that it does', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['has a status that is none', 'HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\n{}'],
    ['has no length that can be read', `${OK}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n{}\r\n`],
    ['ends where it began', `${OK}Content-Length: 2\r\n\r\n`],
  ])('an answer that %s is none', async (_, bytes) => {
    for (const answer of await answerTo(method, bytes)) expect(answer).toMatch(BAD);
  });

  test.each([
    ['204', 'HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nmore'],
    ['304', 'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\nContent-Length: 4\r\n\r\nmore'],
  ])('a %s has neither body nor length', async (status, bytes) => {
    for (const answer of await answerTo(method, bytes)) {
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer).toMatch(/\r\n\r\n$/);
      expect(answer).not.toMatch(/content-length|more/i);
    }
  });

  test('what comes behind an answer is none of it', async () => {
    for (const answer of await answerTo(method, `${OK}Content-Length: 2\r\n\r\n{}more`)) {
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).toMatch(/\r\n\r\n\{\}$/);
    }
  });
});

describe('a write', () => {
  const SOON_MS = 20;
  /** Never comes to an end of its head, and is never silent. */
  const startDripping = async (first: string, next: string) => {
    const timers: NodeJS.Timeout[] = [];
    const sockets = new Set<net.Socket>();
    const server = net.createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      socket.once('data', () => {
        socket.write(first);
        timers.push(setInterval(() => socket.write(next), SOON_MS));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return stoppedOnce({
      url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
      stop: () => {
        timers.forEach(clearInterval);
        sockets.forEach((socket) => socket.destroy());
        return new Promise((resolve) => server.close(resolve));
      },
    });
  };

  const BUSY = 'HTTP/1.1 102 Processing\r\n\r\n';
  test.each([
    ['says that it works on it', BUSY, BUSY, '/rest/core/v2/posts'],
    ['drips its head', 'HTTP/1.1 200 OK\r\nX-Long: ', 'x', '/rest/core/v2/posts'],
    ['says so of a file', BUSY, BUSY, '/rest/core/v2/media'],
  ])('is not waited for without end where the service %s', async (_, first, next, path) => {
    const service = await startDripping(first, next);
    const gateway = await startTestGateway({ CONTENT_HTTP: service.url, REQUEST_TIMEOUT_SECONDS: 1 });
    const client = speaker(gateway.url);
    const ask = (): Promise<Answer> => client.post(path, { title: 'x' });
    const answers = await Promise.all(Array.from({ length: 5 }, ask));
    for (const answer of answers)
      expect([answer.status, answer.body.code]).toEqual([504, 'upstream_timeout']);
    // Five in a row say that the service cannot be spoken to.
    expect((await ask()).body.code).toBe('service_unavailable');
    await gateway.stop();
    await service.stop();
  });
});
