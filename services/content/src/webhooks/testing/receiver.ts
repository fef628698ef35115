/** A receiver of webhooks that keeps what came and answers as a test says. */
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Delivered {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly sequence: number;
    readonly data: { readonly kind: string; readonly id: number | string; readonly object: unknown };
  };
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** In the order in which they came, each try. */
  readonly got: Delivered[];
  /** Replaced by tests: ends the response, or leaves it open. */
  answer: (delivered: Delivered, response: http.ServerResponse) => void;
  /** Breaks off whatever is not answered yet. */
  cut(): void;
  stop(): Promise<void>;
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const got: Delivered[] = [];
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString('utf8');
      const delivered = {
        path: request.url ?? '',
        headers: request.headers as Record<string, string>,
        text,
        body: JSON.parse(text) as Delivered['body'],
      };
      got.push(delivered);
      receiver.answer(delivered, response);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  const receiver: Receiver = {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    got,
    answer: (_, response) => void response.writeHead(204).end(),
    cut,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
  return receiver;
}
