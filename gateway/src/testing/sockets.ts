/** What a test sends and hears where fetch would be too polite: bytes as they are, servers that answer with bytes, any method and header. */
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { stoppedOnce } from '../testing';

/** Sends bytes as they are, and more once an answer has begun; gives back all that comes until the other side closes. */
export function raw(port: number, bytes: string, more = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.once('data', () => socket.write(more));
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

/** A server that answers each connection with these bytes and closes it. */
export async function startRawServer(
  answer: (request: string, connection: number) => string | undefined,
): Promise<{ url: string; connections(): number; stop(): Promise<void> }> {
  let connections = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    connections += 1;
    const number = connections;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const bytes = answer(chunk.toString(), number);
      if (bytes !== undefined) socket.end(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return stoppedOnce({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  });
}

/** A request whose method, headers and body fetch would not send. */
export function ask(
  url: string,
  options: http.RequestOptions,
  body?: string | Buffer,
): Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: bytes.toString(),
          bytes,
        });
      });
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}
