/** Texts full of pictures: as many as are read together are written together. */
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
import { indexableJobs } from '../indexables/jobs';
import { SINGLE, add } from '../indexables/queue';

const IDS = Array.from({ length: 100 }, (_, at) => at + 1);
/** A megabyte of addresses of pictures, each letter of which takes three. */
const TEXT = Array.from(
  { length: 495 },
  (_, at) => `<img src="https://x.example/${1000 + at}${'{'.repeat(1_970)}">`,
).join('');

const anybody = { callers: ['seo'], permission: anyone } as const;
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
          content: TEXT,
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

test('texts full of pictures are indexed together', async () => {
  const { db, log } = seo.deps;
  await db.transaction((tx) => add(tx, 'post', IDS));
  const job = indexableJobs.find(({ name }) => name === SINGLE.job)!;
  const open = await db.first<{ id: number }>('select id from outbox where name = $1', [SINGLE.job]);
  await runJob({ db, deps: seo.deps, log }, job, open!.id, new AbortController().signal);
  const rows = await db.rows<{ id: number }>('select object_id as id from indexables order by 1');
  expect(rows.length).toEqual(IDS.length);
});
