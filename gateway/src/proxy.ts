/**
 * The way of everything that is not a plain read: http-proxy-middleware passes bodies on as they come, without
 * keeping them. One middleware for each service, made once. Nothing is ever sent twice here.
 */
import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '@sevenfold/chassis/log';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { sendError } from './answer';
import type { Breaker } from './breaker';
import { errors, upstreamFault } from './errors';
import type { Exchange } from './exchange';
import { answerHeaders } from './headers';

export interface ProxyOptions {
  readonly service: string;
  readonly origin: string;
  readonly agent: Agent;
  readonly timeoutMs: number;
  readonly breaker: Breaker;
}

/** `headers` are those the service gets. */
export type Proxy = (exchange: Exchange, headers: Record<string, string | string[]>, log: Log) => void;

interface Passage {
  readonly exchange: Exchange;
  readonly log: Log;
  outgoing?: ClientRequest;
  timedOut: boolean;
}

export function createProxy({ service, origin, agent, timeoutMs, breaker }: ProxyOptions): Proxy {
  const passages = new WeakMap<IncomingMessage, Passage>();

  const began = (outgoing: ClientRequest, request: IncomingMessage): void => {
    const passage = passages.get(request) as Passage;
    passage.outgoing = outgoing;
    if (passage.exchange.response.headersSent || passage.exchange.response.destroyed)
      return void outgoing.destroy();
    outgoing.setTimeout(timeoutMs);
    outgoing.on('timeout', () => {
      // While the client does not read, it is not the service that is silent; `slow-readers.ts` sees to such clients.
      if (passage.exchange.response.writableNeedDrain) return void outgoing.socket?.setTimeout(timeoutMs);
      passage.timedOut = true;
      outgoing.destroy(
        Object.assign(new Error('the service was silent for too long'), { code: 'ETIMEDOUT' }),
      );
    });
  };

  const answered = (incoming: IncomingMessage, request: IncomingMessage, response: ServerResponse): void => {
    const { exchange, log } = passages.get(request) as Passage;
    breaker.succeeded();
    if (response.headersSent) return;
    // http-proxy copies what it finds here, so that what a client sees is decided in one place.
    const list = answerHeaders(exchange, incoming.headers);
    for (const name of Object.keys(incoming.headers)) delete incoming.headers[name];
    for (let at = 0; at < list.length; at += 2) {
      const name = list[at] as string;
      const before = incoming.headers[name];
      const value = list[at + 1] as string;
      incoming.headers[name] = before === undefined ? value : ([before, value].flat() as never);
    }
    incoming.headers.connection = response.shouldKeepAlive ? 'keep-alive' : 'close';
    incoming.on('close', () => {
      // A client that went away has cut it short itself.
      if (incoming.complete || response.destroyed) return;
      log.warn({ requestId: exchange.id, upstream: service }, 'an answer was cut short');
      response.destroy();
    });
  };

  const failed = (error: Error, request: IncomingMessage): void => {
    const { exchange, log, timedOut } = passages.get(request) as Passage;
    const { response } = exchange;
    if (response.headersSent || response.destroyed) return;
    if (timedOut && !request.complete) {
      sendError(exchange, errors.requestTimeout(), log);
      setTimeout(() => request.destroy(), 1_000).unref();
      return;
    }
    breaker.failed();
    sendError(
      exchange,
      timedOut ? errors.upstreamTimeout(service, error) : upstreamFault(service, error),
      log,
    );
    // What the client still sends has nowhere to go.
    request.unpipe();
    request.resume();
  };

  const middleware = createProxyMiddleware<IncomingMessage, ServerResponse>({
    target: origin,
    agent,
    changeOrigin: true,
    on: {
      proxyReq: began,
      proxyRes: answered,
      error: (error, request) => failed(error, request),
    },
  });

  return (exchange, headers, log) => {
    const { request, response } = exchange;
    const passage: Passage = { exchange, log, timedOut: false };
    passages.set(request, passage);
    exchange.abort = () => passage.outgoing?.destroy();
    for (const name of Object.keys(request.headers)) delete request.headers[name];
    Object.assign(request.headers, headers);
    void middleware(request, response, (error?: unknown) =>
      sendError(exchange, error ?? errors.badGateway(service), log),
    );
  };
}
