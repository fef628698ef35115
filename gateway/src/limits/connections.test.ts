/** How many connections may be open, of real clients on addresses of this machine. */
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { until } from '@sevenfold/chassis/testing/until';
import { type RunningGateway } from '../gateway';
import { startTestGateway, stoppedOnce } from '../testing';

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

test('that is so where one address may have any number, too', async () => {
  gateway = await startTestGateway({ CONNECTIONS_PER_ADDRESS: 0, MOST_CONNECTIONS: 20 });
  const many = await Promise.all(Array.from({ length: 20 }, () => connect('127.0.1.1')));
  const late = await connect('127.0.2.1');
  expect(await ask(late)).not.toBe(429);
  await until(() => many.filter(({ socket }) => socket.closed).length > 0);
  expect(late.socket.closed).toBe(false);
});

/** Begins a request whose body does not come; the gateway waits for it. */
async function beginBody({ socket, text }: Client, path = '/console/api/sessions'): Promise<void> {
  const headers = 'Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue';
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`);
  await until(() => text().endsWith('HTTP/1.1 100 Continue\r\n\r\n'));
  socket.write('{');
}
const closed = (clients: readonly Client[]): number[] =>
  clients.flatMap(({ socket }, at) => (socket.closed ? [at] : []));

describe('where nearly all are taken and none idles', () => {
  test('the networks with the most give up requests that are still coming, those first that began first', async () => {
    gateway = await startTestGateway({ CONNECTIONS_PER_ADDRESS: 100, MOST_CONNECTIONS: 20 });
    const one = await Promise.all(addressesOf('127.0.1', 9).map(connect));
    const two = await Promise.all(addressesOf('127.0.2', 8).map(connect));
    const few = await Promise.all(addressesOf('127.0.3', 1).map(connect));
    // The oldest connection is not the one that has asked the longest.
    for (const client of [...few, ...[...two].reverse(), ...[...one].reverse()]) await beginBody(client);
    const late = [];
    for (const [at, address] of addressesOf('127.0.4', 4).entries()) {
      const client = await connect(address);
      expect(await ask(client)).not.toBe(429);
      late.push(client);
      await until(() => closed([...one, ...two]).length === at + 1);
    }
    expect([closed(one), closed(two)]).toEqual([[6, 7, 8], [7]]);
    expect(closed([...few, ...late])).toEqual([]);
  });

  test('a network keeps those that are answered, and what is coming where it holds no more than who wants room', async () => {
    const asked = new Set<http.ServerResponse>();
    const server = http.createServer((request, response) => void (request.resume(), asked.add(response)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const service = stoppedOnce({
      stop: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    });
    gateway = await startTestGateway({
      CONNECTIONS_PER_ADDRESS: 100,
      MOST_CONNECTIONS: 20,
      SEO_HTTP: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });
    const whole = await Promise.all(addressesOf('127.0.1', 13).map(connect));
    for (const { socket } of whole)
      socket.write(
        'POST /rest/seo/v1/configurator HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
      );
    await until(() => asked.size === whole.length);
    const coming = await Promise.all(addressesOf('127.0.2', 3).map(connect));
    for (const client of coming) await beginBody(client);
    const late = await Promise.all(addressesOf('127.0.3', 2).map(connect));
    for (const client of late) await beginBody(client);
    const others = [...coming, ...late];
    // With its second one its network has as many as any of these, and makes room by itself.
    const more: Client[] = [];
    for (const [at, address] of addressesOf('127.0.4', 4).entries()) {
      const client = await connect(address);
      await beginBody(client);
      more.push(client);
      await until(() => closed(others).length + closed(more).length === at + 1);
    }
    expect([closed(coming), closed(late), closed(more)]).toEqual([[0], [], [0, 1, 2]]);
    for (const response of asked) response.end('{}');
    for (const { text } of whole) await until(() => text().startsWith('HTTP/1.1 200'));
    await service.stop();
  });
});
