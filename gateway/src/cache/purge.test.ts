/** A cache on the way that says yes and then stands still: whether it has dropped anything nobody knows. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog } from '@sevenfold/chassis/log';
import { until } from '@sevenfold/chassis/testing/until';
import { openPurge } from './purge';

test('an answer that does not end in time is none, and what it was about is told again', async () => {
  const told: unknown[] = [];
  const server = createServer((request, response) => {
    told.push(request.headers['surrogate-key']);
    request.resume();
    response.writeHead(200);
    if (told.length > 1) response.end('{}');
    else response.write('{');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const log = createLog('test', 'api', 'silent');
  const purge = openPurge({ url, style: 'surrogate-key', token: '', log });
  try {
    purge.add(['content/post:1']);
    await until(() => told.length > 1);
    expect(told).toEqual(['content/post:1', 'content/post:1']);
  } finally {
    await purge.close();
    server.closeAllConnections();
    server.close();
  }
});
