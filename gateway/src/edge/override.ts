/**
 * `_method` and `X-HTTP-Method-Override`, for clients that can only send GET and POST. Honoured on POST alone: a link
 * that someone follows must never delete.
 */
import { noRoute } from '@sevenfold/chassis/errors';
import type { Exchange } from './exchange';

// HEAD is missing: the client waits for the body that a POST has.
const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function overrideMethod(exchange: Exchange): void {
  const { request } = exchange;
  if (request.method !== 'POST') return;
  const named = exchange.query.includes('_method')
    ? new URLSearchParams(exchange.query).get('_method')
    : null;
  const wanted = named ?? request.headers['x-http-method-override'];
  if (wanted === undefined) return;
  const method = String(wanted).toUpperCase();
  if (!METHODS.has(method)) throw noRoute();
  exchange.method = method;
  request.method = method;
}
