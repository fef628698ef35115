/** Answers of the gateway itself. Each goes through here, so that each has the same headers and the same error body. */
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { type ApiError, isOurs, toApiError } from '@sevenfold/chassis/errors';
import { isComing } from '@sevenfold/chassis/http/connections';
import type { Log } from '@sevenfold/chassis/log';
import { logFault } from '@sevenfold/chassis/outages';
import { type Coding, packer } from './codings';
import { publicHeaders, varyOf } from './cors';
import type { Answer, Exchange } from './exchange';
import { cachingOf } from './headers';
import { around, isJson } from './wrapping';

export const JSON_TYPE = 'application/json; charset=UTF-8';

export const jsonAnswer = (
  value: unknown,
  status = 200,
  headers?: Readonly<Record<string, string>>,
): Answer => ({
  status,
  headers,
  body: Buffer.from(JSON.stringify(value)),
});

export function send(exchange: Exchange, answer: Answer): void {
  const { request, response } = exchange;
  if (response.headersSent || response.destroyed) return;
  exchange.beforeAnswer?.();
  // The rest of a body that nobody reads has nowhere to go: another request cannot follow it.
  if (isComing(request)) response.shouldKeepAlive = false;
  const { status, headers = {} } = answer;
  // The body may be one that many get: what goes around it is sent beside it.
  const { wrapping } = exchange;
  const pieces = wrapping
    ? [
        Buffer.from(wrapping.before),
        isJson(headers['Content-Type'] ?? JSON_TYPE)
          ? answer.body
          : Buffer.from(JSON.stringify(answer.body.toString())),
        Buffer.from(wrapping.after(status, headers, exchange.profile?.numbers)),
      ]
    : [answer.body];
  const list = ownHeaders(exchange, wrapping ? around(wrapping, headers) : headers, answer);
  if (answer.coding && !wrapping) return pack(exchange, status, list, answer.body, answer.coding);
  const length = pieces.reduce((sum, { length: bytes }) => sum + bytes, 0);
  // Of what is not sent again it would tell the wrong length.
  if (status !== 304 || wrapping) list.push('Content-Length', String(length));
  response.writeHead(wrapping?.envelope ? 200 : status, list);
  if (request.method === 'HEAD') response.end();
  else if (pieces.length === 1 && length <= SLICE_BYTES) response.end(answer.body);
  else pour(response, pieces);
}

/** All headers of an answer of the gateway's own but its length, as the flat list that `writeHead` takes. */
export function ownHeaders(
  exchange: Exchange,
  given?: Readonly<Record<string, string>>,
  { page = false, vary: more, cached }: Pick<Answer, 'page' | 'vary' | 'cached'> = {},
): string[] {
  const list: string[] = [];
  if (given?.['Content-Type'] === undefined) list.push('Content-Type', JSON_TYPE);
  for (const name in given) if (name !== 'Vary') list.push(name, given[name] as string);
  if (given && cached) list.push('X-Cache', cached);
  list.push(...cachingOf(exchange, given?.['Cache-Control']));
  list.push(...publicHeaders(exchange, page, given?.['Cache-Control']));
  const own = given?.Vary;
  const vary = varyOf(
    exchange,
    page,
    own === undefined || more === undefined ? (own ?? more) : `${own}, ${more}`,
  );
  if (vary !== '') list.push('Vary', vary);
  return list;
}

function pack(
  { request, response }: Exchange,
  status: number,
  list: string[],
  body: Buffer,
  coding: Coding,
): void {
  response.writeHead(status, [...list, 'Content-Encoding', coding]);
  if (request.method === 'HEAD') return void response.end();
  const packing = packer(coding, body.length);
  // A client that goes away ends the packing, and a fault in it the answer.
  pipeline(packing, response, () => undefined);
  packing.end(body);
}

const SLICE_BYTES = 256 * 1024;

/** In slices, because nobody can see how far a client has come within one write: slow ones would pass for stuck. */
function pour(response: ServerResponse, pieces: readonly Buffer[], piece = 0, from = 0): void {
  let at = from;
  for (let index = piece; index < pieces.length; index++, at = 0) {
    const body = pieces[index] as Buffer;
    while (at < body.length) {
      const flows = response.write(body.subarray(at, at + SLICE_BYTES));
      at += SLICE_BYTES;
      const next = at;
      if (!flows) return void response.once('drain', () => pour(response, pieces, index, next));
    }
  }
  response.end();
}

/** Anything thrown; what is not an error of the interface is logged and shown as a bare 500. */
export function sendError(exchange: Exchange, error: unknown, log: Log): void {
  const known: ApiError = toApiError(error);
  const where = { requestId: exchange.id, code: known.code, upstream: exchange.by };
  if (isOurs(known)) logFault(log, known, where);
  // Of what was not begun there is nothing to be told: least of all while so much is written that there is no room.
  if (known.data.done === false) exchange.beforeAnswer = undefined;
  const shown = exchange.showError?.(known) ?? jsonAnswer(known.body(), known.status, known.headers);
  send(exchange, exchange.profile?.answer(exchange, shown) ?? shown);
}
