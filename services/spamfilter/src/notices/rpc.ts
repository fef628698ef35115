/** Notices for the console (NoticeService). */
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import {
  NoticeServiceService,
  type NoticeServiceServer,
} from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/notices';
import type { Deps } from '../deps';
import { refuseOthers } from '../policy';
import { noticesOf } from './notices';

export const noticesRpc = (deps: Deps): RpcService =>
  rpcService<NoticeServiceServer>(NoticeServiceService, {
    listNotices: {
      callers: ['gateway'],
      permission: refuseOthers,
      handle: async () => ({ notices: noticesOf(await deps.key(), deps.config) }),
    },
  });
