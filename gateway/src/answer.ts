/** Answers of the gateway itself. Each goes through here, so that each has the same headers and the same error body. */
import type { ServerResponse } from 'node:http';
import { type ApiError, toApiError } from '@sevenfold/chassis/errors';
import type { Log } from '@sevenfold/chassis/log';
import { logFault } from '@sevenfold/chassis/outages';
import { publicHeaders, varyOf } from './cors';
import { envelopeOf } from './envelope';
import type { Exchange } from './exchange';
import { PRIVATE } from './headers';

export const JSON_TYPE = 'application/json; charset=UTF-8';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

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
  const { status, headers, body } = exchange.envelope
    ? jsonAnswer(envelopeOf(answer.status, answer.headers ?? {}, answer.body.toString()))
    : answer;
  const list = ['Content-Type', JSON_TYPE, 'Content-Length', String(body.length)];
  for (const name in headers) list.push(name, headers[name] as string);
  if (exchange.caller && headers?.['Cache-Control'] === undefined) list.push(...PRIVATE);
  list.push(...publicHeaders(exchange, false));
  const vary = varyOf(exchange, false);
  if (vary !== '') list.push('Vary', vary);
  response.writeHead(status, list);
  if (request.method === 'HEAD') response.end();
  else if (body.length <= SLICE_BYTES) response.end(body);
  else pour(response, body);
}

const SLICE_BYTES = 256 * 1024;

/** In slices, because nobody can see how far a client has come within one write: slow ones would pass for stuck. */
function pour(response: ServerResponse, body: Buffer, from = 0): void {
  let at = from;
  while (at < body.length) {
    const flows = response.write(body.subarray(at, at + SLICE_BYTES));
    at += SLICE_BYTES;
    if (!flows) return void response.once('drain', () => pour(response, body, at));
  }
  response.end();
}

/** Anything thrown; what is not an error of the interface is logged and shown as a bare 500. */
export function sendError(exchange: Exchange, error: unknown, log: Log): void {
  const known: ApiError = toApiError(error);
  const where = { requestId: exchange.id, code: known.code, upstream: exchange.by };
  if (known.status >= 500) logFault(log, known, where);
  send(exchange, jsonAnswer(known.body(), known.status, known.headers));
}
