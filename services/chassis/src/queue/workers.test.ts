/** A job that is delivered twice: what one delivery brought to its end, the other leaves alone. */
import { enqueue } from '../db/outbox';
import { createLog } from '../log';
import { type SampleDeps, sampleService } from '../testing/sample';
import { type TestService, startTestService } from '../testing/service';
import { job } from './jobs';
import { runJob } from './workers';

let site: TestService<SampleDeps>;
beforeAll(async () => {
  site = await startTestService(sampleService, { ROLE: 'api' });
});
afterAll(() => site.stop());

const log = createLog('jobs', 'test', 'silent');
const { signal } = new AbortController();

/** Both deliveries are under way at once: the second one runs from its begin to its end while the first prepares. */
async function deliverTwice(secondFails: boolean): Promise<{ row: object; failed: string[] }> {
  const { db } = site.deps;
  const options = { db, deps: site.deps, log };
  const failed: string[] = [];
  let deliveries = 0;
  const twice = job<SampleDeps, object, number>({
    queue: 'sample.notes',
    name: 'deliver-twice',
    prepare: async ({ id }) => {
      deliveries += 1;
      const mine = deliveries;
      if (mine === 1) {
        await runJob(options, twice, id, signal);
        throw new Error('the first one failed');
      }
      return mine;
    },
    handle: () => (secondFails ? Promise.reject(new Error('the second one failed')) : Promise.resolve()),
    failed: (_call, error) => Promise.resolve(void failed.push(error.message)),
  });
  const id = await enqueue(db, 'sample.notes', 'deliver-twice', {}, { maxAttempts: 1 });
  await runJob(options, twice, id, signal);
  const row = await db.first<object>(
    `select done_at is not null as done, failed_at is not null as failed, attempts, last_error
     from outbox where id = $1`,
    [id],
  );
  return { row: row as object, failed };
}

test('a delivery that fails after another one has finished the job does not call it failed', async () => {
  expect(await deliverTwice(false)).toEqual({
    row: { done: true, failed: false, attempts: 1, last_error: null },
    failed: [],
  });
});

test('a job whose deliveries both fail is called failed once', async () => {
  expect(await deliverTwice(true)).toEqual({
    row: { done: false, failed: true, attempts: 1, last_error: 'the second one failed' },
    failed: ['the second one failed'],
  });
});
