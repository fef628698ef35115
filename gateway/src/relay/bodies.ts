/**
 * What bodies may come in: their size, known beforehand or not, and their kind. Everything else about them is the
 * services' business.
 */
import { type ApiError, nothingDone, payloadTooLarge } from '@sevenfold/chassis/errors';
import { READABLE } from '@sevenfold/chassis/http/body';
import { countChunks, isChunked, tooManyChunks } from '@sevenfold/chassis/http/chunks';
import { WRITE } from '@sevenfold/chassis/http/route';
import type { Log } from '@sevenfold/chassis/log';
import { sendError } from '../edge/answer';
import type { Config } from '../config';
import { errors } from '../edge/errors';
import type { Exchange } from '../edge/exchange';

/** Which way a request goes; `path` is below `/rest/`. */
export function kindOf(method: string, path: string, type: string | undefined): 'writes' | 'uploads' {
  if (WRITES.has(method) && MEDIA_ITEM.test(path) && !READABLE.test(typeOf(type))) return 'uploads';
  if (method !== 'POST') return 'writes';
  const withFiles = FEEDBACK.test(path) && type?.toLowerCase().startsWith('multipart/');
  return withFiles || MEDIA.test(path) ? 'uploads' : 'writes';
}

interface Rule {
  /** Of the path below `/rest/`. */
  readonly matches: (method: string, path: string) => boolean;
  readonly limit: number;
  /** Where it is not `limit`, as of a file in a form. */
  readonly told?: number;
  readonly anyType: boolean;
}

// Beside the file, an upload in parts has fields and separators.
const MULTIPART_SLACK = 1024 * 1024;
const IMPORT_LIMIT = 10 * 1024 * 1024;

// Below a namespace paths know no upper case.
const FEEDBACK = /^contact-form\/v1\/contact-forms\/\d+\/feedback\/*$/i;
const MEDIA = /^core\/v2\/media\/*$/i;
const WRITES: ReadonlySet<string> = new Set(WRITE);

/** What visitors send with a form; `path` is below `/rest/`. */
export const isFeedback = (method: string, path: string): boolean => method === 'POST' && FEEDBACK.test(path);
/** Some clients send the file once more when they name it; what is no JSON and no form says nothing there. */
const MEDIA_ITEM = /^core\/v2\/media\/\d+\/*$/i;

const rules = (config: Config): readonly Rule[] => [
  {
    matches: (method, path) =>
      (method === 'POST' && MEDIA.test(path)) || (WRITES.has(method) && MEDIA_ITEM.test(path)),
    limit: config.UPLOAD_LIMIT_BYTES + MULTIPART_SLACK,
    told: config.UPLOAD_LIMIT_BYTES,
    anyType: true,
  },
  {
    matches: (_method, path) => path.startsWith('calendar/event-aggregator/v1/'),
    limit: IMPORT_LIMIT,
    anyType: false,
  },
  {
    matches: isFeedback,
    limit: config.FORM_LIMIT_BYTES,
    anyType: false,
  },
  { matches: () => true, limit: config.BODY_LIMIT_BYTES, anyType: false },
];

/** Without its parameters; names of types know no case. */
export const typeOf = (header = ''): string => header.split(';', 1)[0]?.trim().toLowerCase() ?? '';

export function bodyGuard(
  config: Config,
  clock: (exchange: Exchange, isLarge: boolean) => void,
  log: Log,
): (exchange: Exchange, path: string) => void {
  const table = rules(config);
  /** Throws when the body may not come in; `path` is below `/rest/`. */
  return (exchange, path) => {
    const { request, method } = exchange;
    const { limit, told = limit, anyType } = table.find((rule) => rule.matches(method, path)) as Rule;
    if (Number(request.headers['content-length'] ?? 0) > limit) throw payloadTooLarge(told);
    const type = typeOf(request.headers['content-type']);
    if (!anyType && !READABLE.test(type)) throw errors.unsupportedMediaType(type);
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding.trim().toLowerCase() !== 'identity') throw errors.unsupportedEncoding(encoding);
    exchange.isReadFirst = READABLE.test(type) || MEDIA.test(path);
    clock(exchange, limit > config.BODY_LIMIT_BYTES);
    if (!isChunked(request)) return;
    // Not everybody on the way agrees where such a body ends; its rest would be a request of its own.
    if (method === 'DELETE' || method === 'OPTIONS') throw errors.lengthRequired();
    watch(exchange, { limit, told }, log);
  };
}

/** A fault of a body that has not come whole: whoever reads all of it first has not begun. */
export const faultOfBody = ({ isReadFirst, request }: Exchange, fault: ApiError): ApiError =>
  isReadFirst && !request.complete ? nothingDone(fault) : fault;

/** Bodies of unknown length are counted while they pass. */
function watch(exchange: Exchange, { limit, told }: Required<Pick<Rule, 'limit' | 'told'>>, log: Log): void {
  const { request } = exchange;
  const areTooMany = countChunks(request);
  let size = 0;
  let over = false;
  request.on('data', (chunk: Buffer) => {
    if (over) return;
    size += chunk.length;
    const isTooMuch = areTooMany(chunk.length);
    if (size <= limit && !isTooMuch) return;
    over = true;
    const { abort, response } = exchange;
    // An answer that has begun already is one to what had come of it.
    if (response.headersSent) return void response.destroy();
    sendError(exchange, faultOfBody(exchange, isTooMuch ? tooManyChunks() : payloadTooLarge(told)), log);
    abort?.();
    // The rest has nowhere to go; its connection ends with the answer.
    request.unpipe();
    request.pause();
  });
  // Nothing may pass before it is known where it goes.
  request.pause();
}
