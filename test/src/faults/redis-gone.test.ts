/**
 * A machine with Redis that is gone without ending its connections, as when its power fails, and another one at the same address:
 * everybody moves over, long before the system itself gives up what was sent to the first one.
 */
import { createLog } from '@sevenfold/chassis/log';
import { type Freezable, startFreezable } from '@sevenfold/chassis/testing/freezable';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { type Numbers, startNumbers } from '../support/numbers';

const log = createLog('redis-gone', 'test', process.env.TEST_LOG_LEVEL ?? 'silent');
let door: Freezable;
let numbers: Numbers;

beforeAll(async () => {
  const url = new URL(testServers().redisUrl);
  door = await startFreezable(Number(url.port));
  url.port = String(door.port);
  numbers = await startNumbers({ url: url.href, instanceId: 'one' }, log);
});
afterAll(async () => {
  await numbers?.stop();
  await door?.stop();
});

test('what is promised when the machine goes, and afterwards, comes through', async () => {
  await numbers.send();
  await numbers.lastThrough();
  door.lose();
  for (let n = 0; n < 20; n += 1) await numbers.send();
  await numbers.lastThrough();
  await numbers.allThrough();
});
