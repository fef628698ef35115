/** What a process reads of itself when it stops. */
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { type ReadServiceServer, ReadServiceService } from '@sevenfold/proto/gen/sevenfold/chassis/v1/read';
import { createLog } from '../log';
import { PATIENCE_MS, TEST_ACTOR_SECRET } from '../testing/service';
import { dial } from './dial';
import { readService } from './read';
import { startGrpcServer } from './serve';

test('a read that is cut, or comes too late, is an outage and no fault of the code', async () => {
  const http = net.createServer((socket) => socket.once('data', () => socket.destroy()));
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const server = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [readService({ url, namespace: 'core/v2', actorSecret: TEST_ACTOR_SECRET })],
    actorSecret: TEST_ACTOR_SECRET,
    log: createLog('sample', 'test', 'silent'),
  });
  const remote = dial<ReadServiceServer>(ReadServiceService, {
    service: 'sample',
    address: `127.0.0.1:${server.port}`,
    caller: 'content',
    actorSecret: TEST_ACTOR_SECRET,
    deadlineMs: PATIENCE_MS,
  });
  const outage = { code: 'service_unavailable', status: 503 };
  await expect(remote.read({ path: '/posts/1' })).rejects.toMatchObject(outage);
  http.close();
  await once(http, 'close');
  await expect(remote.read({ path: '/posts/1' })).rejects.toMatchObject(outage);
  remote.close();
  await server.stop(1000);
});
