/**
 * A door to a real spam filter, over real gRPC: it notes what is asked, passes it on and answers what it is told, unless
 * a test wants another answer. Closed, connections are refused; frozen, they are accepted and nothing comes back.
 */
import { dialer } from '@sevenfold/chassis/grpc/dial';
import { pulseService } from '@sevenfold/chassis/grpc/pulse';
import { type GrpcServer, startGrpcServer } from '@sevenfold/chassis/grpc/serve';
import { rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import { createLog } from '@sevenfold/chassis/log';
import { startFreezable } from '@sevenfold/chassis/testing/freezable';
import { freePort } from '@sevenfold/chassis/ports';
import { PATIENCE_MS, TEST_ACTOR_SECRET } from '@sevenfold/chassis/testing/service';
import {
  type CheckRequest,
  type CheckResponse,
  type LearnRequest,
  type SpamServiceServer,
  SpamServiceService,
} from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';

export interface FilterDoor {
  /** For SPAMFILTER_GRPC. */
  readonly address: string;
  /** What came, in order, each time that it came. */
  readonly checks: CheckRequest[];
  readonly lessons: LearnRequest[];
  /** Replaced by tests that want another one. */
  answer: (request: CheckRequest) => Promise<CheckResponse>;
  open(): Promise<void>;
  close(): Promise<void>;
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** `behind` is the gRPC port of the filter. */
export async function startFilterDoor(behind: number): Promise<FilterDoor> {
  const port = await freePort();
  const before = await startFreezable(port);
  const dial = dialer({ caller: 'content', actorSecret: TEST_ACTOR_SECRET, deadlineMs: PATIENCE_MS });
  const filter = dial<SpamServiceServer>(SpamServiceService, {
    service: 'spamfilter',
    address: `127.0.0.1:${behind}`,
  });
  let server: GrpcServer | undefined;
  const door: FilterDoor = {
    address: `127.0.0.1:${before.port}`,
    checks: [],
    lessons: [],
    answer: (request) => filter.check(request),
    open: async () => {
      server = await startGrpcServer({
        host: '127.0.0.1',
        port,
        actorSecret: TEST_ACTOR_SECRET,
        log: createLog('door', 'test', 'silent'),
        services: [
          pulseService(),
          rpcService<SpamServiceServer>(SpamServiceService, { check, learn, forget }),
        ],
      });
    },
    close: async () => {
      await server?.stop(0);
      server = undefined;
    },
    freeze: () => before.freeze(),
    thaw: () => before.thaw(),
    stop: async () => {
      before.thaw();
      await door.close();
      await before.stop();
      filter.close();
    },
  };
  const forget = {
    callers: ['content'] as const,
    permission: anyone,
    handle: () => Promise.resolve({}),
  };
  const check = {
    callers: ['content'] as const,
    permission: anyone,
    handle: (request: CheckRequest) => {
      door.checks.push(request);
      return door.answer(request);
    },
  };
  const learn = {
    callers: ['content'] as const,
    permission: anyone,
    handle: (request: LearnRequest) => {
      door.lessons.push(request);
      return filter.learn(request);
    },
  };
  await door.open();
  return door;
}
