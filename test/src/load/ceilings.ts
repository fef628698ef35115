/**
 * What this machine could do at best with the same bytes: plain node:http, Express alone, and Express with
 * http-proxy-middleware in front of node:http, or of the very service that answers a row. Each runs as a process of its
 * own, as the measured services do.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';

/** What a bare server answers; the body in base64. */
export interface Same {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Given = Same | { readonly target: string };

export type CeilingKind = 'node' | 'express' | 'proxy';

export interface Ceiling {
  readonly origin: string;
  /** From now on it answers this, or what is there. */
  give(given: Given): Promise<void>;
  stop(): void;
}

export async function startCeiling(kind: CeilingKind): Promise<Ceiling> {
  const child: ChildProcess = fork(__filename, [kind], { stdio: 'inherit' });
  const told = async (): Promise<unknown> => ((await once(child, 'message')) as unknown[])[0];
  const port = Number(await told());
  return {
    origin: `http://127.0.0.1:${port}`,
    give: async (given) => {
      const taken = told();
      child.send(given);
      await taken;
    },
    stop: () => void child.kill(),
  };
}

const kinds: Record<CeilingKind, () => { listener: http.RequestListener; take: (given: Given) => void }> = {
  node: () => bare((answer) => answer),
  express: () =>
    bare((answer) => {
      const app = express();
      app.use(answer);
      return app as unknown as http.RequestListener;
    }),
  proxy: () => {
    let target = '';
    const app = express();
    const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });
    app.use(createProxyMiddleware({ router: () => target, target: 'http://127.0.0.1', agent }));
    return {
      listener: app as unknown as http.RequestListener,
      take: (given) => void (target = (given as { target: string }).target),
    };
  },
};

function bare(around: (answer: http.RequestListener) => http.RequestListener): ReturnType<typeof kinds.node> {
  let status = 404;
  let headers: Record<string, string> = {};
  let bytes: Buffer | undefined;
  return {
    listener: around((_request, response) => {
      response.writeHead(status, headers);
      response.end(bytes);
    }),
    take: (given) => {
      const same = given as Same;
      ({ status } = same);
      bytes = Buffer.from(same.body, 'base64');
      // Of what is not sent again there is no length.
      headers = { ...same.headers, ...(status !== 304 && { 'Content-Length': String(bytes.length) }) };
    },
  };
}

function serveCeiling(kind: CeilingKind): void {
  const { listener, take } = kinds[kind]();
  const server = http.createServer(listener);
  server.keepAliveTimeout = 75_000;
  process.on('message', (given: Given) => {
    take(given);
    process.send?.('taken');
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

if (require.main === module) {
  serveCeiling(process.argv[2] as CeilingKind);
  process.once('disconnect', () => process.exit(0));
}
