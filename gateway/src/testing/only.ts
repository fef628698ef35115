/** Remote services of which no more is there than the gateway asks. */
import type { ServiceDefinition as GrpcDefinition } from '@grpc/grpc-js';
import { ApiError } from '@sevenfold/chassis/errors';
import type { Implementation, RpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';

/** Of a remote service, the methods that the gateway calls. */
export function only<S>(definition: GrpcDefinition, handles: Partial<Handles<S>>): RpcService {
  const missing = (): Promise<never> => Promise.reject(notBuilt());
  const all = { ...Object.fromEntries(Object.keys(definition).map((name) => [name, missing])), ...handles };
  return {
    definition,
    methods: Object.fromEntries(
      Object.entries(all).map(([name, handle]) => [
        name,
        { callers: ['gateway'], permission: anyone, handle: handle as typeof missing },
      ]),
    ),
  };
}

type Handles<S> = {
  [K in keyof Implementation<S>]: Implementation<S>[K] extends { handle: infer H } ? H : never;
};

const notBuilt = (): ApiError => new ApiError('not_implemented', 501, 'Not here.');
