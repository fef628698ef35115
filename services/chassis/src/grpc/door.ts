/**
 * The door of a gRPC listener. Who calls stands in the head of a call, and is looked at before anything of its message is taken:
 * whoever may not come in fills no memory with messages that never end.
 */
import {
  type Metadata,
  type ServerInterceptor,
  ServerInterceptingCall,
  type StatusObject,
} from '@grpc/grpc-js';
import type { ApiError } from '../errors';
import { type Caller, notServed, unsigned, verifyCall } from './caller';
import type { RpcService } from './method';

export interface Refused {
  readonly metadata: Metadata;
  /** `/package.Service/Method` */
  readonly path: string;
  /** 401 for a call without a right signature, 403 for one of a service that is not served. */
  readonly error: ApiError;
  /** Ends the call. */
  readonly end: (fault: StatusObject) => void;
}

/** Of the calls that were let in, by their heads. */
const callers = new WeakMap<Metadata, Caller>();

export const callerOf = (metadata: Metadata): Caller => callers.get(metadata) as Caller;

export function doorOf(
  services: readonly RpcService[],
  secret: string,
  refuse: (call: Refused) => void,
): ServerInterceptor {
  const served = new Map(services.flatMap(callersOf));
  const enter = (metadata: Metadata, path: string): ApiError | undefined => {
    const caller = verifyCall(metadata, path, secret);
    if (!caller) return unsigned(path);
    if (!served.get(path)?.includes(caller.caller)) return notServed(path, caller.caller);
    callers.set(metadata, caller);
    return undefined;
  };
  return ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (listen) =>
        listen({
          onReceiveMetadata: (metadata, goOn) => {
            const error = enter(metadata, path);
            if (error) refuse({ metadata, path, error, end: (fault) => call.sendStatus(fault) });
            else goOn(metadata);
          },
        }),
    });
}

const callersOf = ({ definition, methods }: RpcService): [string, readonly string[]][] =>
  Object.entries(definition).map(([name, { path }]) => [path, methods[name]?.callers ?? []]);
