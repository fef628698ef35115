/**
 * How requests are called in traces: by the pattern of their route. Paths and queries are what clients write, an address
 * of somebody among it, and stay out.
 */
import type { IncomingMessage } from 'node:http';
import { isOurs } from '../errors';
import type { Span, SpanRow } from '../tracing/spans';

/** By which a service tells the gateway what answered. */
export const ROUTE_HEADER = 'x-sevenfold-route';

export const requestSpan = ({ method = 'GET' }: Pick<IncomingMessage, 'method'>): SpanRow => ({
  kind: 'server',
  name: method,
  attributes: { 'http.request.method': method },
});

/** What is known at the end. */
export function noteAnswer(
  span: Span | undefined,
  { method = 'GET' }: Pick<IncomingMessage, 'method'>,
  route: string,
  status: number,
): void {
  if (!span) return;
  span.set({ 'http.response.status_code': status, 'http.route': route });
  span.rename(`${method} ${route}`);
  if (isOurs({ status })) span.fail(Object.assign(new Error(), { code: status }));
}

/** A request that we send; `to` is who it goes to, and no more of the address. */
export const outgoingSpan = (method: string, to: string): SpanRow => ({
  kind: 'client',
  name: method,
  attributes: { 'http.request.method': method, 'server.address': to },
});

export function noteAnswered(span: Span | undefined, status: number): void {
  span?.set({ 'http.response.status_code': status });
  if (status >= 400) span?.fail(Object.assign(new Error(), { code: status }));
}
