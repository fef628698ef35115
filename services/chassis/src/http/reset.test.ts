/** Connections that are reset, with a socket on both sides: none stays open, whatever was under way on it. */
import { once } from 'node:events';
import net from 'node:net';
import { resetConnection } from './reset';

let server: net.Server;
let port: number;
const accepted: net.Socket[] = [];

beforeAll(async () => {
  server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    accepted.push(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as net.AddressInfo).port;
});
afterAll(() => {
  for (const socket of accepted) socket.destroy();
  server.close();
});

test.each<[string, (socket: net.Socket) => void]>([
  ['idle', () => undefined],
  ['with bytes that nobody reads', (socket) => void socket.write(Buffer.alloc(30_000_000))],
  ['that is just being ended', (socket) => void socket.end()],
  ['that is just being ended behind a few bytes', (socket) => void socket.end('few')],
  ['that ends when somebody has read a lot', (socket) => void socket.end(Buffer.alloc(30_000_000))],
])('a connection %s', async (_, before) => {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  before(socket);
  const closed = once(socket, 'close');
  resetConnection(socket);
  await closed;
});
