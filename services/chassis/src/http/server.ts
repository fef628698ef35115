/**
 * The HTTP listener of a process: an Express application with health, readiness and metrics, and whatever the process
 * serves. Requests and responses are born with Express' prototypes: Express would otherwise swap them on every
 * request, which makes V8 treat each as a dictionary (measured: three times the CPU time).
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { collectDefaultMetrics, register } from 'prom-client';
import type { Log } from '../log';
import { hostOf } from '../ports';
import { within } from '../stop';
import { type Connections, watchConnections } from './connections';
import { framingFault, refuseFraming } from './framing';

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  /** Empty when ready; otherwise what is still missing, one reason a line. */
  readonly notReady: () => Promise<string[]> | string[];
  readonly configure?: (app: Express) => void;
  /** Of strangers: how long their head and their whole request may take, and how large a head may be. */
  readonly bounds?: Bounds;
  /** After this long, more or less, a connection ends with its next answer. Default five minutes. */
  readonly connectionAgeMs?: number;
  /** Whether `/metrics` is answered here; a public port must not tell. Default true. */
  readonly metrics?: boolean;
}

export interface Bounds {
  readonly headMs: number;
  readonly requestMs: number;
  readonly headBytes: number;
}

// A gateway lets through heads of a megabyte at most (HEADER_LIMIT_BYTES), and adds who is calling, and bodies that come within a day at most
// (BODY_SECONDS): what it took is refused by nobody behind it.
const BOUNDS: Bounds = { headMs: 80_000, requestMs: 86_460_000, headBytes: (1024 + 64) * 1024 };
/** How soon it is seen that one has run out. */
const CHECK_MS = 1_000;

export interface HttpServer {
  readonly port: number;
  readonly url: string;
  readonly server: http.Server;
  /** From now on each answer is the last one on its connection; everything is still taken. */
  letGo(): void;
  /**
   * Stops accepting, waits for running requests up to `graceMs`, then cuts the rest. A client that keeps its connection
   * may not go on using it: the next answer is the last one there.
   */
  stop(graceMs: number): Promise<void>;
}

/** How soon a connection is closed whose answer had begun before the stop, and so could not tell that it is the last. */
const CLOSE_IDLE_MS = 100;

/** Whoever asks whether a process is ready gives up after a second or two: an answer that comes later tells nobody. */
const PROBE_MS = 800;

/** How the loop keeps up is looked at by a timer. At the library's 10 ms that was half of what a process did while idle. */
const LOOP_LOOK_MS = 100;

let collecting = false;

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  if (!collecting) {
    collectDefaultMetrics({ eventLoopMonitoringPrecision: LOOP_LOOK_MS });
    collecting = true;
  }
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.get('/healthz', (_request, response) => void response.type('text/plain').send('ok\n'));
  const notReady = soon(options.notReady);
  app.get('/readyz', async (_request, response) => {
    const reasons = await notReady();
    response
      .status(reasons.length === 0 ? 200 : 503)
      .type('text/plain')
      .send(reasons.length === 0 ? 'ready\n' : `not ready:\n${reasons.join('\n')}\n`);
  });
  if (options.metrics ?? true)
    app.get(
      '/metrics',
      async (_request, response) => void response.type(register.contentType).send(await register.metrics()),
    );
  options.configure?.(app);

  const { bounds = BOUNDS } = options;
  const server = createServer(app, bounds);
  const serve: http.RequestListener = (request, response) => {
    const fault = framingFault(request);
    if (fault) return refuseFraming(response, fault);
    request.url = originForm(request.url);
    app(request, response);
  };
  const connections = watchConnections(server, serve, options.connectionAgeMs);
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`port ${options.port} on ${options.host} is already in use`, { cause: error })
          : error,
      ),
    );
    server.listen(options.port, options.host, resolve);
  });
  const port = (server.address() as AddressInfo).port;
  return {
    port,
    url: `http://${hostOf(options.host)}:${port}`,
    server,
    letGo: () => connections.letGo(),
    stop: gentleStop(server, connections),
  };
}

/** Clients may send an absolute address. Of one whose host it cannot read Express finds no path, and would answer itself, past everything. */
function originForm(target = '/'): string {
  if (target.startsWith('/')) return target;
  const authority = /^[a-z][a-z\d+.-]*:\/\//i.exec(target);
  if (!authority) return target;
  const path = target.slice(authority[0].length).search(/[/?#]/);
  if (path < 0) return '/';
  const rest = target.slice(authority[0].length + path);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The check in bounded time; while one still runs the next probes wait for that one, not for one of their own. */
function soon(check: HttpServerOptions['notReady']): () => Promise<string[]> {
  let running: Promise<string[]> | undefined;
  const run = async (): Promise<string[]> => {
    try {
      return await check();
    } catch (error) {
      return [`the check failed: ${(error as Error).message}`];
    }
  };
  return async () => {
    running ??= run().finally(() => (running = undefined));
    return (await within(PROBE_MS, running)) ?? ['the check takes too long'];
  };
}

/** Closing a server only refuses new connections: those that are open and busy would be served for ever. */
const gentleStop =
  (server: http.Server, connections: Connections): HttpServer['stop'] =>
  (graceMs) =>
    new Promise((resolve) => {
      connections.letGo();
      const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      server.close(() => {
        clearInterval(idle);
        clearTimeout(cut);
        resolve();
      });
      server.closeIdleConnections();
    });

/**
 * Express swaps the prototype of each request and response for its own. Here they are born with it: Express' prototype
 * is put under that of a class of ours, and ours in its place.
 */
function createServer(app: Express, bounds: Bounds): http.Server {
  class Request extends http.IncomingMessage {}
  class Response extends http.ServerResponse {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return http.createServer({
    IncomingMessage: Request,
    ServerResponse: Response,
    keepAlive: true,
    // It would answer without a body (framing.ts).
    requireHostHeader: false,
    maxHeaderSize: bounds.headBytes,
    headersTimeout: bounds.headMs,
    requestTimeout: Math.max(bounds.requestMs, bounds.headMs),
    connectionsCheckingInterval: CHECK_MS,
  });
}
