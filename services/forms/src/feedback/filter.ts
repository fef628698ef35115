/** The spam filter, asked over gRPC; one that has stopped answering is not waited for. */
import type { Dial } from '@sevenfold/chassis/grpc/dial';
import { type Followed, dialFollowed } from '@sevenfold/chassis/grpc/pulse';
import type { Log } from '@sevenfold/chassis/log';
import {
  type SpamServiceServer,
  SpamServiceService,
} from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';

export type SpamFilter = Followed<SpamServiceServer>;

export const openSpamFilter = (dial: Dial, address: string, log: Log): SpamFilter =>
  dialFollowed<SpamServiceServer>(SpamServiceService, { dial, service: 'spamfilter', address, log });
