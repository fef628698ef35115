/** Strangers whose bodies come just fast enough, on all places that writes have. */
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { speaker } from '@sevenfold/chassis/testing/service';
import { addresses, startSmall, startTestGateway } from '../testing';
import { smallContent } from '../testing/small';

test.each([
  ['others find', '192.0.2.2', 201],
  // What he has sent already would be lost for what he has yet to send.
  ['whoever sends these finds no', '192.0.2.1', 503],
])('for writes %s room while bodies come slowly on all places', async (_, address, expected) => {
  const content = await startSmall(smallContent);
  const gateway = await startTestGateway({ ...addresses('CONTENT', content), TRUST_PROXY: true });
  const piece = 'x'.repeat(800);
  let cut = 0;
  const sockets = Array.from({ length: 64 }, () => {
    const socket = net.connect(gateway.port, '127.0.0.1').on('error', () => undefined);
    socket.on('data', () => (cut += 1));
    socket.write(
      'POST /rest/core/v2/echo HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"text":"',
    );
    return socket;
  });
  // 6.4 KB in a second each; what a busy machine kept from being sent in time is sent with what comes next.
  const begun = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (; sent < (performance.now() - begun) / 125; sent++) sockets.forEach((socket) => socket.write(piece));
  }, 125);
  try {
    await sleep(4_000);
    const { status } = await speaker(gateway.url).post(
      '/rest/core/v2/echo',
      { text: 'of somebody' },
      { 'X-Forwarded-For': address },
    );
    expect(status).toBe(expected);
    if (expected === 503) expect(cut).toBe(0);
  } finally {
    clearInterval(timer);
    sockets.forEach((socket) => socket.destroy());
  }
});
