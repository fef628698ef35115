/**
 * What a read costs besides its work. Each promise carries the context of its request along, which Node pays for when it
 * is made, before and after it goes on, and when it is thrown away: a road with one stop more is felt by every read.
 */
import { createHook } from 'node:async_hooks';
import http from 'node:http';
import { type SampleDeps, sampleService } from '../testing/sample';
import { type TestService, startTestService } from '../testing/service';

let site: TestService<SampleDeps>;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  site = await startTestService(sampleService, {});
  await site.deps.db.run(`insert into notes (text) values ('one'), ('two')`);
});
afterAll(async () => {
  agent.destroy();
  await site.stop();
});

const read = (path: string, done: () => void): void =>
  void http.get(`${site.url}/rest/sample/v1${path}`, { agent }, (response) => {
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

test('a read makes few promises besides those of its query', async () => {
  expect(await promisesOf('/notes')).toBeLessThanOrEqual(17);
});
