/** A seo service over owners that have some posts and nothing else. */
import { startGrpcServer } from '@sevenfold/chassis/grpc/serve';
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
import { indexableJobs } from '../indexables/jobs';
import { SINGLE, add } from '../indexables/queue';
import * as settings from '../settings/store';
import { startSeo } from './service';

export interface SeoOverPosts extends TestService<Deps> {
  /** Has all posts read by one job; answers the ids of what is in the index then. */
  indexAll(): Promise<number[]>;
}

export async function startSeoOverPosts(
  ids: readonly number[],
  contentOf: (id: number) => string,
): Promise<SeoOverPosts> {
  const anybody = { callers: ['seo'], permission: anyone } as const;
  const posts: Implementation<Pick<PostServiceServer, 'streamPosts'>> = {
    streamPosts: {
      ...anybody,
      handle: async function* ({ ids: wanted }) {
        for (const id of ids.filter((one) => wanted.includes(one)))
          yield Post.fromPartial({
            id,
            type: 'post',
            status: 'publish',
            public: true,
            version: '1',
            slug: `p${id}`,
            link: `http://site.test/p${id}/`,
            title: `Post ${id}`,
            content: contentOf(id),
          });
      },
    },
  };
  const events: Implementation<Pick<EventServiceServer, 'streamObjects'>> = {
    streamObjects: { ...anybody, handle: async function* () {} },
  };
  const owners = await startGrpcServer({
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
  const seo = await startSeo({ CONTENT_GRPC: address, CALENDAR_GRPC: address });
  const { deps } = seo;
  const { db, log } = deps;
  const site = { title: 'S', tagline: '', url: 'http://site.test', language: 'en', timezone: 'UTC' };
  await settings.keepSite(db, site);
  return {
    ...seo,
    indexAll: async () => {
      await db.transaction((tx) => add(tx, 'post', ids));
      const job = indexableJobs.find(({ name }) => name === SINGLE.job)!;
      const open = await db.first<{ id: number }>('select id from outbox where name = $1', [SINGLE.job]);
      await runJob({ db, deps, log }, job, open!.id, new AbortController().signal);
      const rows = await db.rows<{ id: number }>('select object_id as id from indexables order by 1');
      return rows.map(({ id }) => id);
    },
    stop: async () => {
      await seo.stop();
      await owners.stop(1_000);
    },
  };
}
