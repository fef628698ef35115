import { createHash, randomBytes } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { smallReader } from './small-reads';

const digest = (parts: readonly Buffer[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha1')).digest('hex');

test('what many read side by side from the same room arrives whole, also where one is slow', async () => {
  const bodies = Array.from({ length: 4 }, () => randomBytes(2_000_000));
  let served = 0;
  const server = createServer((socket) => socket.end(bodies[served++] as Buffer)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const read = bodies.map(async (_, at) => {
      const socket = smallReader().connect(port, '127.0.0.1');
      const parts: Buffer[] = [];
      for await (const part of socket) {
        parts.push(part as Buffer);
        // Longer than the socket may keep for it: nothing is read until it has room again.
        if (at === 0) for (let turn = 0; turn < 5; turn++) await setImmediate();
      }
      return digest(parts);
    });
    expect((await Promise.all(read)).sort()).toEqual(bodies.map((body) => digest([body])).sort());
  } finally {
    server.close();
  }
});
