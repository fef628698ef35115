/**
 * Redis behind Sentinels: another server becomes the master, and every job is done, every event taken in, though connections ended
 * and what was sent last may be lost with the one of before. FAULTS=long: three Sentinels, TLS, and the master is killed as well.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ForeignInstance } from '@sevenfold/chassis/instance';
import { type Log, createLog } from '@sevenfold/chassis/log';
import { closeRedis, openRedis } from '@sevenfold/chassis/queue/redis';
import { openCertificates } from '@sevenfold/chassis/testing/certificates';
import { until } from '@sevenfold/chassis/testing/until';
import { checkRedisOwner, claimRedisOwner, pingRedis } from '@sevenfold/local/redis';
import { type Numbers, startNumbers } from '../support/numbers';
import { type Sentinels, startSentinels } from '../support/sentinels';

const long = process.env.FAULTS === 'long';
const log = createLog('redis-master', 'test', process.env.TEST_LOG_LEVEL ?? 'silent');
const certificates = openCertificates();
let sentinels: Sentinels;
let numbers: Numbers;
let ca: Buffer | undefined;

beforeAll(async () => {
  certificates.makeAuthority('ours');
  certificates.makeCertificate('server', 'ours');
  const { file } = certificates;
  const tls = { cert: file('server.pem'), key: file('server.key'), ca: file('ours.pem') };
  ca = long ? readFileSync(tls.ca) : undefined;
  sentinels = await startSentinels(long ? 3 : 1, long ? tls : undefined);
  numbers = await startNumbers({ url: sentinels.url, ca }, log);
});
afterAll(async () => {
  await numbers?.stop();
  await sentinels?.stop();
  certificates.remove();
});

async function carriesOn(change: () => Promise<void>): Promise<void> {
  await numbers.send();
  await numbers.lastThrough();
  const before = await sentinels.master();
  const changing = change();
  for (let n = 0; n < 20; n += 1) await numbers.send();
  await changing;
  await numbers.send();
  await numbers.lastThrough();
  await numbers.allThrough();
  expect(await sentinels.master()).not.toBe(before);
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

test.each([
  ['a name that they do not know', { master: 'another' }, /"another" is \(.*No such master/],
  ['a password that they do not want', { sentinelPassword: 'wrong' }, /"main" is \(.*(AUTH|WRONGPASS)/],
])('who comes with %s is told so', async (what, parameters, why) => {
  const url = new URL(sentinels.url);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const told: string[] = [];
  const note = ({ err }: { err?: Error }): void => void told.push(err?.message ?? '');
  const redis = openRedis(
    url.href,
    { bindings: () => ({ service: what }), error: note, info: note, warn: note } as unknown as Log,
    ca,
  );
  await until(() => told.some((message) => why.test(message)));
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
