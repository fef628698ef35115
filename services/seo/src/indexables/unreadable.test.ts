/** One thing that cannot be read takes no other with it: neither out of the index nor from what waits. */
import { type GrpcServer, startGrpcServer } from '@sevenfold/chassis/grpc/serve';
import { type Implementation, rpcService } from '@sevenfold/chassis/grpc/method';
import { pulseService } from '@sevenfold/chassis/grpc/pulse';
import { anyone } from '@sevenfold/chassis/http/route';
import { createLog } from '@sevenfold/chassis/log';
import { runJob } from '@sevenfold/chassis/queue/workers';
import { TEST_ACTOR_SECRET, type TestService } from '@sevenfold/chassis/testing/service';
import {
  type EventServiceServer,
  EventServiceService,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/events';
import {
  Post,
  type PostServiceServer,
  PostServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import type { Deps } from '../deps';
import * as settings from '../settings/store';
import { startSeo } from '../testing/service';
import { indexableJobs } from './jobs';
import { SINGLE, add } from './queue';

const IDS = [1, 2, 3, 4, 5];
/** Larger than a message may be. */
const HUGE = 'x'.repeat(20 * 1024 * 1024);
const UNREADABLE = 4;

const anybody = { callers: ['seo'], permission: anyone } as const;
/** An owner that sends of one of its posts more than fits. */
const posts: Implementation<Pick<PostServiceServer, 'streamPosts'>> = {
  streamPosts: {
    ...anybody,
    handle: async function* ({ ids }) {
      for (const id of IDS.filter((one) => ids.includes(one)))
        yield Post.fromPartial({
          id,
          type: 'post',
          status: 'publish',
          public: true,
          version: '1',
          slug: `p${id}`,
          link: `http://site.test/p${id}/`,
          title: `Post ${id}`,
          content: id === UNREADABLE ? HUGE : '',
        });
    },
  },
};
const events: Implementation<Pick<EventServiceServer, 'streamObjects'>> = {
  streamObjects: { ...anybody, handle: async function* () {} },
};

let owners: GrpcServer;
let seo: TestService<Deps>;
beforeAll(async () => {
  owners = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    actorSecret: TEST_ACTOR_SECRET,
    log: createLog('owners', 'test', 'silent'),
    services: [
      pulseService(),
      rpcService({ streamPosts: PostServiceService.streamPosts }, posts),
      rpcService({ streamObjects: EventServiceService.streamObjects }, events),
    ],
  });
  const address = `127.0.0.1:${owners.port}`;
  seo = await startSeo({ CONTENT_GRPC: address, CALENDAR_GRPC: address });
  const site = { title: 'S', tagline: '', url: 'http://site.test', language: 'en', timezone: 'UTC' };
  await settings.keepSite(seo.deps.db, site);
});
afterAll(async () => {
  await seo.stop();
  await owners.stop(1_000);
});

test('a thing that fits into no message is left out, and the others of its batch are indexed', async () => {
  const { db, log } = seo.deps;
  await db.transaction((tx) => add(tx, 'post', IDS));
  const job = indexableJobs.find(({ name }) => name === SINGLE.job)!;
  const open = await db.first<{ id: number }>('select id from outbox where name = $1', [SINGLE.job]);
  await runJob({ db, deps: seo.deps, log }, job, open!.id, new AbortController().signal);
  const rows = await db.rows<{ id: number }>('select object_id as id from indexables order by 1');
  expect(rows.map(({ id }) => id)).toEqual(IDS.filter((id) => id !== UNREADABLE));
  expect(await db.rows('select * from waiting')).toEqual([]);
  expect(await db.rows('select * from outbox where name = $1 and done_at is null', [SINGLE.job])).toEqual([]);
});
