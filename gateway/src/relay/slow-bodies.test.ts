/** Strangers whose bodies come just fast enough, or came fast once, on all places that writes have. */
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { smallContent } from '../testing/small';

const PLACES = 64;

interface Site {
  readonly gateway: RunningGateway;
  /** How often the gateway said something to one whose body is still coming. */
  readonly cut: () => number;
  readonly sockets: readonly net.Socket[];
  /** The status of a write from there. */
  readonly write: (address: string) => Promise<number>;
}

/** All places are taken by the beginnings of bodies from these addresses, in turns. */
async function withBodies(from: readonly string[], work: (site: Site) => Promise<void>): Promise<void> {
  const content = await startSmall(smallContent);
  const gateway = await startTestGateway({ ...addresses('CONTENT', content), TRUST_PROXY: true });
  let cut = 0;
  const sockets = Array.from({ length: PLACES }, (_, at) => {
    const socket = net.connect(gateway.port, '127.0.0.1').on('error', () => undefined);
    socket.on('data', () => (cut += 1));
    socket.write(
      `POST /rest/core/v2/echo HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from[at % from.length]}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"text":"`,
    );
    return socket;
  });
  const write = async (address: string): Promise<number> =>
    (
      await speaker(gateway.url).post(
        '/rest/core/v2/echo',
        { text: 'of somebody' },
        { 'X-Forwarded-For': address },
      )
    ).status;
  try {
    await work({ gateway, cut: () => cut, sockets, write });
  } finally {
    sockets.forEach((socket) => socket.destroy());
    await gateway.stop();
    await content.stop();
  }
}

/** 6.4 KB in a second each; what a busy machine kept from being sent in time is sent with what comes next. */
async function whileComing(sockets: readonly net.Socket[], work: () => Promise<void>): Promise<void> {
  const piece = 'x'.repeat(800);
  const begun = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (; sent < (performance.now() - begun) / 125; sent++) sockets.forEach((socket) => socket.write(piece));
  }, 125);
  await work().finally(() => clearInterval(timer));
}

/** Whoever tries that often has waited for longer than bodies are looked at, on any machine. */
async function isLetIn(write: () => Promise<number>): Promise<boolean> {
  for (let turn = 0; turn < 5; turn++) if ((await write()) === 201) return true;
  return false;
}

describe('for writes', () => {
  test.each([
    ['one address', ['192.0.2.1']],
    ['the addresses of a network', ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']],
    [
      'networks of IPv6 beside each other',
      ['2001:db8::1', '2001:db8:0:1::1', '2001:db8:0:2::1', '2001:db8:0:3::1'],
    ],
  ])('others find room while bodies of %s come slowly on all places', (_, from) =>
    withBodies(from, ({ sockets, write }) =>
      whileComing(sockets, async () => expect(await isLetIn(() => write('198.51.100.1'))).toBe(true)),
    ),
  );

  // What he has sent already would be lost for what he has yet to send.
  test('whoever sends these finds none', () =>
    withBodies(['192.0.2.1'], ({ sockets, cut, write }) =>
      whileComing(sockets, async () => {
        await sleep(4_000);
        expect(await write('192.0.2.1')).toBe(503);
        expect(cut()).toBe(0);
      }),
    ));

  test('others find room where much of each body came at once and nothing since', () =>
    withBodies(['192.0.2.1', '192.0.3.1', '192.0.4.1', '192.0.5.1'], async ({ sockets, write }) => {
      for (const socket of sockets) socket.write('x'.repeat(300_000));
      await until(() => sockets.every(({ writableLength }) => writableLength === 0));
      expect(await isLetIn(() => write('198.51.100.1'))).toBe(true);
      // Not by their shares: nobody is better than another.
      expect(await isLetIn(() => write('192.0.2.1'))).toBe(true);
    }));
});
