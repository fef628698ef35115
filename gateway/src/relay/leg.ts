/** The request to a service as part of the trace of the one it is made for, and what its answer says of the route. */
import type { IncomingHttpHeaders } from 'node:http';
import { ROUTE_HEADER, noteAnswered, outgoingSpan } from '@sevenfold/chassis/http/spans';
import type { Span } from '@sevenfold/chassis/tracing/spans';
import { startSpan } from '@sevenfold/chassis/tracing/tracing';
import type { Exchange } from '../edge/exchange';

/** Undefined where nobody will see it. `headers` are those that the service gets: they tell it what it is part of. */
export function beginLeg(
  { span, method, traceparent }: Exchange,
  service: string,
  headers: Record<string, string | string[]>,
): Span | undefined {
  const leg = span?.isRecording ? startSpan(outgoingSpan(method, service), span) : undefined;
  const from = (leg ?? span)?.traceparent ?? traceparent;
  if (from !== '') headers.traceparent = from;
  return leg;
}

export function noteHead(
  exchange: Exchange,
  leg: Span | undefined,
  status: number,
  headers: IncomingHttpHeaders,
): void {
  const route = headers[ROUTE_HEADER];
  if (typeof route === 'string') exchange.route = route;
  noteAnswered(leg, status);
}
