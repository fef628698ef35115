/** What becomes of a reading whose owners are slow, or away, or tell of something else meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '@sevenfold/chassis/errors';
import { type GrpcServer, startGrpcServer } from '@sevenfold/chassis/grpc/serve';
import { type Implementation, rpcService } from '@sevenfold/chassis/grpc/method';
import { pulseService } from '@sevenfold/chassis/grpc/pulse';
import { anyone } from '@sevenfold/chassis/http/route';
import { createLog } from '@sevenfold/chassis/log';
import { runJob } from '@sevenfold/chassis/queue/workers';
import { TEST_ACTOR_SECRET, type TestService } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import {
  type EventServiceServer,
  EventServiceService,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/events';
import {
  type IdentityServiceServer,
  IdentityServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import {
  Post,
  type PostServiceServer,
  PostServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import { type TermServiceServer, TermServiceService } from '@sevenfold/proto/gen/sevenfold/content/v1/terms';
import type { Deps } from '../deps';
import { indexableJobs } from '../indexables/jobs';
import { SINGLE, add } from '../indexables/queue';
import * as settings from '../settings/store';
import { contributor, startSeo } from '../testing/service';

const MANY = 500;
const anybody = { callers: ['seo'], permission: anyone } as const;

const content = {
  /** How many posts were sent, and to how many readers they are sent now. */
  sent: 0,
  open: 0,
  /** Before the first post. */
  held: Promise.resolve(),
  /** How many comparisons ask for users now, and at most. */
  asking: 0,
  most: 0,
};
let calendarIsAway = false;

const posts: Implementation<Pick<PostServiceServer, 'streamPosts' | 'listPostVersions'>> = {
  streamPosts: {
    ...anybody,
    handle: async function* ({ ids }, { signal }) {
      content.open += 1;
      try {
        await content.held;
        for (const id of ids) {
          if (signal.aborted) return;
          content.sent += 1;
          yield Post.fromPartial({ id, type: 'post', status: 'publish', public: true, version: '1' });
          // Nobody waits for long, and what is not waited for comes to its end.
          await sleep(2);
        }
      } finally {
        content.open -= 1;
      }
    },
  },
  listPostVersions: { ...anybody, handle: async () => ({ ids: [], versions: [] }) },
};
const users: Implementation<Pick<IdentityServiceServer, 'listUserVersions'>> = {
  listUserVersions: {
    ...anybody,
    handle: async () => {
      content.most = Math.max(content.most, (content.asking += 1));
      await sleep(20);
      content.asking -= 1;
      return { ids: [], versions: [] };
    },
  },
};
const terms: Implementation<Pick<TermServiceServer, 'listTermVersions'>> = {
  listTermVersions: { ...anybody, handle: async () => ({ ids: [], versions: [] }) },
};
const events: Implementation<Pick<EventServiceServer, 'streamObjects' | 'listVersions'>> = {
  streamObjects: {
    ...anybody,
    handle: async function* () {
      if (calendarIsAway) throw unavailable('The calendar');
      yield* [];
    },
  },
  listVersions: { ...anybody, handle: async () => ({ ids: [], versions: [] }) },
};

let owners: GrpcServer;
let seo: TestService<Deps>;
beforeAll(async () => {
  const { streamPosts, listPostVersions } = PostServiceService;
  const { streamObjects, listVersions } = EventServiceService;
  owners = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    actorSecret: TEST_ACTOR_SECRET,
    log: createLog('owners', 'test', 'silent'),
    services: [
      pulseService(),
      rpcService({ streamPosts, listPostVersions }, posts),
      rpcService({ listUserVersions: IdentityServiceService.listUserVersions }, users),
      rpcService({ listTermVersions: TermServiceService.listTermVersions }, terms),
      rpcService({ streamObjects, listVersions }, events),
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
beforeEach(async () => {
  Object.assign(content, { sent: 0, held: Promise.resolve(), most: 0 });
  await seo.deps.db.run('delete from waiting');
});

const changed = (ids: readonly number[]): Promise<void> =>
  seo.deps.db.transaction((tx) => add(tx, 'post', ids));
const waiting = async (): Promise<number[]> =>
  (await seo.deps.db.rows<{ id: number }>('select object_id as id from waiting')).map(({ id }) => id);
const reindex = () => seo.as(contributor).get('/reindex_posts');

/** Reads of posts that do not begin before this is let go. */
function hold(): () => void {
  let release = (): void => undefined;
  content.held = new Promise((resolve) => (release = resolve));
  return release;
}
async function runOpenJob(): Promise<void> {
  const { db, log } = seo.deps;
  const job = indexableJobs.find(({ name }) => name === SINGLE.job)!;
  const open = await db.first<{ id: number }>(
    'select id from outbox where name = $1 and done_at is null order by id limit 1',
    [SINGLE.job],
  );
  await runJob({ db, deps: seo.deps, log }, job, open!.id, new AbortController().signal).catch(
    () => undefined,
  );
}

test('whoever cannot be read from ends what is read from others, instead of leaving it to go on alone', async () => {
  calendarIsAway = true;
  try {
    await changed(Array.from({ length: MANY }, (_, index) => index + 1));
    await runOpenJob();
    await until(() => content.open === 0);
    expect(content.sent).toBeLessThan(MANY);
    expect(await waiting()).toHaveLength(MANY);
  } finally {
    calendarIsAway = false;
  }
});

test('an owner that is away for long is asked less and less often, as each change waits for it by itself', async () => {
  calendarIsAway = true;
  try {
    await changed([6]);
    for (let tries = 0; tries < 6; tries++) await runOpenJob();
    const waits = await seo.deps.db.first(
      `select from outbox where name = $1 and done_at is null and run_at > now() + interval '15 seconds'`,
      [SINGLE.job],
    );
    expect(waits).toBeDefined();
  } finally {
    calendarIsAway = false;
  }
});

test('what changes while it is read for the route is read again', async () => {
  await changed([7]);
  const release = hold();
  const asked = reindex();
  await until(() => content.open > 0);
  // As the change of an author comes, whom it shows.
  await changed([7]);
  release();
  expect((await asked).status).toBe(200);
  expect(await waiting()).toEqual([7]);
  await reindex();
  expect(await waiting()).toEqual([]);
});

test('what a job had in hand for too long, and changes then, is read again', async () => {
  await changed([8]);
  const release = hold();
  const job = runOpenJob();
  await until(() => content.open > 0);
  await seo.deps.db.run('update waiting set taken_by = null, taken_at = null');
  await changed([8]);
  release();
  await job;
  expect(await waiting()).toEqual([8]);
});

test('however many ask whether all is as it should be, it is looked at once at a time', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, reindex));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(content.most).toBe(1);
});
