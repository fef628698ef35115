/**
 * What this machine could do at best with the same bytes: plain node:http, and Express with http-proxy-middleware in
 * front of it. Each runs as a process of its own, as the measured services do.
 */
import { type ChildProcess, fork } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';

export interface Ceiling {
  readonly origin: string;
  stop(): void;
}

export async function startCeiling(
  kind: 'plain' | 'proxy',
  given: { body: string } | { target: string },
): Promise<Ceiling> {
  const child: ChildProcess = fork(__filename, [kind], { stdio: 'inherit' });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('message', (message) => resolve(Number(message)));
    child.send(given);
  });
  return { origin: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}

function serveCeiling(kind: string, given: { body?: string; target?: string }): void {
  let listener: http.RequestListener;
  if (kind === 'plain') {
    const bytes = Buffer.from(given.body ?? '');
    listener = (_request, response) => {
      response.writeHead(200, {
        'Content-Type': 'application/json; charset=UTF-8',
        'Content-Length': bytes.length,
      });
      response.end(bytes);
    };
  } else {
    const app = express();
    app.use(
      createProxyMiddleware({
        target: given.target,
        agent: new http.Agent({ keepAlive: true, maxSockets: 256 }),
      }),
    );
    listener = app as unknown as http.RequestListener;
  }
  const server = http.createServer(listener);
  server.keepAliveTimeout = 75_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

if (require.main === module) {
  process.once('message', (given: { body?: string; target?: string }) =>
    serveCeiling(process.argv[2] ?? 'plain', given),
  );
  process.once('disconnect', () => process.exit(0));
}
