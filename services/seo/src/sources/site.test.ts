/** What is known of the site itself, where answers of the content service cross each other. */
import { type GrpcServer, startGrpcServer } from '@sevenfold/chassis/grpc/serve';
import { rpcService } from '@sevenfold/chassis/grpc/method';
import { pulseService } from '@sevenfold/chassis/grpc/pulse';
import { anyone } from '@sevenfold/chassis/http/route';
import { createLog } from '@sevenfold/chassis/log';
import { lockWaits } from '@sevenfold/chassis/testing/lock-waits';
import { TEST_ACTOR_SECRET, type TestService } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import {
  Settings,
  type SettingsServiceServer,
  SettingsServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import type { Deps } from '../deps';
import * as store from '../settings/store';
import { startSeo } from '../testing/service';
import { siteSubscriptions, siteSweeps } from './site';

let title = '';
let asked = 0;
let held = Promise.resolve();
let owner: GrpcServer;
let seo: TestService<Deps>;
beforeAll(async () => {
  owner = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    actorSecret: TEST_ACTOR_SECRET,
    log: createLog('owner', 'test', 'silent'),
    services: [
      pulseService(),
      rpcService<SettingsServiceServer>(SettingsServiceService, {
        getSettings: {
          callers: ['seo'],
          permission: anyone,
          handle: async () => {
            const now = Settings.fromPartial({ title, timezone: 'UTC' });
            asked += 1;
            await held;
            return now;
          },
        },
      }),
    ],
  });
  seo = await startSeo({ CONTENT_GRPC: `127.0.0.1:${owner.port}` });
});
afterAll(async () => {
  await seo.stop();
  await owner.stop(1_000);
});

test('an answer that is late is no later word than the next one', async () => {
  const { db, log } = seo.deps;
  const [{ topic, handle }] = siteSubscriptions as [(typeof siteSubscriptions)[number]];
  const [sweep] = siteSweeps as [(typeof siteSweeps)[number]];
  let release = (): void => undefined;
  held = new Promise((resolve) => (release = resolve));
  title = 'Early';
  const late = sweep.run(seo.deps);
  await until(() => asked === 1);
  title = 'Late';
  held = Promise.resolve();
  let isHeard = false;
  const news = db
    .transaction((tx) => handle({ deps: seo.deps, tx, topic, id: 1, payload: {}, log }))
    .then(() => (isHeard = true));
  await until(async () => isHeard || (await lockWaits(db, '%pg_advisory_xact_lock%')) > 0);
  release();
  await Promise.all([late, news]);
  expect((await store.read(db)).site?.title).toBe('Late');
});
