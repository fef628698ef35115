/**
 * The way of reads: fetched over kept-alive connections and passed on as they come. Such a request can be sent twice,
 * so one that met a dying connection is, once. A connection to a service comes back whatever the client does. One that tries whether the
 * service is back goes on without its client until that is known: it costs no more than one whose client stays.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { ApiError } from '@sevenfold/chassis/errors';
import type { Log } from '@sevenfold/chassis/log';
import type { Dispatcher } from 'undici';
import { sendError } from '../edge/answer';
import { connectionDied, errors, isHeadTooLong, upstreamFault } from '../edge/errors';
import type { Exchange } from '../edge/exchange';
import { whenLate } from './late';
import { beginLeg, noteHead } from './leg';
import { type PausedAnswer, pausable } from './pressure';
import { type Answering, beginAnswer, hasNoBody } from './relayed';
import type { Upstream } from './upstreams';

/** Who would rather have the answer as a whole, and sends it to the client then. */
export interface Taking {
  /** Otherwise it is passed on as it comes. */
  wants(status: number, headers: IncomingHttpHeaders): boolean;
  whole(body: Buffer): void;
  /** Whether others wait for it. It goes on for them where the client leaves; `abort` of the exchange is called again when they have, too. */
  isShared(): boolean;
  /** There is none for it, and will be none. */
  nothing(): void;
}

export function relayRead(
  exchange: Exchange,
  upstream: Upstream,
  headers: Record<string, string | string[]>,
  log: Log,
  taking?: Taking,
  patienceMs = upstream.timeoutMs,
): void {
  const { request, response } = exchange;
  // It has closed, and would give back neither room nor connection.
  if (response.destroyed) return taking?.nothing();
  const way = upstream.ways.reads;
  const leg = beginLeg(exchange, upstream.service, headers);
  /** The way is shut for all others, until a head comes. */
  let isTrial = upstream.breaker.isOpen();
  let over = false;
  let answer: Answering | undefined;
  let retried = false;
  let running: Dispatcher.DispatchController | undefined;
  let paused: PausedAnswer | undefined;
  let pieces: Buffer[] | undefined;

  const release = (): void => {
    over = true;
    leg?.end();
    stopWaiting();
    paused?.ended();
    place.leave();
  };
  const finish = (fault?: ApiError, countsFor = true): void => {
    if (over) return;
    if (fault) leg?.fail(fault);
    release();
    taking?.nothing();
    if (!fault) return;
    if (countsFor) upstream.breaker.failed();
    sendError(exchange, fault, log);
  };
  const giveUp = (): void => {
    // That it had less time than others is not the service's fault.
    finish(errors.upstreamTimeout(upstream.service), patienceMs === upstream.timeoutMs);
    running?.abort(new Error('the service did not answer'));
  };
  const leave = (): void => {
    finish();
    running?.abort(new Error('the client went away'));
  };
  const stopClock = whenLate(patienceMs, giveUp);
  const stopListening = upstream.pulse.onLost(giveUp);
  const stopWaiting = (): void => {
    stopClock();
    stopListening();
  };
  exchange.abort = () => {
    if (over || isTrial || taking?.isShared()) return;
    leave();
  };

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (controller) => {
      running = controller;
      if (over) controller.abort(new Error('too late'));
    },
    onResponseStart: (_controller, status, given) => {
      // Hints before the answer.
      if (over || status < 200) return;
      isTrial = false;
      upstream.breaker.succeeded();
      noteHead(exchange, leg, status, given as IncomingHttpHeaders);
      // A second try may get another kind of answer than the one that broke off: nothing of that is left.
      pieces = taking?.wants(status, given as IncomingHttpHeaders) ? [] : undefined;
      if (pieces) return;
      // It has left, and others waited: to them this is no answer.
      if (response.destroyed) return leave();
      stopWaiting();
      taking?.nothing();
      answer = beginAnswer(exchange, status, given as IncomingHttpHeaders);
      if (!hasNoBody(status)) return;
      release();
      answer.end();
    },
    onResponseData: (controller, chunk) => {
      if (over) return;
      if (pieces) return void pieces.push(chunk);
      if (answer?.write(chunk)) return;
      paused ??= pausable(way, controller, response, exchange.address);
      paused.pause();
    },
    onResponseEnd: () => {
      if (over) return;
      release();
      const all = pieces;
      // The exchange lives for as long as its client takes; what the body was made of would with it.
      pieces = undefined;
      if (all) taking?.whole(wholeOf(all));
      else answer?.end();
    },
    onResponseError: (_controller, error) => {
      if (over) return;
      if (response.headersSent) {
        // Too late for an error body: the client must notice that the answer has no end.
        leg?.fail(error);
        release();
        log.warn(
          { err: error, requestId: exchange.id, upstream: upstream.service },
          'an answer was cut short',
        );
        response.destroy();
      } else if (answer) finish(errors.badGateway(upstream.service, error), false);
      else if (!retried && connectionDied(error)) {
        retried = true;
        attempt();
      } else finish(upstreamFault(upstream.service, error), !isHeadTooLong(error));
    },
  };
  const attempt = (): void => {
    upstream.pool.dispatch(
      {
        method: taking ? 'GET' : (exchange.method as Dispatcher.HttpMethod),
        path: request.url as string,
        headers,
      },
      handler,
    );
  };
  const place = way.bulkhead.place({
    address: exchange.address,
    start: attempt,
    refuse: () => finish(errors.busy(upstream.service), false),
  });
  place.enter();
}

/**
 * The body as one piece that may be kept. One that makes up most of what was read with it is it itself; others are copied, and not
 * into the pool that Node cuts small buffers from, where each would keep its neighbours.
 */
function wholeOf(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  if (first && pieces.length === 1 && first.length * 2 > first.buffer.byteLength) return first;
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) at += piece.copy(whole, at);
  return whole;
}
