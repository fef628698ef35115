/**
 * The way of everything that is not a plain read: one request to a service with the body of the client's, passed on as
 * it comes, without being kept, and never sent twice. Whatever the service answers counts, however much of the body it
 * has read: then no more is sent. What the client does wrong (hangs up, stalls) is no fault of the service.
 */
import http, { type Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import { expectsContinue, hasBody } from '@sevenfold/chassis/http/connections';
import { type ApiError, nothingDone } from '@sevenfold/chassis/errors';
import { errors, isHeadTooLong, upstreamFault } from '../edge/errors';
import type { Exchange } from '../edge/exchange';
import { faultOfBody } from './bodies';
import { whenLate } from './late';
import { beginLeg, noteHead } from './leg';
import { bodyOf } from './slow-senders';
import { type Way, HEAD_BYTES } from './ways';

export interface Outbound {
  readonly service: string;
  readonly origin: URL;
  readonly agent: Agent;
  readonly timeoutMs: number;
  readonly way: Way;
}

export interface Taker {
  /** The head of the answer is there; its body is to be read. May throw. */
  answered(incoming: IncomingMessage): void;
  /** There will be none. */
  failed(fault: ApiError): void;
  /** The answer has begun and will not end; the fault is for whoever has had nothing of it. */
  cut(cause: Error, fault: ApiError): void;
}

export type Forward = (exchange: Exchange, headers: Record<string, string | string[]>, taker: Taker) => void;

export function createForward(outbound: Outbound): Forward {
  const { service, way } = outbound;
  const send = createSend(outbound);
  return (exchange, headers, taker) => {
    // Nothing is done for whoever has left.
    if (exchange.response.destroyed) return;
    const place = way.bulkhead.place({
      address: exchange.address,
      start: () => {
        try {
          send(exchange, headers, taker).once('close', () => place.leave());
        } catch (error) {
          place.leave();
          taker.failed(errors.badGateway(service, error));
        }
      },
      refuse: () => taker.failed(errors.busy(service)),
    });
    exchange.abort = () => place.leave();
    exchange.cut = (fault) => {
      exchange.abort?.();
      taker.failed(nothingDone(fault));
    };
    place.enter();
  };
}

type Send = (...given: Parameters<Forward>) => ClientRequest;

function createSend({ service, origin, agent, timeoutMs, way }: Outbound): Send {
  const { breaker, givingWay } = way;
  return (exchange, headers, taker) => {
    const { request, response } = exchange;
    const withBody = hasBody(request);
    const expects = withBody && expectsContinue(request);
    const body = exchange.profile?.bodyOf(exchange);
    if (body) {
      // Other words have another length.
      delete headers['content-length'];
      headers['transfer-encoding'] = 'chunked';
    }
    if (expects) headers.expect = '100-continue';
    headers.host = origin.host;
    const leg = beginLeg(exchange, service, headers);
    let over = false;
    let incoming: IncomingMessage | undefined;

    const outgoing = http.request({
      host: origin.hostname,
      port: origin.port,
      method: exchange.method,
      path: request.url,
      headers,
      agent,
      timeout: timeoutMs,
      maxHeaderSize: HEAD_BYTES,
    });
    exchange.abort = () => {
      over = true;
      outgoing.destroy();
    };
    const tooSlow = (): ApiError => faultOfBody(exchange, errors.requestTimeout());
    /** What the client still sends has nowhere to go. */
    const stopSending = (): void => {
      request.unpipe(body ?? outgoing);
      request.resume();
    };
    const fail = (cause: Error, fault: ApiError, countsFor: boolean): void => {
      if (over) return;
      over = true;
      leg?.fail(cause);
      outgoing.destroy();
      if (withBody) stopSending();
      if (countsFor) breaker.failed();
      if (incoming) taker.cut(cause, fault);
      else taker.failed(fault);
    };
    const silent = (): void => {
      const cause = new Error('the service was silent for too long');
      fail(cause, errors.upstreamTimeout(service, cause), true);
    };
    const invalid = (said: string): void => {
      const cause = new Error(said);
      fail(cause, errors.badGateway(service, cause), true);
    };

    exchange.cut = (fault) => {
      // An answer that comes before the body is whole is one to what has come of it.
      if (!incoming) fail(fault, fault, false);
    };

    outgoing.once('close', () => leg?.end());
    whenUnanswered(outgoing, timeoutMs, () => {
      if (!incoming) silent();
    });
    outgoing.on('continue', () => {
      if (expects && !response.headersSent && !response.destroyed) response.writeContinue();
    });
    outgoing.on('response', (answer) => {
      if (over) return void answer.resume();
      if ((answer.statusCode as number) < 200)
        return invalid('the service gave no status that ends a request');
      incoming = answer;
      breaker.succeeded();
      noteHead(exchange, leg, answer.statusCode as number, answer.headers);
      // A connection that was promised more of a body cannot be used again.
      const early = withBody && !outgoing.writableFinished;
      if (early) stopSending();
      answer.on('end', () => {
        over = true;
        if (early) outgoing.destroy();
      });
      answer.on('error', (error) => fail(error, errors.badGateway(service, error), false));
      try {
        taker.answered(answer);
      } catch (error) {
        fail(error as Error, errors.badGateway(service, error), true);
      }
    });
    outgoing.on('upgrade', (_answer, socket) => {
      invalid('the service changed the protocol');
      socket.destroy();
    });
    outgoing.on('error', (error) => {
      // What comes behind an answer is none of it; its connection has ended with that.
      if (incoming?.complete) return;
      const fault = upstreamFault(service, error);
      // One that breaks off while a body is on its way may have been driven to it by that body, as one whose head is too long by what was asked.
      const isItsOwn = fault.status === 503 || !withBody || outgoing.writableFinished;
      fail(error, fault, !incoming && isItsOwn && !isHeadTooLong(error));
    });
    outgoing.on('timeout', () => {
      // While the client does not read, it is not the service that is silent; `slow-readers.ts` sees to such clients.
      if (incoming && response.writableNeedDrain) return void outgoing.socket?.setTimeout(timeoutMs);
      const before = movedOn(outgoing);
      // What came while this process stood still is read only now; it is waited for anew then.
      setImmediate(() => {
        if (over) return;
        if (movedOn(outgoing) !== before) return void outgoing.socket?.setTimeout(timeoutMs);
        const clients = withBody && !request.complete && isTaking(outgoing);
        if (clients) fail(new Error('the body did not come'), tooSlow(), false);
        else silent();
      });
    });

    if (withBody) {
      const cut = (): void => fail(new Error('the body came too slowly'), tooSlow(), false);
      outgoing.once('close', givingWay.hold(bodyOf(request, exchange.address, cut)));
    }
    if (expects) outgoing.flushHeaders();
    if (body) request.pipe(body).pipe(outgoing);
    else if (withBody) request.pipe(outgoing);
    else outgoing.end();
    return outgoing;
  };
}

/** From when all of it is sent: what a service sends then without ever answering renews every other clock. */
function whenUnanswered(outgoing: ClientRequest, ms: number, call: () => void): void {
  outgoing.once('finish', () => {
    const stop = whenLate(ms, call);
    outgoing.once('response', stop).once('close', stop);
  });
}

/** How many bytes have gone either way. */
const movedOn = ({ socket }: ClientRequest): number => (socket ? socket.bytesRead + socket.bytesWritten : 0);

/** Whether the service is there and waits for more of the body. */
const isTaking = (outgoing: ClientRequest): boolean =>
  outgoing.socket?.connecting === false && !outgoing.writableNeedDrain;
