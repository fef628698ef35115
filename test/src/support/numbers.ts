/**
 * Numbers that go as jobs and as events through a Redis which a test changes meanwhile, with a database of their own. Each has to
 * come to its end both ways.
 */
import { randomBytes } from 'node:crypto';
import { openListener } from '@sevenfold/chassis/db/listen';
import { emit, enqueue } from '@sevenfold/chassis/db/outbox';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import type { Log } from '@sevenfold/chassis/log';
import { type JobCall, job } from '@sevenfold/chassis/queue/jobs';
import { startWork } from '@sevenfold/chassis/queue/work';
import { createTestDatabase } from '@sevenfold/chassis/testing/database';
import { sampleService } from '@sevenfold/chassis/testing/sample';
import { until } from '@sevenfold/chassis/testing/until';

const TOPIC = 'sample.user.deleted';

export interface Numbers {
  /** The next one. */
  send(): Promise<void>;
  /** Resolves when the last one came through, both ways. */
  lastThrough(): Promise<unknown>;
  /** Resolves when nothing is left to be sent; fails where a number is missing. */
  allThrough(): Promise<void>;
  stop(): Promise<void>;
}

export async function startNumbers(
  redis: { readonly url: string; readonly ca?: Buffer; readonly instanceId?: string },
  log: Log,
): Promise<Numbers> {
  const done: number[] = [];
  const taken: number[] = [];
  const database = await createTestDatabase(sampleService.migrations as string);
  const db = openDatabase({ url: database.url, size: 6, application: 'test', log });
  const listener = openListener({ url: database.url, application: 'test', log });
  const work = startWork({
    name: 'sample',
    workload: {
      jobs: [
        job({
          queue: 'sample.numbers',
          name: 'note-number',
          handle: ({ payload }: JobCall<object, { n: number }>) => Promise.resolve(void done.push(payload.n)),
        }),
      ],
      subscriptions: [
        {
          topic: TOPIC,
          handle: ({ payload }) => Promise.resolve(void taken.push((payload as { n: number }).n)),
        },
      ],
    },
    deps: {},
    db,
    listener,
    redisUrl: redis.url,
    redisCa: redis.ca,
    prefix: `test-${randomBytes(6).toString('hex')}`,
    instanceId: redis.instanceId,
    log,
    onForeign: (error) => {
      throw error;
    },
  });
  let last = 0;
  const isSettled = async (): Promise<boolean> =>
    (await db.first('select 1 from outbox where done_at is null')) === undefined;
  const sorted = (list: readonly number[]): number[] => [...new Set(list)].sort((a, b) => a - b);
  return {
    send: async () => {
      last += 1;
      await enqueue(db, 'sample.numbers', 'note-number', { n: last });
      await emit(db, TOPIC, { n: last });
    },
    lastThrough: () => until(() => done.includes(last) && taken.includes(last)),
    allThrough: async () => {
      await until(isSettled);
      await until(() => sorted(taken).length === last);
      const all = Array.from({ length: last }, (_, index) => index + 1);
      expect([sorted(done), sorted(taken)]).toEqual([all, all]);
    },
    stop: async () => {
      await work.stop();
      await work.disconnect();
      await listener.stop();
      await db.close();
      await database.drop();
    },
  };
}
