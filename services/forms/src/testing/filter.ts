/** A spam filter that answers as a test says, over real gRPC. Messages that contain `buy` are spam, `BUY NOW` blatant. */
import { pulseService } from '@sevenfold/chassis/grpc/pulse';
import { type GrpcServer, startGrpcServer } from '@sevenfold/chassis/grpc/serve';
import { rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import { createLog } from '@sevenfold/chassis/log';
import { freePort } from '@sevenfold/chassis/ports';
import { TEST_ACTOR_SECRET } from '@sevenfold/chassis/testing/service';
import {
  type CheckRequest,
  type CheckResponse,
  type LearnRequest,
  type SpamServiceServer,
  SpamServiceService,
  Verdict,
} from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';

export interface FakeFilter {
  readonly address: string;
  /** What came, in order. */
  readonly checks: CheckRequest[];
  readonly lessons: LearnRequest[];
  /** Keys, as they came. */
  readonly forgotten: string[];
  /** Replaced by tests that want something else. */
  answer: (request: CheckRequest) => Promise<CheckResponse>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const verdictOf = (content: string): Verdict => {
  if (content.includes('BUY NOW')) return Verdict.VERDICT_BLATANT;
  return content.includes('buy') ? Verdict.VERDICT_SPAM : Verdict.VERDICT_HAM;
};

export const usual = ({ message }: CheckRequest): Promise<CheckResponse> => {
  const verdict = verdictOf(message?.content ?? '');
  const isHam = verdict === Verdict.VERDICT_HAM;
  return Promise.resolve({
    verdict,
    score: isHam ? 0.1 : 0.9,
    evidence: [{ name: 'words', weight: isHam ? -2 : 2, detail: 'buy' }],
    refuse: verdict === Verdict.VERDICT_BLATANT,
    keepDays: 15,
  });
};

export async function startFilter(): Promise<FakeFilter> {
  const port = await freePort();
  let server: GrpcServer | undefined;
  const filter: FakeFilter = {
    address: `127.0.0.1:${port}`,
    checks: [],
    lessons: [],
    forgotten: [],
    answer: usual,
    start: async () => {
      server = await startGrpcServer({
        host: '127.0.0.1',
        port,
        actorSecret: TEST_ACTOR_SECRET,
        log: createLog('spamfilter', 'test', 'silent'),
        services: [
          pulseService(),
          rpcService<SpamServiceServer>(SpamServiceService, {
            check: {
              callers: ['forms'],
              permission: anyone,
              handle: (request) => {
                filter.checks.push(request);
                return filter.answer(request);
              },
            },
            learn: {
              callers: ['forms'],
              permission: anyone,
              handle: (request) => {
                filter.lessons.push(request);
                return Promise.resolve({});
              },
            },
            forget: {
              callers: ['forms'],
              permission: anyone,
              handle: ({ keys }) => {
                filter.forgotten.push(...keys);
                return Promise.resolve({});
              },
            },
          }),
        ],
      });
    },
    stop: async () => {
      await server?.stop(0);
      server = undefined;
    },
  };
  await filter.start();
  return filter;
}
