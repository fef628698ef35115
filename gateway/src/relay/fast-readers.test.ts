/** Clients that take large answers as fast as they come, on all places that reads have. */
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { until } from '@sevenfold/chassis/testing/until';
import { addresses, startSmall, startTestGateway, stoppedOnce } from '../testing';
import { smallContent } from '../testing/small';
import { ask } from '../testing/sockets';

const PLACES = 4;
const PIECE = Buffer.alloc(64 * 1024, 'x');

/** A service with a list, and a file that has no end. */
async function startService(): Promise<string> {
  const server = http.createServer((request, response) => {
    if (request.url !== '/rest/core/v2/endless') return void response.end('{}');
    const more = (): void => {
      while (!response.destroyed && response.write(PIECE));
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stoppedOnce({
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ['of another network', ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'], '198.51.100.1'],
  ['of another address of the network', ['192.0.2.1'], '192.0.2.2'],
])('a reader %s finds room beside them, and none of them loses more than that', async (_, from, address) => {
  const content = await startSmall(smallContent);
  const gateway = await startTestGateway({
    ...addresses('CONTENT', content),
    CONTENT_HTTP: await startService(),
    TRUST_PROXY: true,
    READS_AT_ONCE: PLACES,
    SHUTDOWN_SECONDS: 0,
  });
  const readers = Array.from({ length: PLACES }, (_, at) => {
    const socket = net.connect(gateway.port, '127.0.0.1').on('error', () => undefined);
    socket.write(
      `GET /rest/core/v2/endless HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from[at % from.length]}\r\n\r\n`,
    );
    return socket.on('data', () => undefined);
  });
  try {
    await until(() => readers.every(({ bytesRead }) => bytesRead > PIECE.length));
    const statusOf = async (): Promise<number> =>
      (await ask(`${gateway.url}/rest/core/v2/tiny`, { headers: { 'X-Forwarded-For': address } })).status;
    // Each try waits for longer than answers are looked at, but for a machine that is busy.
    let tries = 5;
    await until(async () => (await statusOf()) === 200 || --tries === 0);
    expect(tries).toBeGreaterThan(0);
    // A quarter is theirs, whatever becomes of the rest while somebody waits.
    const left = readers.filter(({ destroyed }) => !destroyed);
    expect(left.length).toBeGreaterThanOrEqual(PLACES / 4);
    const before = left.map(({ bytesRead }) => bytesRead);
    await until(() => left.some(({ bytesRead }, at) => bytesRead > before[at]! + PIECE.length));
  } finally {
    readers.forEach((socket) => socket.destroy());
    await gateway.stop();
    await content.stop();
  }
});
