/**
 * How long bodies may take to arrive. One that is short is here in time or comes from nobody who means well; one that may be large
 * is waited for as long as it keeps coming, and as the whole exchange may take (slow-readers.ts): how fast a client's line is says
 * nothing of what it sends.
 */
import type { Log } from '@sevenfold/chassis/log';
import { sendError } from '../edge/answer';
import { errors } from '../edge/errors';
import type { Exchange } from '../edge/exchange';
import { faultOfBody } from './bodies';
import { BYTES_PER_SECOND } from './slow-senders';

/** What came while this process stood still is read before the next look. */
const LATE_MS = 500;
const SOON_MS = 1_000;

/** Watches the body of one request. */
type BodyClock = (exchange: Exchange, isLarge: boolean) => void;

export function createBodyClock(patienceMs: number, log: Log): BodyClock {
  const least = (BYTES_PER_SECOND * patienceMs) / 1000;
  return (exchange, isLarge) => {
    const { request, response } = exchange;
    let before = request.socket.bytesRead;
    let due = 0;
    let timer: NodeJS.Timeout;
    const cut = (): void => {
      const fault = faultOfBody(exchange, errors.requestTimeout());
      if (exchange.cut) exchange.cut(fault);
      else sendError(exchange, fault, log);
    };
    const look = (): void => {
      if (request.complete) return;
      if (performance.now() - due > LATE_MS) return lookIn(SOON_MS);
      const { bytesRead } = request.socket;
      if (!isLarge || bytesRead - before < least) return cut();
      before = bytesRead;
      lookIn(patienceMs);
    };
    const lookIn = (ms: number): void => {
      due = performance.now() + ms;
      timer = setTimeout(look, ms);
    };
    lookIn(patienceMs);
    response.once('close', () => clearTimeout(timer));
  };
}
