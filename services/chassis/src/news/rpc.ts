/** The news over gRPC, for the gateway's cache. */
import { type NewsServiceServer, NewsServiceService } from '@sevenfold/proto/gen/sevenfold/chassis/v1/news';
import { invalidParam } from '../errors';
import { type RpcService, rpcService } from '../grpc/method';
import { anyone } from '../http/route';
import { untilAny } from '../joined-signals';
import type { NewsDesk } from './desk';

const NAME = /^[\w-]{1,64}$/;

export const newsService = (desk: NewsDesk): RpcService =>
  rpcService<NewsServiceServer>(NewsServiceService, {
    follow: {
      callers: ['calendar', 'gateway'],
      permission: anyone,
      handle: (_, { signal, stopping }) => untilAny([signal, stopping], (over) => desk.follow(over)),
    },
    mark: {
      callers: ['gateway'],
      permission: anyone,
      handle: async ({ name }) => {
        if (!NAME.test(name))
          throw invalidParam('name', 'A mark has letters, digits and hyphens, 64 at most.');
        await desk.mark(name);
        return {};
      },
    },
    latest: {
      callers: ['calendar'],
      permission: anyone,
      handle: async () => ({ id: await desk.latest() }),
    },
  });
