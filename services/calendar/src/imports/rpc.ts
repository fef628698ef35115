/** The door for imported batches (ImportService). */
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import {
  ImportServiceService,
  type ImportServiceServer,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';
import type { Deps } from '../deps';
import { applyBatches } from './apply-batches';

export const importService = (deps: Deps): RpcService =>
  rpcService<ImportServiceServer>(ImportServiceService, {
    applyBatches: {
      callers: ['imports'],
      // Whose name the events are in was decided when the import was registered.
      permission: anyone,
      handle: async (request) => ({ batches: await applyBatches(deps, request) }),
    },
  });
