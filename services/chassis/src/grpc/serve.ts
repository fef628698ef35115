/**
 * The gRPC listener of a process. Each call takes the same way: who calls and for whom, whether the method (method.ts) lets
 * them, its answer or its fault; in the context of its request, timed, and told of in one line.
 */
import {
  Metadata,
  Server,
  type ServerWritableStream,
  type StatusObject,
  type UntypedServiceImplementation,
  type handleServerStreamingCall,
  type handleUnaryCall,
  status,
} from '@grpc/grpc-js';
import { type ApiError, isOurs, toApiError } from '../errors';
import { throwDenial } from '../http/allow';
import type { Log } from '../log';
import { logFault } from '../outages';
import { WANTS_TAGS_HEADER } from '../http/shows';
import { AFTER_HEADER, type Wait } from '../news/after';
import { NO_NEWS, type Told, besides, openSeen, toHeaders } from '../news/seen';
import { WANTS_WROTE_HEADER, WROTE_HEADER, type Wrote, openWrote } from '../news/wrote';
import { hostOf } from '../ports';
import { type Asker, forRequest, requestId } from '../request-id';
import { type GrpcTls, serverCredentials } from '../tls';
import type { Span } from '../tracing/spans';
import { arrive, isTracing } from '../tracing/tracing';
import type { Caller } from './caller';
import { callerOf, doorOf } from './door';
import { toStatus } from './errors';
import { serverCall } from './metrics';
import { TRACEPARENT, callSpan, isFault, noteEnd } from './spans';
import { type Waiting, waitingFor } from './waiting';
import type { RpcContext, RpcMethod, RpcService } from './method';

export interface GrpcServerOptions {
  readonly host: string;
  readonly port: number;
  readonly services: readonly RpcService[];
  readonly actorSecret: string;
  /** Absent: no TLS. */
  readonly tls?: GrpcTls;
  /** What was heard of the news; empty where that is not known, absent where there are none. */
  readonly heard?: () => string;
  /** Waits until what was written before is heard (news/after.ts). */
  readonly after?: Wait;
  readonly log: Log;
  /** After this long a connection takes no new calls, and its client makes another one. */
  readonly connectionAgeMs?: number;
}

/** Clients look up addresses again when a connection ends: new replicas get their share within minutes. */
const CONNECTION_AGE_MS = 300_000;
/**
 * What runs on it then goes on, as nobody can tell what became of a write that was cut: as long as the longest call may take, the file
 * of all submissions. A stop does not wait for it.
 */
const CONNECTION_GRACE_MS = 3_600_000;

export interface GrpcServer {
  readonly port: number;
  stop(graceMs: number): Promise<void>;
}

/** Largest message either side takes: an import batch is up to 10 MiB of JSON. */
export const MOST_MESSAGE_BYTES = 16 * 1024 * 1024;

export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const server = new Server({
    'grpc.max_receive_message_length': MOST_MESSAGE_BYTES,
    'grpc.max_send_message_length': MOST_MESSAGE_BYTES,
    'grpc.max_connection_age_ms': options.connectionAgeMs ?? CONNECTION_AGE_MS,
    'grpc.max_connection_age_grace_ms': CONNECTION_GRACE_MS,
    interceptors: [
      doorOf(
        options.services,
        options.actorSecret,
        ({ metadata, path, error, end }) =>
          void attend({ metadata, on: () => undefined }, path, options, () => Promise.reject(error), end),
      ),
    ],
  });
  const stopping = new AbortController();
  for (const { definition, methods } of options.services) {
    const handlers: UntypedServiceImplementation = {};
    for (const [name, { path, responseStream }] of Object.entries(definition)) {
      const method = methods[name];
      if (!method) throw new Error(`${path} is not implemented`);
      handlers[name] = responseStream
        ? streaming(method as Streaming, path, options, stopping.signal)
        : unary(method as Unary, path, options, stopping.signal);
    }
    server.addService(definition, handlers);
  }
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(
      `${hostOf(options.host)}:${options.port}`,
      serverCredentials(options.tls),
      (error, bound) =>
        error
          ? reject(
              new Error(`gRPC cannot listen on ${options.host}:${options.port}: ${error.message}`, {
                cause: error,
              }),
            )
          : resolve(bound),
    ),
  );
  return {
    port,
    stop: (graceMs) =>
      new Promise((resolve) => {
        stopping.abort();
        const timer = setTimeout(() => {
          server.forceShutdown();
          resolve();
        }, graceMs);
        server.tryShutdown(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}

type Unary = RpcMethod<unknown, (request: unknown, context: RpcContext) => Promise<unknown>>;
type Streaming = RpcMethod<unknown, (request: unknown, context: RpcContext) => AsyncIterable<unknown>>;

/** One call on its way: in the context of the request it is made for, timed, and told of in one line at its end. */
async function attend(
  call: { readonly metadata: Metadata; on(event: 'cancelled', heard: () => void): unknown },
  path: string,
  { log }: GrpcServerOptions,
  answer: (asker: Waiting) => Promise<void>,
  refuse: (fault: StatusObject) => void,
  wrote?: Wrote,
): Promise<void> {
  const asker = waitingFor(call);
  const run = async (span?: Span): Promise<void> => {
    const ended = serverCall(path);
    let code = status.OK;
    try {
      await answer(asker);
    } catch (error) {
      const fault = toStatus(logged(error, path, log, asker.isGone()));
      code = fault.code;
      if (isFault(code)) span?.fail(error as Error);
      asker.answered();
      refuse(fault);
    }
    if (asker.isGone()) code = status.CANCELLED;
    noteEnd(span, code);
    const seconds = ended(code);
    // What nobody asked for, such as beats, would fill the log.
    const level = requestId() === '' ? 'debug' : 'info';
    log[level]({ rpc: path, code: status[code], ms: Math.round(seconds * 1e6) / 1e3 }, 'call');
  };
  const from = isTracing() ? textOf(call.metadata, TRACEPARENT) : '';
  // What is part of no trace, such as beats, begins none.
  await forRequest(
    textOf(call.metadata, REQUEST_ID),
    () => (from === '' ? run() : arrive(callSpan('server', path), from, run)),
    { after: textOf(call.metadata, AFTER_HEADER), wrote, asker },
  );
}

function unary(
  method: Unary,
  path: string,
  options: GrpcServerOptions,
  stopping: AbortSignal,
): handleUnaryCall<unknown, unknown> {
  return (call, callback) => {
    const wrote = call.metadata.get(WANTS_WROTE_HEADER).length > 0 ? openWrote() : undefined;
    void attend(
      call,
      path,
      options,
      async (asker) => {
        const caller = admit(method, call.request, call.metadata);
        const behind = options.after?.(textOf(call.metadata, AFTER_HEADER));
        if (behind) await behind;
        const shown = shownOf(call.metadata, options.heard);
        const answer = await method.handle(call.request, contextOf(caller, asker, stopping, shown.show));
        asker.answered();
        callback(null, answer, trailerOf(shown.told(), wrote?.told()));
      },
      callback,
      wrote,
    );
  };
}

function trailerOf(shown: Told | undefined, wrote: string | undefined): Metadata | undefined {
  if (!shown && wrote === undefined) return undefined;
  return Metadata.fromHttp2Headers({
    ...(shown && toHeaders(shown)),
    ...(wrote !== undefined && { [WROTE_HEADER]: wrote }),
  });
}

function streaming(
  method: Streaming,
  path: string,
  options: GrpcServerOptions,
  stopping: AbortSignal,
): handleServerStreamingCall<unknown, unknown> {
  return (call) =>
    void attend(
      call,
      path,
      options,
      async (asker) => {
        const caller = admit(method, call.request, call.metadata);
        for await (const message of method.handle(
          call.request,
          contextOf(caller, asker, stopping, () => undefined),
        )) {
          if (asker.isGone()) return;
          if (!call.write(message)) await drained(call);
        }
        asker.answered();
        call.end();
      },
      (fault) => void call.emit('error', fault),
    );
}

const drained = (call: ServerWritableStream<unknown, unknown>): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      call.off('drain', go);
      call.off('cancelled', go);
      resolve();
    };
    call.on('drain', go);
    call.on('cancelled', go);
  });

/** Throws what keeps the actor from it. */
function admit(method: RpcMethod<unknown, unknown>, request: unknown, metadata: Metadata): Caller {
  const caller = callerOf(metadata);
  throwDenial(method.permission({ ...caller, request }), caller.actor);
  return caller;
}

const contextOf = (
  caller: Caller,
  asker: Asker,
  stopping: AbortSignal,
  show: RpcContext['show'],
): RpcContext => ({
  ...caller,
  get signal() {
    return asker.signal();
  },
  stopping,
  show,
});

/** More would not fit beside an answer. */
const MOST_TAG_BYTES = 6_000;

/** For those who ask for it: what the answer shows, with what had been heard when the call came in. */
function shownOf(
  metadata: Metadata,
  heard: (() => string) | undefined,
): { readonly show: RpcContext['show']; readonly told: () => Told | undefined } {
  if (metadata.get(WANTS_TAGS_HEADER).length === 0) return { show: () => undefined, told: () => undefined };
  const own = heard ? heard() : NO_NEWS;
  const seen = openSeen();
  const tags = new Set<string>();
  let isSaid = false;
  let ends = Infinity;
  return {
    show: (more, { seen: others, until = Infinity } = {}) => {
      isSaid = true;
      ends = Math.min(ends, until);
      for (const tag of more) tags.add(tag);
      if (others) seen.add(others);
    },
    told: () => {
      const told = isSaid && heard?.() !== '' ? besides(own, { tags, ends }, seen) : undefined;
      return told && told.tags.length <= MOST_TAG_BYTES ? told : undefined;
    },
  };
}

/** Metadata by which calls carry the id of the request that they are made for. */
export const REQUEST_ID = 'x-request-id';

const textOf = (metadata: Metadata, name: string): string => metadata.get(name)[0]?.toString() ?? '';

function logged(error: unknown, path: string, log: Log, isGone: boolean): ApiError {
  const known = toApiError(error);
  if (isOurs(known)) {
    const fields = { rpc: path, code: known.code };
    // A caller that gave up has cut its call short itself.
    if (isGone) log.debug({ ...fields, err: known.cause ?? known }, known.message);
    else logFault(log, known, fields);
  }
  return known;
}
