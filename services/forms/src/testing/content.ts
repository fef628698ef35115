/** A content service that tells the settings of its site, over real gRPC. */
import { type GrpcServer, startGrpcServer } from '@sevenfold/chassis/grpc/serve';
import { rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import { createLog } from '@sevenfold/chassis/log';
import { freePort } from '@sevenfold/chassis/ports';
import { TEST_ACTOR_SECRET, TEST_SITE_URL } from '@sevenfold/chassis/testing/service';
import {
  type Settings,
  type SettingsServiceServer,
  SettingsServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/settings';

const SETTINGS: Settings = {
  title: 'The site',
  description: 'A site',
  url: TEST_SITE_URL,
  email: 'boss@site.test',
  timezone: 'Europe/Brussels',
  dateFormat: 'Y-m-d',
  timeFormat: 'H:i',
  startOfWeek: 1,
  language: 'en_US',
  defaultCategory: 1,
  postsPerPage: 10,
  defaultCommentStatus: 'open',
  defaultPingStatus: 'open',
  gmtOffset: 1,
  useSmilies: true,
};

export interface FakeContent {
  readonly address: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function startContent(): Promise<FakeContent> {
  const port = await freePort();
  let server: GrpcServer | undefined;
  const content: FakeContent = {
    address: `127.0.0.1:${port}`,
    start: async () => {
      server = await startGrpcServer({
        host: '127.0.0.1',
        port,
        actorSecret: TEST_ACTOR_SECRET,
        log: createLog('content', 'test', 'silent'),
        services: [
          rpcService<SettingsServiceServer>(SettingsServiceService, {
            getSettings: {
              callers: ['forms'],
              permission: anyone,
              handle: () => Promise.resolve(SETTINGS),
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
  await content.start();
  return content;
}
