/**
 * The way of reads: fetched over kept-alive connections and passed on as they come. Such a request can be sent twice,
 * so one that met a dying connection is, once.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { ApiError } from '@sevenfold/chassis/errors';
import type { Log } from '@sevenfold/chassis/log';
import type { Dispatcher } from 'undici';
import { sendError } from './answer';
import { connectionDied, errors, upstreamFault } from './errors';
import type { Exchange } from './exchange';
import { answerHeaders } from './headers';
import type { Upstream } from './upstreams';

export function relayRead(
  exchange: Exchange,
  upstream: Upstream,
  headers: Record<string, string | string[]>,
  log: Log,
): void {
  const { request, response } = exchange;
  let over = false;
  let began = false;
  let retried = false;
  let running: Dispatcher.DispatchController | undefined;

  const finish = (fault?: ApiError): void => {
    if (over) return;
    over = true;
    stopWaiting();
    if (fault) {
      upstream.breaker.failed();
      sendError(exchange, fault, log);
    }
  };
  const giveUp = (): void => {
    finish(errors.upstreamTimeout(upstream.service));
    running?.abort(new Error('the service did not answer'));
  };
  const deadline = setTimeout(giveUp, upstream.timeoutMs);
  const stopListening = upstream.pulse.onLost(giveUp);
  const stopWaiting = (): void => {
    clearTimeout(deadline);
    stopListening();
  };
  exchange.abort = () => {
    finish();
    running?.abort(new Error('the client went away'));
  };

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (controller) => {
      running = controller;
      if (over) controller.abort(new Error('too late'));
    },
    onResponseStart: (_controller, status, given) => {
      // Hints before the answer.
      if (status < 200) return;
      began = true;
      stopWaiting();
      upstream.breaker.succeeded();
      response.writeHead(status, answerHeaders(exchange, given as IncomingHttpHeaders));
    },
    onResponseData: (controller, chunk) => {
      if (response.write(chunk)) return;
      controller.pause();
      response.once('drain', () => controller.resume());
    },
    onResponseEnd: () => {
      over = true;
      response.end();
    },
    onResponseError: (_controller, error) => {
      if (over) return;
      if (began) {
        // Too late for an error body: the client must notice that the answer has no end.
        over = true;
        log.warn(
          { err: error, requestId: exchange.id, upstream: upstream.service },
          'an answer was cut short',
        );
        response.destroy();
      } else if (!retried && connectionDied(error)) {
        retried = true;
        attempt();
      } else finish(upstreamFault(upstream.service, error));
    },
  };
  const attempt = (): void => {
    upstream.pool.dispatch(
      { method: exchange.method as Dispatcher.HttpMethod, path: request.url as string, headers },
      handler,
    );
  };
  attempt();
}
