/**
 * Reads from a replica show nothing old: a real PostgreSQL that follows another one, whose replay is held, frozen, killed and
 * parted from it, behind a service and a gateway that keeps answers.
 */
import { register } from 'prom-client';
import { contentService } from '@sevenfold/content/service';
import { makePost, makeTerm } from '@sevenfold/content/testing/factories';
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';
import { variables } from '@sevenfold/gateway/config';
import { type RunningGateway, startGateway } from '@sevenfold/gateway/gateway';
import { NO_LIMITS } from '@sevenfold/gateway/limits/testing';
import { openListener } from '@sevenfold/chassis/db/listen';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import { openStandby } from '@sevenfold/chassis/db/replica';
import type { Db } from '@sevenfold/chassis/db/sql';
import { createLog } from '@sevenfold/chassis/log';
import { createTestDatabase } from '@sevenfold/chassis/testing/database';
import {
  type Answer,
  type Speaker,
  TEST_ACTOR_SECRET,
  defaultsOf,
  speaker,
} from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { type Pair, startPair } from '../support/replica';

const POSTS = '/rest/core/v2/posts';
const usual = process.env.TEST_POSTGRES_URL;

let pair: Pair;
let content: ContentSite;
let gateway: RunningGateway;
/** Through the gateway, and past its cache. */
let stranger: Speaker;
let direct: Speaker;

beforeAll(async () => {
  pair = await startPair();
  process.env.TEST_POSTGRES_URL = pair.primary.adminUrl;
  const { url } = await createTestDatabase(contentService.migrations as string);
  content = await startContent({
    DATABASE_URL: url,
    DATABASE_REPLICA_URL: pair.replicaUrl(url),
    COMMENT_FLOOD_SECONDS: 0,
  });
  const nowhere = Object.keys(variables)
    .filter((name) => /_(HTTP|GRPC)$/.test(name))
    .map((name) => [name, name.endsWith('HTTP') ? 'http://127.0.0.1:1' : '127.0.0.1:1'] as const);
  gateway = await startGateway({
    ...defaultsOf(variables),
    ...Object.fromEntries(nowhere),
    CONTENT_HTTP: content.url,
    CONTENT_GRPC: `127.0.0.1:${content.service.grpcPort}`,
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: 0,
    ACTOR_SECRET: TEST_ACTOR_SECRET,
    SHUTDOWN_SECONDS: 5,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
    ...NO_LIMITS,
  } as never);
  stranger = speaker(gateway.url);
  direct = content.by('anonymous');
  await readingFromReplica();
});
afterAll(async () => {
  await gateway?.stop();
  await content?.stop();
  await pair?.stop();
  process.env.TEST_POSTGRES_URL = usual;
});

async function count(result: string): Promise<number> {
  const { values } = (await register.getSingleMetric('database_replica_reads_total')?.get()) ?? {
    values: [],
  };
  return values.find(({ labels }) => labels.result === result)?.value ?? 0;
}

/** A read of all that there is was answered by the replica. */
const readingFromReplica = (): Promise<unknown> =>
  until(async () => {
    const before = await count('replica');
    expect((await direct.get('/posts?per_page=1')).status).toBe(200);
    return (await count('replica')) > before;
  });
const titleOf = ({ status, body }: Answer): string => {
  expect(status).toBe(200);
  return (body as { title: { rendered: string } }).title.rendered;
};
const titlesOf = ({ body }: Answer): string[] =>
  (body as { title: { rendered: string } }[]).map(({ title }) => title.rendered);
const rename = async (id: number, title: string): Promise<void> => {
  expect((await content.by('administrator').post(`/posts/${id}`, { title })).status).toBe(200);
};

test('lists, items, searches and their totals come from the replica once it has what is asked for', async () => {
  const { id } = await makePost(content.deps.db, { title_raw: 'Followed', title_html: 'Followed' });
  await makeTerm(content.deps.db, { taxonomy: 'post_tag', name: 'Followed, too' });
  await pair.caughtUp();
  await readingFromReplica();
  for (const path of [
    `/posts/${id}`,
    '/posts?search=followed',
    '/tags?search=followed',
    '/posts?page=1&order=desc',
  ])
    await until(async () => {
      const before = await count('replica');
      const { status, text } = await direct.get(path);
      expect([status, text.toLowerCase().includes('followed')]).toEqual([200, true]);
      return (await count('replica')) > before;
    });
});

test('while replay is held every read shows what was written, and nothing that is kept is older', async () => {
  const { id } = await makePost(content.deps.db, { title_html: 'Before' });
  await pair.caughtUp();
  await until(async () => (await stranger.get(`${POSTS}/${id}`)).headers.get('x-cache') === 'hit');
  await pair.hold();
  try {
    for (const title of ['First', 'Second', 'Third']) {
      await rename(id, title);
      // Whoever wrote, a stranger, and a list; again and again, so that what is remembered and kept is shown as well.
      for (let times = 0; times < 3; times++) {
        expect(titleOf(await content.by('administrator').get(`/posts/${id}`))).toBe(title);
        expect(titleOf(await direct.get(`/posts/${id}`))).toBe(title);
        expect(titlesOf(await direct.get(`/posts?include=${id}`))).toEqual([title]);
      }
      await until(async () => titleOf(await stranger.get(`${POSTS}/${id}`)) === title);
      for (let times = 0; times < 5; times++)
        expect(titleOf(await stranger.get(`${POSTS}/${id}`))).toBe(title);
    }
    const { headers } = await direct.get('/posts');
    const { status, body: made } = await content
      .by('administrator')
      .post('/posts', { title: 'One more', status: 'publish' });
    expect(status).toBe(201);
    const after = await direct.get('/posts');
    expect(Number(after.headers.get('x-total'))).toBe(Number(headers.get('x-total')) + 1);
    expect((after.body as { id: number }[]).map((one) => one.id)).toContain((made as { id: number }).id);
    expect(await count('behind')).toBeGreaterThan(0);
  } finally {
    await pair.release();
  }
  await readingFromReplica();
  expect(titleOf(await direct.get(`/posts/${id}`))).toBe('Third');
});

test('writes and reads in any order, with a replica that stands still and goes on: never older than the last write', async () => {
  const { id } = await makePost(content.deps.db, { title_html: '0' });
  let last = 0;
  let oldest = 0;
  const [before, behind] = [await count('replica'), await count('behind')];
  const readers = Array.from({ length: 3 }, async (_, reader) => {
    while (last < 20) {
      const least = last;
      const path = reader === 0 ? `/posts/${id}` : `/posts?include=${id}&per_page=${reader}`;
      const answer = await direct.get(path);
      const [shown] = reader === 0 ? [titleOf(answer)] : titlesOf(answer);
      if (Number(shown) < least) oldest += 1;
    }
  });
  for (let step = 1; step <= 20; step++) {
    if (step % 5 === 1) await pair.hold();
    if (step % 5 === 3) await pair.release();
    await rename(id, String(step));
    last = step;
    if (step % 5 > 3) await readingFromReplica();
  }
  await Promise.all(readers);
  expect(oldest).toBe(0);
  expect(await count('replica')).toBeGreaterThan(before);
  expect(await count('behind')).toBeGreaterThan(behind);
});

test('what is read after news of a change were heard is not from before it, also within one request', async () => {
  const log = createLog('test', 'replica', 'silent');
  const { adminUrl } = pair.primary;
  const application = 'test';
  const db = openDatabase({ url: adminUrl, size: 2, application, log });
  const listener = openListener({ url: adminUrl, application, log });
  const standby = openStandby({ url: pair.replicaUrl(adminUrl), application, db, listener, log });
  standby.accompany(db, { size: 2, application });
  const valueBy = async (one: Db): Promise<unknown> =>
    (await one.first<{ n: number }>('select n from changed'))?.n;
  let heard = 0;
  listener.hear({ channels: ['changed'], onMessage: () => (heard += 1) });
  try {
    await db.run('create table changed as select 1 as n');
    await pair.caughtUp();
    let before = 0;
    const request = await until(async () => {
      before = await count('replica');
      const one = standby.forRead({ db });
      return (await valueBy(one.db)) === 1 && (await count('replica')) > before && one;
    });
    await pair.hold();
    await db.transaction(async (tx) => {
      await tx.run('update changed set n = 2');
      await tx.run('notify changed');
    });
    await until(() => heard > 0);
    expect(await valueBy(request.db)).toBe(2);
  } finally {
    await pair.release();
    await db.run('drop table if exists changed');
    await standby.close();
    await listener.stop();
    await db.close();
  }
});

test('a replica that freezes, dies and comes back costs no read its answer', async () => {
  const { id } = await makePost(content.deps.db, { title_html: 'Steady' });
  await pair.caughtUp();
  await readingFromReplica();
  const read = async (): Promise<void> => expect(titleOf(await direct.get(`/posts/${id}`))).toBe('Steady');
  pair.freeze();
  try {
    await Promise.all(Array.from({ length: 20 }, read));
    await until(async () => (await read(), (await count('away')) > 0));
  } finally {
    pair.thaw();
  }
  await readingFromReplica();
  const killed = pair.kill();
  for (let times = 0; times < 20; times++) await read();
  await killed;
  await pair.restart();
  await readingFromReplica();
});

test('a server that went its own way is no replica any more', async () => {
  const { id } = await makePost(content.deps.db, { title_html: 'Together' });
  await pair.caughtUp();
  await readingFromReplica();
  await pair.promote();
  await rename(id, 'Apart');
  await until(async () => {
    const before = await count('away');
    expect(titleOf(await direct.get(`/posts/${id}`))).toBe('Apart');
    return (await count('away')) > before;
  });
  const before = await count('replica');
  for (let times = 0; times < 10; times++) expect(titleOf(await direct.get(`/posts/${id}`))).toBe('Apart');
  expect(await count('replica')).toBe(before);
});
