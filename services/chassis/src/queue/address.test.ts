/** What may be said of where Redis is. */
import { createLog } from '../log';
import { openRoad } from '../testing/road';
import { testServers } from '../testing/servers';
import { until } from '../testing/until';
import { readRedisAddress } from './address';
import { closeRedis, openRedis } from './redis';

test('a server, with whom it wants and the number of a database', () => {
  expect(readRedisAddress('redis://127.0.0.1:6379')).toEqual({ database: 0 });
  expect(readRedisAddress('rediss://us%40er:pass%2Fword@host/3')).toEqual({
    username: 'us@er',
    password: 'pass/word',
    database: 3,
  });
});

test('Sentinels, with what they call the master and want themselves', () => {
  const text =
    'redis+sentinel://:secret@one/2?master=main&sentinel=two:5000&sentinel=%5B::1%5D:6000&sentinelPassword=own';
  expect(readRedisAddress(text)).toEqual({
    password: 'secret',
    database: 2,
    sentinels: {
      master: 'main',
      places: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 5_000 },
        { host: '::1', port: 6_000 },
      ],
      password: 'own',
      tls: false,
    },
  });
  expect(readRedisAddress('rediss+sentinel://one:1?master=m').sentinels?.tls).toBe(true);
});

test.each([
  ['http://host', /must be an address/],
  ['redis:', /must be an address/],
  ['nowhere', /must be an address/],
  ['redis://host/main', /number of a database/],
  ['redis+sentinel://host:26379', /parameter master/],
  ['redis+sentinel://host?master=m&sentinels=x:1', /parameter "sentinels"/],
  ['redis+sentinel://host?master=m&sentinel=a/b', /no host with a port/],
  ['redis+sentinel://host?master=m&sentinel=user:secret@x:1', /no host with a port/],
])('%s is told what is wrong', (text, fault) => {
  expect(() => readRedisAddress(text)).toThrow(fault);
});

test('a server is reached at an IPv6 address', async () => {
  const road = await openRoad(testServers().redisUrl, '::1');
  const redis = openRedis(road.url, createLog('test', 'address', 'silent'));
  await until(() => redis.isReady);
  expect(await redis.ping()).toBe('PONG');
  await closeRedis(redis);
  await road.close();
});
