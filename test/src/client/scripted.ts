/** A server that answers what a test tells it to, request by request, as a site, a proxy or a broken line would. */
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  /** Below `/rest`, with its query. */
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  readonly bytes: Buffer;
}

export interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Instead of an answer: nothing at all, or the end of the connection. */
  readonly instead?: 'silence' | 'hang up';
}

export interface Scripted {
  readonly url: string;
  /** What came, in its order. */
  readonly asked: Asked[];
  stop(): Promise<void>;
}

/** `answer` is called when a request is there whole; `early`, where it answers something, before its body. */
export async function startScripted(
  answer: (asked: Asked, number: number) => Said | Promise<Said>,
  early?: (request: IncomingMessage) => Said | undefined,
): Promise<Scripted> {
  const asked: Asked[] = [];
  const server = http.createServer((request, response) => {
    const soon = early?.(request);
    if (soon) return say(response, soon);
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      const { method = '', url = '', headers } = request;
      asked.push({ method, path: url.replace(/^\/rest/, ''), headers, body: bytes.toString(), bytes });
      say(response, await answer(asked.at(-1) as Asked, asked.length));
      // Cut off by the client.
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
}

function say(response: ServerResponse, { status = 200, headers, body = {}, instead }: Said): void {
  if (instead === 'silence') return;
  if (instead === 'hang up') return void response.destroy();
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'r-1', ...headers });
  response.end(text);
}

/** As the site refuses. */
export const refusal = (status: number, data: object = {}, headers: Record<string, string> = {}): Said => ({
  status,
  headers,
  body: { code: `code_${status}`, message: `Refused with ${status}.`, data: { status, ...data } },
});
