/**
 * A gRPC method as data, as a route is: which services may call it, what the actor must be allowed, and a plain async function of
 * a request and a small context. One without these does not compile; one that serves whoever its callers speak for says
 * `anyone`. Streams are async iterables.
 */
import type { ServiceDefinition, handleServerStreamingCall, handleUnaryCall } from '@grpc/grpc-js';
import type { Seen } from '../news/seen';
import type { Caller, RpcPermission } from './caller';

export interface RpcContext extends Caller {
  /** Aborts when the caller gives up. */
  readonly signal: AbortSignal;
  /** Aborts when the server is asked to stop: a stream without an end of its own ends then (`untilAny` of joined-signals.ts). */
  readonly stopping: AbortSignal;
  /**
   * Says what a single answer shows (http/shows.ts), for callers that keep what they make of it: tags of this service, what it was
   * told by others, until when it is good at most. What does not say is not kept.
   */
  readonly show: (tags: readonly string[], more?: { readonly seen?: Seen; readonly until?: number }) => void;
}

export interface RpcMethod<Q, Handle> {
  /** Names of the services that may call. Fewer is better: what nobody calls yet serves those it is meant for. */
  readonly callers: readonly [string, ...string[]];
  /** What the actor must be allowed, before anything is done; what hangs on a row is the handler's to decide. */
  readonly permission: RpcPermission<Q>;
  readonly handle: Handle;
}

/** What a service offers, from the server type that ts-proto generates. */
export type Implementation<S> = {
  [K in keyof S as string extends K ? never : K]: S[K] extends handleUnaryCall<infer Q, infer R>
    ? RpcMethod<Q, (request: Q, context: RpcContext) => Promise<R>>
    : S[K] extends handleServerStreamingCall<infer Q, infer R>
      ? RpcMethod<Q, (request: Q, context: RpcContext) => AsyncIterable<R>>
      : never;
};

export interface RpcService {
  readonly definition: ServiceDefinition;
  readonly methods: Readonly<
    Record<
      string,
      RpcMethod<never, (request: never, context: RpcContext) => Promise<unknown> | AsyncIterable<unknown>>
    >
  >;
}

/** Pairs a generated definition with its implementation, keeping the types of both. */
export function rpcService<S>(definition: ServiceDefinition, methods: Implementation<S>): RpcService {
  return { definition, methods: methods as RpcService['methods'] };
}
