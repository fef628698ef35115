/** A job that is delivered twice: what one delivery brought to its end, the other leaves alone. */
import { enqueue } from '../db/outbox';
import { createLog } from '../log';
import { type SampleDeps, sampleService } from '../testing/sample';
import { type TestService, startTestService } from '../testing/service';
import { TryLater, job } from './jobs';
import { runJob } from './workers';

let site: TestService<SampleDeps>;
beforeAll(async () => {
  site = await startTestService(sampleService, { ROLE: 'api' });
});
afterAll(() => site.stop());

const log = createLog('jobs', 'test', 'silent');
const { signal } = new AbortController();

interface Delivered {
  readonly row: object;
  readonly failed: string[];
}

/** Both deliveries are under way at once: the second one runs from its begin to its end while the first prepares. */
async function deliverTwice(second?: Error, maxAttempts = 1): Promise<Delivered> {
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
    handle: () => (second ? Promise.reject(second) : Promise.resolve()),
    failed: (_call, error) => Promise.resolve(void failed.push(error.message)),
  });
  const id = await enqueue(db, 'sample.notes', 'deliver-twice', {}, { maxAttempts });
  await runJob(options, twice, id, signal);
  const row = await db.first<object>(
    `select done_at is not null as done, failed_at is not null as failed, attempts, last_error
     from outbox where id = $1`,
    [id],
  );
  return { row: row as object, failed };
}

test('a delivery that fails after another one has finished the job does not call it failed', async () => {
  expect(await deliverTwice()).toEqual({
    row: { done: true, failed: false, attempts: 1, last_error: null },
    failed: [],
  });
});

test('a job whose deliveries both fail is called failed once', async () => {
  expect(await deliverTwice(new Error('the second one failed'))).toEqual({
    row: { done: false, failed: true, attempts: 1, last_error: 'the second one failed' },
    failed: ['the second one failed'],
  });
});

test.each([
  ['failed', new Error('the second one failed')],
  ['was put off', new TryLater('the second one waits', 60)],
])('a try that fails after another delivery of it %s is one try', async (_how, second) => {
  expect(await deliverTwice(second, 2)).toEqual({
    row: { done: false, failed: false, attempts: 1, last_error: second.message },
    failed: [],
  });
});
