/** The spam filter, asked over gRPC; one that has stopped answering is not waited for. */
import type { Dial, Remote } from '@sevenfold/chassis/grpc/dial';
import { followPulse } from '@sevenfold/chassis/grpc/pulse';
import type { Log } from '@sevenfold/chassis/log';
import {
  type SpamServiceServer,
  SpamServiceService,
} from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';

export type SpamFilter = Pick<Remote<SpamServiceServer>, 'check' | 'learn' | 'forget'> & {
  close(): Promise<void>;
};

export function openSpamFilter(dial: Dial, address: string, log: Log): SpamFilter {
  const where = { service: 'spamfilter', address };
  const pulse = followPulse({ dial, ...where, log });
  const remote = dial<SpamServiceServer>(SpamServiceService, { ...where, pulse });
  return {
    check: remote.check,
    learn: remote.learn,
    forget: remote.forget,
    close: async () => {
      await pulse.stop();
      remote.close();
    },
  };
}
