/** How many connections may be open, of real clients on addresses of this machine. */
import { once } from 'node:events';
import net from 'node:net';
import { until } from '@sevenfold/chassis/testing/until';
import { type RunningGateway } from '../gateway';
import { startTestGateway } from '../testing';

let gateway: RunningGateway;
let open: net.Socket[] = [];
afterEach(async () => {
  for (const socket of open) socket.destroy();
  open = [];
  await gateway.stop();
});

interface Client {
  readonly socket: net.Socket;
  readonly text: () => string;
}

async function connect(from: string): Promise<Client> {
  const socket = net.connect({ port: gateway.port, host: '127.0.0.1', localAddress: from });
  open.push(socket);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString())).on('error', () => undefined);
  await once(socket, 'connect');
  return { socket, text: () => text };
}
/** Its status, on a connection that stays. */
async function ask({ socket, text }: Client): Promise<number> {
  const before = text().length;
  socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n');
  return until(() => {
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text().slice(before)) ?? [];
    return status === undefined ? undefined : Number(status);
  });
}
const addressesOf = (network: string, many: number): string[] =>
  Array.from({ length: many }, (_, at) => `${network}.${at + 1}`);

test('one network has ten times what one of its addresses has, and others are none the worse', async () => {
  gateway = await startTestGateway({ CONNECTIONS_PER_ADDRESS: 1 });
  const first = await Promise.all(addressesOf('127.0.1', 10).map(connect));
  for (const one of first) expect(await ask(one)).not.toBe(429);
  const late = await connect('127.0.1.11');
  expect(await ask(late)).toBe(429);
  expect(late.text()).toContain('rest_too_many_connections');
  expect(await ask(await connect('127.0.2.1'))).not.toBe(429);
  // One that is closed makes room.
  first[0]?.socket.destroy();
  await until(async () => (await ask(await connect('127.0.1.12'))) !== 429);
});

test('where nearly all are taken the network with the most makes room, of what idles', async () => {
  gateway = await startTestGateway({ CONNECTIONS_PER_ADDRESS: 100, MOST_CONNECTIONS: 20 });
  const many = await Promise.all(addressesOf('127.0.1', 14).map(connect));
  for (const one of many) expect(await ask(one)).not.toBe(429);
  const few = await Promise.all(addressesOf('127.0.2', 4).map(connect));
  for (const one of few) expect(await ask(one)).not.toBe(429);
  // More than there would be room for.
  const late = [];
  for (const address of addressesOf('127.0.3', 6)) late.push(await connect(address));
  for (const one of late) expect(await ask(one)).not.toBe(429);
  await until(() => many.filter(({ socket }) => socket.closed).length === 6);
  expect([...few, ...late].filter(({ socket }) => socket.closed)).toEqual([]);
});
