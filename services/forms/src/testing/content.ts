/** A content service that tells the settings of its site, over real gRPC. */
import { type GrpcServer, startGrpcServer } from '@sevenfold/chassis/grpc/serve';
import { type Implementation, rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import { createLog } from '@sevenfold/chassis/log';
import { freePort } from '@sevenfold/chassis/ports';
import { TEST_ACTOR_SECRET, TEST_SITE_URL } from '@sevenfold/chassis/testing/service';
import {
  Post,
  type PostServiceServer,
  PostServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import {
  type Settings,
  type SettingsServiceServer,
  SettingsServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/settings';

const PAGE = Post.fromPartial({
  id: 7,
  type: 'page',
  slug: 'write-to-us',
  title: 'Write to <em>us</em> &#038; ours',
  link: `${TEST_SITE_URL}/write-to-us/`,
  authorName: 'Wren &amp; Son',
});

const SETTINGS: Settings = {
  title: 'The site',
  description: 'A site',
  url: TEST_SITE_URL,
  email: 'boss@site.test',
  timezone: 'Europe/Brussels',
  dateFormat: 'l jS F Y',
  timeFormat: 'H:i T',
  startOfWeek: 1,
  language: 'en_US',
  defaultCategory: 1,
  postsPerPage: 10,
  defaultCommentStatus: 'open',
  defaultPingStatus: 'open',
  gmtOffset: 1,
  useSmilies: true,
};

/** One page that everybody may read. */
const posts: Implementation<Pick<PostServiceServer, 'getPosts'>> = {
  getPosts: {
    callers: ['forms'],
    permission: anyone,
    handle: ({ ids }) =>
      Promise.resolve({
        posts: ids.includes(PAGE.id) ? [PAGE] : [],
      }),
  },
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
          rpcService({ getPosts: PostServiceService.getPosts }, posts),
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
