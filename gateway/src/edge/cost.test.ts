/**
 * What an answer from memory costs besides itself. Each promise is paid for when it is made, when it goes on and when it is thrown
 * away: where nothing is asked of anybody, an answer waits for nothing (chassis/src/http/cost.test.ts is the same of services).
 */
import { createHook } from 'node:async_hooks';
import http from 'node:http';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { smallContent } from '../testing/small';

let gateway: RunningGateway;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  const content = await startSmall(smallContent);
  gateway = await startTestGateway(addresses('CONTENT', content));
});
afterAll(() => agent.destroy());

const read = (path: string, done: () => void): void =>
  void http.get(`${gateway.url}${path}`, { agent }, (response) => {
    response.resume().on('end', () => setImmediate(done));
  });

/** In the middle of some: what a process does besides is over before or comes after. */
const promisesOf = async (path: string): Promise<number> => {
  let made = 0;
  const counts: number[] = [];
  const hook = createHook({ init: (_id, type) => void (made += type === 'PROMISE' ? 1 : 0) });
  hook.enable();
  await new Promise<void>((resolve) => {
    const next = (): void => {
      counts.push(made);
      made = 0;
      if (counts.length < 15) read(path, next);
      else resolve();
    };
    read(path, next);
  });
  hook.disable();
  return counts.sort((a, b) => a - b)[7] as number;
};

test("a stranger's read of an index makes few promises", async () => {
  expect(await promisesOf('/rest/')).toBeLessThanOrEqual(8);
});
