/**
 * What of a head Node's parser lets pass and HTTP does not (RFC 9112, 3.2 and 6.1). Whoever stands in front may read it in another way:
 * take the request for one of another site, or the rest of its body for a request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApiError, apiError } from '../errors';
import { JSON_TYPE } from './send';

/** A name or an address, and perhaps a port. */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]+$/;

/** Undefined where nothing is wrong. */
export function framingFault({
  headers,
  rawHeaders,
  httpVersionMinor,
}: IncomingMessage): ApiError | undefined {
  const hosts = countOf('host', rawHeaders);
  if (hosts > 1) return badRequest('The request names more than one host.');
  const { host = '', 'transfer-encoding': coding } = headers;
  if (host === '' && httpVersionMinor > 0) return badRequest('The request names no host.');
  if (host !== '' && !HOST.test(host)) return badRequest('The request names a host that is none.');
  if (coding === undefined) return undefined;
  // Such a client knows no chunks: whoever reads some is not who it spoke to.
  if (httpVersionMinor === 0) return badRequest('A request of HTTP/1.0 has no transfer coding.');
  return coding.toLowerCase() === 'chunked'
    ? undefined
    : badRequest('The body must come as it is, or in chunks: no other transfer coding is known.');
}

/** The last answer on its connection: where the next request begins is not known. */
export function refuseFraming(response: ServerResponse, fault: ApiError): void {
  const body = JSON.stringify(fault.body());
  response.shouldKeepAlive = false;
  response.writeHead(fault.status, {
    'Content-Type': JSON_TYPE,
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
  });
  response.end(body);
}

const badRequest = (message: string): ApiError => apiError('bad_request', 400, message);

/** Of headers as they came, names and values in turn: where one counts, Node keeps the first alone. */
function countOf(name: string, raw: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < raw.length; at += 2) {
    const given = raw[at] as string;
    if (given.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count;
}
