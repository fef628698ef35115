/**
 * The way of everything that is not a plain read: passed on with all it has, and the answer back as it comes. One proxy
 * for each service, made once.
 */
import type { Log } from '@sevenfold/chassis/log';
import { sendError } from '../edge/answer';
import type { Exchange } from '../edge/exchange';
import { type Outbound, createForward } from './outgoing';
import { pausable } from './pressure';
import { beginAnswer } from './relayed';

/** `headers` are those the service gets. */
export type Proxy = (exchange: Exchange, headers: Record<string, string | string[]>, log: Log) => void;

export function createProxy(outbound: Outbound): Proxy {
  const forward = createForward(outbound);
  return (exchange, headers, log) => {
    const { response } = exchange;
    forward(exchange, headers, {
      answered: (incoming) => {
        const answer = beginAnswer(exchange, incoming.statusCode as number, incoming.headers);
        const paused = pausable(outbound.way, incoming, response, exchange.address);
        incoming.on('data', (chunk: Buffer) => {
          if (!answer.write(chunk)) paused.pause();
        });
        incoming.on('end', () => answer.end());
        incoming.once('close', () => paused.ended());
      },
      failed: (fault) => sendError(exchange, fault, log),
      cut: (err, fault) => {
        if (response.headersSent) {
          log.warn({ err, requestId: exchange.id, upstream: outbound.service }, 'an answer was cut short');
          response.destroy();
        } else sendError(exchange, fault, log);
      },
    });
  };
}
