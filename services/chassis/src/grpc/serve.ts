/**
 * The gRPC listener of a process. Implementations are plain async functions of a request and a small context; they
 * take the same road as HTTP from the arguments on. Streams are async iterables.
 */
import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
  type handleServerStreamingCall,
  type handleUnaryCall,
} from '@grpc/grpc-js';
import { ACTOR_HEADER, type Actor, stranger, verifyActor } from '../actor';
import { ApiError, toApiError } from '../errors';
import type { Log } from '../log';
import { toStatus } from './errors';

export interface RpcContext {
  /** The user on whose behalf another service asks; a stranger when none was named. */
  readonly actor: Actor;
  readonly requestId: string;
  /** Aborts when the caller gives up. */
  readonly signal: AbortSignal;
  /** Aborts when the server is asked to stop: a stream without an end of its own ends then. */
  readonly stopping: AbortSignal;
}

/** What a service offers, from the server type that ts-proto generates. */
export type Implementation<S> = {
  [K in keyof S as string extends K ? never : K]: S[K] extends handleUnaryCall<infer Q, infer R>
    ? (request: Q, context: RpcContext) => Promise<R>
    : S[K] extends handleServerStreamingCall<infer Q, infer R>
      ? (request: Q, context: RpcContext) => AsyncIterable<R>
      : never;
};

export interface RpcService {
  readonly definition: ServiceDefinition;
  readonly implementation: Record<
    string,
    (request: never, context: RpcContext) => Promise<unknown> | AsyncIterable<unknown>
  >;
}

/** Pairs a generated definition with its implementation, keeping the types of both. */
export function rpcService<S>(definition: ServiceDefinition, implementation: Implementation<S>): RpcService {
  return { definition, implementation: implementation as RpcService['implementation'] };
}

export interface GrpcServerOptions {
  readonly host: string;
  readonly port: number;
  readonly services: readonly RpcService[];
  readonly actorSecret: string;
  readonly log: Log;
}

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
    // Clients look up addresses again when a connection ends: new replicas get their share within minutes.
    'grpc.max_connection_age_ms': 300_000,
    'grpc.max_connection_age_grace_ms': 10_000,
  });
  const stopping = new AbortController();
  for (const { definition, implementation } of options.services) {
    const handlers: UntypedServiceImplementation = {};
    for (const [name, method] of Object.entries(definition)) {
      const run = implementation[name];
      if (!run) throw new Error(`${method.path} is not implemented`);
      handlers[name] = method.responseStream
        ? streaming(run as StreamRun, method.path, options, stopping.signal)
        : unary(run as UnaryRun, method.path, options, stopping.signal);
    }
    server.addService(definition, handlers);
  }
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`${options.host}:${options.port}`, ServerCredentials.createInsecure(), (error, bound) =>
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

type UnaryRun = (request: unknown, context: RpcContext) => Promise<unknown>;
type StreamRun = (request: unknown, context: RpcContext) => AsyncIterable<unknown>;

function unary(
  run: UnaryRun,
  path: string,
  options: GrpcServerOptions,
  stopping: AbortSignal,
): handleUnaryCall<unknown, unknown> {
  return (call, callback) => {
    const controller = new AbortController();
    call.on('cancelled', () => controller.abort());
    void (async () => {
      try {
        callback(
          null,
          await run(call.request, contextOf(call.metadata, options.actorSecret, controller.signal, stopping)),
        );
      } catch (error) {
        callback(toStatus(logged(error, path, call.metadata, options.log, controller.signal)));
      }
    })();
  };
}

function streaming(
  run: StreamRun,
  path: string,
  options: GrpcServerOptions,
  stopping: AbortSignal,
): handleServerStreamingCall<unknown, unknown> {
  return (call) => {
    const controller = new AbortController();
    call.on('cancelled', () => controller.abort());
    void (async () => {
      try {
        for await (const message of run(
          call.request,
          contextOf(call.metadata, options.actorSecret, controller.signal, stopping),
        )) {
          if (controller.signal.aborted) return;
          if (!call.write(message)) {
            await new Promise<void>((resolve) => {
              const go = (): void => {
                call.off('drain', go);
                call.off('cancelled', go);
                resolve();
              };
              call.on('drain', go);
              call.on('cancelled', go);
            });
          }
        }
        call.end();
      } catch (error) {
        call.emit('error', toStatus(logged(error, path, call.metadata, options.log, controller.signal)));
      }
    })();
  };
}

function contextOf(
  metadata: Metadata,
  secret: string,
  signal: AbortSignal,
  stopping: AbortSignal,
): RpcContext {
  const header = metadata.get(ACTOR_HEADER)[0]?.toString();
  const actor = header === undefined ? stranger : verifyActor(header, secret);
  if (!actor)
    throw new ApiError('rest_invalid_actor', 401, 'The signature of the caller is wrong or too old.');
  return { actor, requestId: metadata.get('x-request-id')[0]?.toString() ?? '', signal, stopping };
}

function logged(error: unknown, path: string, metadata: Metadata, log: Log, signal: AbortSignal): ApiError {
  const known = toApiError(error);
  // A caller that gave up has cut its call short itself.
  if (known.status >= 500)
    log[signal.aborted ? 'debug' : 'error'](
      {
        err: known.cause ?? known,
        rpc: path,
        requestId: metadata.get('x-request-id')[0]?.toString(),
        code: known.code,
      },
      known.message,
    );
  return known;
}
