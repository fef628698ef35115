/**
 * Redis behind Sentinels: another server becomes the master, and every job is done, every event taken in, though connections ended
 * and what was sent last may be lost with the one of before. FAULTS=long: three Sentinels, TLS, and the master is killed as well.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Listener, openListener } from '@sevenfold/chassis/db/listen';
import { emit, enqueue } from '@sevenfold/chassis/db/outbox';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import type { Database } from '@sevenfold/chassis/db/sql';
import { ForeignInstance } from '@sevenfold/chassis/instance';
import { createLog } from '@sevenfold/chassis/log';
import { type JobCall, job } from '@sevenfold/chassis/queue/jobs';
import { closeRedis, openRedis } from '@sevenfold/chassis/queue/redis';
import { type Work, startWork } from '@sevenfold/chassis/queue/work';
import { openCertificates } from '@sevenfold/chassis/testing/certificates';
import { type TestDatabase, createTestDatabase } from '@sevenfold/chassis/testing/database';
import { sampleService } from '@sevenfold/chassis/testing/sample';
import { until } from '@sevenfold/chassis/testing/until';
import { checkRedisOwner, claimRedisOwner, pingRedis } from '@sevenfold/local/redis';
import { type Sentinels, startSentinels } from '../support/sentinels';

const long = process.env.FAULTS === 'long';
const TOPIC = 'sample.user.deleted';
const log = createLog('redis-master', 'test', process.env.TEST_LOG_LEVEL ?? 'silent');
const certificates = openCertificates();
let sentinels: Sentinels;
let database: TestDatabase;
let db: Database;
let listener: Listener;
let work: Work;
let ca: Buffer | undefined;
const done: number[] = [];
const taken: number[] = [];

beforeAll(async () => {
  certificates.makeAuthority('ours');
  certificates.makeCertificate('server', 'ours');
  const { file } = certificates;
  const tls = { cert: file('server.pem'), key: file('server.key'), ca: file('ours.pem') };
  ca = long ? readFileSync(tls.ca) : undefined;
  sentinels = await startSentinels(long ? 3 : 1, long ? tls : undefined);
  database = await createTestDatabase(sampleService.migrations as string);
  db = openDatabase({ url: database.url, size: 6, application: 'test', log });
  listener = openListener({ url: database.url, application: 'test', log });
  work = startWork({
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
    redisUrl: sentinels.url,
    redisCa: ca,
    prefix: `test-${randomBytes(6).toString('hex')}`,
    instanceId: undefined,
    log,
    onForeign: (error) => {
      throw error;
    },
  });
});
afterAll(async () => {
  await work?.stop();
  await work?.disconnect();
  await listener?.stop();
  await db?.close();
  await database?.drop();
  await sentinels?.stop();
  certificates.remove();
});

let last = 0;
/** A job and an event, of which both come to their end. */
async function send(): Promise<void> {
  last += 1;
  await enqueue(db, 'sample.numbers', 'note-number', { n: last });
  await emit(db, TOPIC, { n: last });
}
const isSettled = async (): Promise<boolean> =>
  (await db.first('select 1 from outbox where done_at is null')) === undefined;
const numbers = (): number[] => Array.from({ length: last }, (_, index) => index + 1);
const sorted = (list: readonly number[]): number[] => [...new Set(list)].sort((a, b) => a - b);

async function carriesOn(change: () => Promise<void>): Promise<void> {
  await send();
  await until(() => done.includes(last) && taken.includes(last));
  const before = await sentinels.master();
  const changing = change();
  for (let n = 0; n < 20; n += 1) await send();
  await changing;
  await send();
  await until(() => done.includes(last) && taken.includes(last));
  await until(isSettled);
  await until(() => sorted(taken).length === last);
  expect(await sentinels.master()).not.toBe(before);
  expect([sorted(done), sorted(taken)]).toEqual([numbers(), numbers()]);
}

test('another server becomes the master: what is queued goes there', () =>
  carriesOn(() => sentinels.change()));

test('who connects later finds the new one, and may write', async () => {
  const redis = openRedis(sentinels.url, log, ca);
  await until(() => redis.isReady);
  expect(await redis.set('found', '1')).toBe('OK');
  expect(await redis.sendCommand(['ROLE'])).toEqual(expect.arrayContaining(['master']));
  await closeRedis(redis);
});

test('a stack that is given their address finds the master, and whose it is', async () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  await pingRedis(sentinels.url, ca);
  const refusal = (): Promise<unknown> =>
    checkRedisOwner(sentinels.url, prefix, 'other', ca).catch((error: unknown) => error);
  // What the master before took while it did not know of the change yet is lost: a stack says whose it is at each start.
  const refused = await until(async () => {
    await claimRedisOwner(sentinels.url, prefix, 'one', ca);
    return (await refusal()) ?? false;
  });
  expect(refused).toBeInstanceOf(ForeignInstance);
  await checkRedisOwner(sentinels.url, prefix, 'one', ca);
});

(long ? test : test.skip)('the master dies: the replica takes its place, and nothing stays undone', () =>
  carriesOn(() => sentinels.kill()),
);
