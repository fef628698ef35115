/** Sites for tests that answer what the test says, on a machine that has nothing but private addresses. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AskOptions, type Asker, openAsker } from './ask';

export interface Given {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or text as it is. */
  readonly body?: unknown;
  /** Something else than an answer: it may go on for ever. */
  readonly raw?: (response: http.ServerResponse) => void;
}

export interface StrangeSite {
  readonly url: URL;
  readonly asked: {
    readonly path: string;
    readonly authorization: string | undefined;
    readonly host: string;
  }[];
  readonly stop: () => Promise<void>;
}

export async function startStrange(
  answer: (path: string, query: URLSearchParams) => Given | undefined,
): Promise<StrangeSite> {
  const asked: StrangeSite['asked'] = [];
  const server = http.createServer((request, response) => {
    const { pathname, searchParams, search } = new URL(request.url ?? '/', 'http://site');
    const { authorization, host = '' } = request.headers;
    asked.push({ path: pathname + search, authorization, host });
    response.on('error', () => undefined);
    const given = answer(pathname, searchParams) ?? { status: 404, body: { code: 'rest_no_route' } };
    if (given.raw) return given.raw(response);
    response.writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers });
    response.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    asked,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const askerOf = (site: URL, more: Partial<AskOptions> = {}): Asker =>
  openAsker({
    site,
    allowPrivate: true,
    parallel: 2,
    perSecond: 1_000,
    fileLimitBytes: 1024 * 1024,
    pauseMs: 1,
    ...more,
  });
