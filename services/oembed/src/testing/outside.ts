/**
 * The outside on one machine: names that resolve where a test says, and a server that answers what it says, in whatever
 * way. The loopback address counts as public, all others are judged as everywhere.
 */
import type { lookup } from 'node:dns';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { isPublicAddress } from '@sevenfold/chassis/outgoing';
import type { Outside } from '../proxy/fetch';

type Answering = (request: http.IncomingMessage, response: http.ServerResponse) => void;

export interface Outward {
  readonly outside: Partial<Outside>;
  /** An address at a host of the outside. */
  at(host: string, path: string): string;
  /** What stands at a path, at any host; a test's own word on it. */
  readonly pages: Map<string, Answering>;
  /** Paths with queries, each time that they were asked for. */
  readonly asked: string[];
  /** How many connections were open at once, at most. */
  readonly mostAtOnce: () => number;
  readonly forgetMost: () => void;
  stop(): Promise<void>;
}

/** `names` are resolved as given; all others are at the server. */
export async function startOutside(names: Readonly<Record<string, string>> = {}): Promise<Outward> {
  const pages = new Map<string, Answering>();
  const asked: string[] = [];
  let [open, most] = [0, 0];
  const server = http.createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    most = Math.max(most, ++open);
    response.once('close', () => open--);
    const page = pages.get(path.split('?')[0] as string);
    if (page) page(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const resolve = ((
    host: string,
    _options: unknown,
    callback: (error: Error | null, addresses: { address: string; family: number }[]) => void,
  ) => {
    const address = names[host] ?? '127.0.0.1';
    callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
  }) as typeof lookup;
  return {
    outside: { resolve, isPublic: (address) => address === '127.0.0.1' || isPublicAddress(address) },
    at: (host, path) => `http://${host}:${port}${path}`,
    pages,
    asked,
    mostAtOnce: () => most,
    forgetMost: () => void (most = 0),
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

export const json =
  (body: object, headers: http.OutgoingHttpHeaders = {}): Answering =>
  (_request, response) =>
    void response
      .writeHead(200, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify(body));

export const html =
  (head: string): Answering =>
  (_request, response) =>
    void response
      .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><html><head>${head}</head><body>…</body></html>`);
