/**
 * What an answer from memory costs besides itself. Each promise is paid for when it is made, when it goes on and when it is thrown
 * away: where nothing is asked of anybody, an answer waits for nothing (chassis/src/http/cost.test.ts is the same of services).
 */
import { promisesOf } from '@sevenfold/chassis/testing/promises';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { smallContent } from '../testing/small';

let gateway: RunningGateway;

beforeAll(async () => {
  const content = await startSmall(smallContent);
  gateway = await startTestGateway(addresses('CONTENT', content));
});

test("a stranger's read of an index makes few promises", async () => {
  expect(await promisesOf(`${gateway.url}/rest/`)).toBeLessThanOrEqual(4);
});
