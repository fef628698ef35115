/**
 * Webhooks through all that can happen on the way: the worker, Redis and the receiver are killed again and again while things
 * change. In the end every change was delivered at least once, each try under the one id of its delivery, and nothing after
 * the webhook was deleted. The long form, 10,000 deliveries, is for `npm run test:faults`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { emitAll } from '@sevenfold/chassis/db/outbox';
import { freePort } from '@sevenfold/chassis/ports';
import { until } from '@sevenfold/chassis/testing/until';
import { makePost } from '@sevenfold/content/testing/factories';
import { type Receiver, startReceiver } from '@sevenfold/content/webhooks/testing/receiver';
import { type WebhookSite, startWebhooks } from '@sevenfold/content/webhooks/testing/site';
import { type RedisServer, startRedis } from '@sevenfold/local/redis';
import { type WorkerProcess, startWorker } from '../support/worker';

const long = process.env.FAULTS === 'long';
const CHANGES = long ? 10_000 : 300;
const OBJECTS = 20;
const ROUNDS = long ? 10 : 1;
const PARTS = ROUNDS * 3 + 1;
// A killed worker's job goes to the next one after its lock has ended, and what it had on its way after its claim.
const LIMIT_MS = long ? 1_800_000 : 300_000;

let site: WebhookSite;
let receiver: Receiver;
let redis: RedisServer;
let worker: WorkerProcess;
let folder: string;
let redisPort: number;
let port: number;
/** Of all receivers that there were at the port. */
const receivers: Receiver[] = [];
const got = (where: string): Receiver['got'] =>
  receivers.flatMap((one) => one.got.filter(({ path: at }) => at === where));

const openRedis = (): Promise<RedisServer> =>
  startRedis({ dir: folder, port: redisPort, password: 'password-of-tests', durable: true });

async function openReceiver(): Promise<void> {
  receiver = await startReceiver(port);
  receivers.push(receiver);
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'webhooks-redis-'));
  [redisPort, port] = [await freePort(), await freePort()];
  redis = await openRedis();
  site = await startWebhooks({
    ROLE: 'api',
    REDIS_URL: redis.url,
    // What a killed worker had in hand is not what the test is to wait for.
    TAKE_OVER_SECONDS: 2,
    WEBHOOK_RETRY_SECONDS: 1,
    WEBHOOK_TIMEOUT_MS: 5_000,
  });
  await openReceiver();
  worker = startWorker('content', site.deps.config);
});
afterAll(async () => {
  await worker.kill();
  await site.stop();
  await receiver.stop();
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

const faults: readonly ((posts: readonly number[]) => Promise<void>)[] = [
  async () => {
    await worker.kill();
    worker = startWorker('content', site.deps.config);
  },
  async () => {
    const over = redis.exited;
    process.kill(redis.pid, 'SIGKILL');
    await over;
    redis = await openRedis();
  },
  async (posts) => {
    await receiver.stop();
    // Long enough to be missed.
    await change(posts, 10);
    await until(
      async () =>
        (await site.deps.db.first('select id from webhooks where failing_since is not null')) !== undefined,
    );
    await openReceiver();
  },
];

/** So many changes of posts in as many transactions of ten. */
async function change(posts: readonly number[], count: number): Promise<void> {
  for (let done = 0; done < count; done += 10)
    await site.deps.db.transaction((tx) =>
      emitAll(
        tx,
        'content.post.changed',
        Array.from({ length: Math.min(10, count - done) }, (_, n) => ({
          id: posts[(done + n) % posts.length],
          type: 'post',
          status: 'publish',
          before_status: 'publish',
        })),
      ),
    );
}

const announced = async (): Promise<number[]> =>
  (
    await site.deps.db.rows<{ id: number }>(
      `select id from outbox where kind = 'event' and channel = 'content.post.changed' order by id`,
    )
  ).map(({ id }) => id);

test(
  'every change is delivered, whatever dies; nothing is after the webhook was deleted',
  async () => {
    const { id } = await site.register({
      url: `http://127.0.0.1:${port}/one`,
      topics: ['content.post.updated'],
    });
    await site.register({ url: `http://127.0.0.1:${port}/control`, topics: ['content.post.updated'] });
    const posts: number[] = [];
    while (posts.length < OBJECTS) posts.push((await makePost(site.deps.db)).id);

    const part = Math.ceil(CHANGES / PARTS);
    for (let number = 0; number < PARTS; number += 1) {
      // Struck in the middle of the work.
      const before = got('/one').length;
      const changing = change(posts, part);
      await until(() => got('/one').length > before);
      await faults[number % faults.length]?.(posts);
      await changing;
    }
    const all = await announced();
    expect(all.length).toBeGreaterThanOrEqual(CHANGES);
    const missing = (where: string, wanted: readonly number[]): number[] => {
      const seen = new Set(got(where).map(({ body }) => body.sequence));
      return wanted.filter((sequence) => !seen.has(sequence));
    };
    await until(() => missing('/one', all).length === 0 && missing('/control', all).length === 0);
    // One id for each change, however often it came.
    const ids = new Map<number, Set<string>>();
    for (const { body, headers } of got('/one'))
      ids.set(body.sequence, (ids.get(body.sequence) ?? new Set()).add(headers['webhook-id'] as string));
    expect([...ids.values()].filter((own) => own.size !== 1)).toEqual([]);
    expect(new Set([...ids.values()].map((own) => [...own][0])).size).toBe(all.length);

    const begun = got('/one').length;
    const changing = change(posts, part);
    await until(() => got('/one').length > begun);
    await site.webhooks.deleteWebhook({ id }, site.admin);
    const last = got('/one').length;
    await changing;
    await change(posts, part);
    const later = await announced();
    await until(() => missing('/control', later).length === 0);
    expect(got('/one')).toHaveLength(last);
    if (long) console.log(`${got('/one').length} requests for ${all.length} changes`);
  },
  LIMIT_MS,
);
