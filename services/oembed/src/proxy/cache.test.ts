/** What one account has resolved takes a bounded part of the Redis that jobs and events need. */
import { createLog } from '@sevenfold/chassis/log';
import type { TestService } from '@sevenfold/chassis/testing/service';
import { until as eventually } from '@sevenfold/chassis/testing/until';
import type { Deps } from '../deps';
import { startOembedAlone } from '../testing/service';
import { type Kept, openCache } from './cache';

let site: TestService<Deps>;
beforeAll(async () => {
  site = await startOembedAlone();
  await eventually(() => site.deps.redis.isReady);
});
afterAll(() => site?.stop());

const until = Date.now() + 3_600_000;
const about = (title: string): Kept => ({
  embed: { version: '1.0', type: 'link', html: '', title },
  freshUntil: until,
  staleUntil: until,
});

test('many share few places, and nobody is told what is kept of something else', async () => {
  const { redis } = site.deps;
  const prefix = `places-${process.pid}`;
  const cache = openCache(redis, prefix, createLog('oembed', 'test', 'silent'), 4);
  const keys = Array.from({ length: 100 }, (_, n) => `address ${n}`);
  for (const key of keys) await cache.keep(key, about(key));
  expect((await redis.keys(`${prefix}:*`)).length).toBeLessThanOrEqual(4);
  expect((await cache.find('address 99'))?.embed).toMatchObject({ title: 'address 99' });
  const found = await Promise.all(keys.map((key) => cache.find(key)));
  expect(found.filter((kept) => kept !== undefined).length).toBeLessThanOrEqual(4);
  found.forEach((kept, n) => kept && expect(kept.embed).toMatchObject({ title: keys[n] }));
});

test('what is too large for a place is not kept', async () => {
  const cache = openCache(site.deps.redis, `large-${process.pid}`, createLog('oembed', 'test', 'silent'));
  await cache.keep('address', about('x'.repeat(65_536)));
  expect(await cache.find('address')).toBeUndefined();
});
