/** One request and its answer: what is known about it, its line in the log, its place in the metrics. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { noteAnswer, requestSpan } from '@sevenfold/chassis/http/spans';
import { type Log, pathToLog } from '@sevenfold/chassis/log';
import { isRequestId } from '@sevenfold/chassis/request-id';
import { type Span, readTraceparent } from '@sevenfold/chassis/tracing/spans';
import { isTracing, startSpan } from '@sevenfold/chassis/tracing/tracing';
import { copyOf } from '@sevenfold/text/text';
import { Histogram } from 'prom-client';
import type { ApiError } from '@sevenfold/chassis/errors';
import type { Coding } from './codings';
import type { Caller } from '../identity/caller';
import type { Profile } from '../profiles/spoken';
import type { SlowReaders } from '../relay/slow-readers';
import type { Wrapping } from './wrapping';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Nobody else gets the same bytes. */
  readonly own?: boolean;
  /** For people and search engines, as files are, not for scripts of other sites. */
  readonly page?: boolean;
  /** What else of a request decides how it is answered. */
  readonly vary?: string;
  /** The body is compressed in this way while it is sent. */
  readonly coding?: Coding;
  /** What the cache had to do with it, told by a header beside those above: these are the same for all who get them. */
  readonly cached?: 'hit' | 'shared' | 'miss';
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  /** As the services see it, after an override. */
  method: string;
  /** As it came. */
  readonly sentMethod: string;
  /** In our words, whatever the client's are. */
  path: string;
  /** Without the question mark; in our words. */
  query: string;
  /** When its head was here, as `performance.now()` tells it. */
  readonly since: number;
  /** Address of the client. */
  readonly address: string;
  /** The same, for the services. */
  readonly signedAddress: string;
  /** The page behind it is one that is trusted with the credentials that browsers remember. */
  readonly originListed: boolean;
  /** Who answered: a service, or the gateway itself. */
  by: string;
  caller?: Caller;
  /** In whose words the client speaks, where not in ours. */
  profile?: Profile;
  /** What its answer tells of limits, as headers. */
  limits?: readonly string[];
  /** What the client wants around the body. */
  wrapping?: Wrapping;
  /** Ends the request to the service; set while one runs. */
  abort?: () => void;
  /** Answers with a fault a request that is on its way to a service, and goes no further; set while one is. */
  cut?: (fault: ApiError) => void;
  /** Nothing is done with it before its body has come whole. */
  isReadFirst?: boolean;
  /** Called once, before anything of the answer is sent; with the headers of the service, if it is one's answer. */
  beforeAnswer?: (given?: IncomingHttpHeaders) => void;
  /** How an error is shown where that is not the body of the interface; undefined where it is after all. */
  showError?: (error: ApiError) => Answer | undefined;
  /** How long it may take as a whole, where that is longer than others may. */
  longestMs?: number;
  /** The pattern of what answers; one of few, whatever the client asks for. */
  route?: string;
  /** What the cache had to do with the answer. */
  kept?: 'hit' | 'shared' | 'miss' | 'bypass';
  /** Where it is traced. */
  readonly span?: Span;
  /** The trace that the client names, where it is trusted with that; else empty. */
  readonly traceparent: string;
}

export interface ExchangeOptions {
  readonly log: Log;
  readonly trustProxy: boolean;
  readonly signAddress: (address: string) => string;
  /** Those of CORS_ORIGINS, in lower case. */
  readonly origins: ReadonlySet<string>;
  readonly slowReaders: SlowReaders;
  readonly trustTraceparent: boolean;
}

const seconds = new Histogram({
  name: 'gateway_request_duration_seconds',
  help: 'Time from the head of a request to the end of its answer, as the gateway saw it',
  labelNames: ['method', 'upstream', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
});

const routeSeconds = new Histogram({
  name: 'gateway_route_duration_seconds',
  help: 'The same by the route that answered, the class of its status and what the cache had to do with it',
  labelNames: ['service', 'route', 'method', 'status', 'cache'],
  buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
});

function noteRoute({ by, route, kept }: Exchange, method: string, status: number, took: number): void {
  const [service, classOf, cache] = [by, Math.floor(status / 100), kept ?? 'none'];
  routeSeconds.observe({ service, route: route ?? 'none', method, status: `${classOf}xx`, cache }, took);
}

/** With nobody's word for it, what a client says of traces is only something to be found by. */
function traceOf(
  { headers, method = 'GET' }: IncomingMessage,
  isTrusted: boolean,
): Pick<Exchange, 'span' | 'traceparent'> {
  const given = headers.traceparent?.toString() ?? '';
  const sound = given !== '' && readTraceparent(given) !== undefined ? given : '';
  const traceparent = isTrusted ? sound : '';
  if (!isTracing()) return { traceparent };
  const row = requestSpan({ method });
  const span = startSpan(row, traceparent || undefined, isTrusted ? undefined : sound || undefined);
  return { traceparent, span };
}

export const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  options: ExchangeOptions,
): Exchange {
  const since = performance.now();
  const target = request.url ?? '/';
  const mark = target.indexOf('?');
  const address = clientAddress(request, options.trustProxy);
  const { span, traceparent } = traceOf(request, options.trustTraceparent);
  // All of it at once, in one order: whoever reads one of many kinds of objects looks it up each time.
  const exchange: Exchange = {
    request,
    response,
    since,
    id: requestId(request.headers['x-request-id']),
    method: request.method ?? 'GET',
    sentMethod: request.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    address,
    signedAddress: options.signAddress(address),
    originListed: isListed(request.headers.origin, options.origins),
    by: 'gateway',
    caller: undefined,
    profile: undefined,
    limits: undefined,
    wrapping: undefined,
    abort: undefined,
    cut: undefined,
    isReadFirst: undefined,
    beforeAnswer: undefined,
    showError: undefined,
    longestMs: undefined,
    route: undefined,
    kept: undefined,
    span,
    traceparent,
  };
  options.slowReaders.watch(exchange);
  response.on('close', () => {
    options.slowReaders.forget(exchange);
    const whole = response.writableFinished;
    if (!whole) exchange.abort?.();
    const took = (performance.now() - since) / 1e3;
    // A status of 499 is what a client that went away gets in logs elsewhere too.
    const status = whole || response.headersSent ? response.statusCode : 499;
    const method = METHODS.has(exchange.method) ? exchange.method : 'other';
    seconds.observe({ method, upstream: exchange.by, status: String(status) }, took);
    noteRoute(exchange, method, status, took);
    if (exchange.span) noteAnswer(exchange.span, request, exchange.route ?? exchange.by, status);
    if (exchange.kept) exchange.span?.set({ 'sevenfold.cache': exchange.kept });
    exchange.span?.end();
    if (!options.log.isLevelEnabled('info')) return;
    options.log.info(
      {
        ...(exchange.span && { trace_id: exchange.span.traceId, span_id: exchange.span.spanId }),
        requestId: exchange.id,
        method: exchange.method,
        path: pathToLog(exchange.path),
        status,
        ms: Math.round(took * 1e6) / 1e3,
        upstream: exchange.by,
        ...(exchange.profile && { profile: exchange.profile.name }),
        ...(whole ? {} : { cut: true }),
      },
      'request',
    );
  });
  return exchange;
}

const isListed = (origin: string | undefined, origins: ReadonlySet<string>): boolean =>
  origin !== undefined && origins.has(origin.toLowerCase());

/** A client's own id is kept when it is harmless in logs and headers. */
const requestId = (given: string | string[] | undefined): string =>
  isRequestId(given) ? given : randomUUID();

/** With a zone, an address is no longer. */
const LONGEST_ADDRESS = 64;

/** As some proxies write it, with the port that it came from. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d{1,3}(?:\.\d{1,3}){3}):\d+)$/;
const withoutPort = (address: string): string => {
  const [, six, four] = WITH_PORT.exec(address) ?? [];
  return six ?? four ?? address;
};

/** Proxies add to what the client sent: only the last address is the proxy's own word, all before it are the client's. */
function clientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined;
  const last = forwarded?.toString().split(',').at(-1)?.trim().slice(0, LONGEST_ADDRESS);
  // It is remembered (limits/sources.ts), and must not keep in memory what the client wrote before it.
  return last ? copyOf(withoutPort(last)) : (request.socket.remoteAddress ?? '');
}

/** Whether this asks for something to be read, and for nothing else. */
export const isReading = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD';
