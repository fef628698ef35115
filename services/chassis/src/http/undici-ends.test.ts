/** A server that closes the connection behind an answer, and whoever takes that slowly. */
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { until } from '../testing/until';
import { lateAgent } from './late-agent';

const BODY = Buffer.alloc(2 * 1024 * 1024, 'x');
const agent = lateAgent({});
const servers: net.Server[] = [];
afterAll(async () => {
  await agent.destroy();
  for (const server of servers) server.close();
});

/** Answers each connection with these bytes, and closes it. */
async function startServer(head: string, body: Buffer): Promise<string> {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () =>
      socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`), body])),
    );
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const chunked = Buffer.concat([
  Buffer.from(`${BODY.length.toString(16)}\r\n`),
  BODY,
  Buffer.from('\r\n0\r\n\r\n'),
]);

test.each([
  ['with its length', `Connection: close\r\nContent-Length: ${BODY.length}`, BODY],
  ['in pieces', 'Connection: close\r\nTransfer-Encoding: chunked', chunked],
  ['that ends with the connection', 'Connection: close', BODY],
])('an answer %s arrives whole, however slowly it is taken', async (_what, head, body) => {
  const url = await startServer(head, body);
  // Whether the end meets a parser that is paused is a matter of moments.
  for (let n = 0; n < 5; n++) {
    const { body: answer } = await agent.request(url);
    let bytes = 0;
    for await (const piece of answer) {
      bytes += (piece as Buffer).length;
      for (let pause = 0; pause < 20; pause++) await turn();
    }
    expect(bytes).toBe(BODY.length);
  }
});

test.each([
  ['with its length', `Connection: close\r\nContent-Length: ${BODY.length + 1}`, BODY],
  ['in pieces', 'Connection: close\r\nTransfer-Encoding: chunked', chunked.subarray(0, -5)],
])('one %s that is cut short is an error', async (_what, head, body) => {
  const { body: answer } = await agent.request(await startServer(head, body));
  const read = async (): Promise<void> => {
    for await (const _piece of answer) for (let pause = 0; pause < 20; pause++) await turn();
  };
  await expect(read()).rejects.toThrow();
});

test('one that nobody takes leaves nothing behind', async () => {
  const url = await startServer(`Connection: close\r\nContent-Length: ${BODY.length}`, BODY);
  const { body } = await agent.request(url);
  await until(() => body.readableLength > 0);
  body.on('error', () => undefined).destroy();
  // The process lives, and asks on.
  const plain = http.createServer((_request, response) => void response.end('fine'));
  servers.push(plain);
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const { body: next } = await agent.request(`http://127.0.0.1:${(plain.address() as AddressInfo).port}/`);
  expect(await next.text()).toBe('fine');
});
