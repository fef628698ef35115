/** Jobs that were given up: shown without what they are about, retried once and with all their tries, or discarded. */
import { enqueue } from '../db/outbox';
import { type SampleDeps, sampleService } from '../testing/sample';
import { type TestService, startTestService } from '../testing/service';
import { until } from '../testing/until';
import { closeFailed, discardFailed, listFailed, retryFailed } from './failed-jobs';
import { type Job, job } from './jobs';
import { outboxLines } from './metrics';

const QUEUE = 'sample.notes';
/** Of which no worker knows. */
const OTHER = 'sample.others';
const TRIES = 2;
const KEPT = 'failed on purpose';

let site: TestService<SampleDeps>;
beforeAll(async () => {
  site = await startTestService(sampleService, { ROLE: 'all' });
});
afterAll(() => site.stop());
beforeEach(() => site.deps.db.run('delete from outbox'));

const jobs = sampleService.jobs as readonly Job<never>[];

interface Row {
  state: 'done' | 'failed' | 'open';
  attempts: number;
  last_error: string | null;
}
const rowOf = (id: number): Promise<Row | undefined> =>
  site.deps.db.first<Row>(
    `select case when done_at is not null then 'done' when failed_at is not null then 'failed' else 'open' end as state,
       attempts, last_error
     from outbox where id = $1`,
    [id],
  );
const ended = (id: number): Promise<Row> =>
  until(async () => {
    const row = await rowOf(id);
    return row && row.state !== 'open' && row;
  });

/** Answers the numbers of a note whose job fails so often, and of the job. */
async function noteFailing(times: number): Promise<{ note: number; id: number }> {
  const { db, failing } = site.deps;
  const made = await db.first<{ id: number }>(`insert into notes (text) values ('of a job') returning id`);
  const { id: note } = made as { id: number };
  failing.set(note, times);
  return { note, id: await enqueue(db, QUEUE, 'apply-note', { id: note }, { maxAttempts: TRIES }) };
}
const applied = async (note: number): Promise<number | undefined> =>
  (await site.deps.db.first<{ applied: number }>('select applied from notes where id = $1', [note]))?.applied;

/** As workers leave it, of a queue that none of them has. */
async function failed(name: string, payload: object = {}, reason = KEPT): Promise<number> {
  const row = await site.deps.db.first<{ id: number }>(
    `insert into outbox (kind, channel, name, payload, attempts, max_attempts, waits, failed_at, last_error)
     values ('job', '${OTHER}', $1, $2, 7, 7, 5, clock_timestamp(), $3) returning id`,
    [name, JSON.stringify(payload), reason],
  );
  return (row as { id: number }).id;
}
const failures = async (): Promise<number> =>
  (await outboxLines(site.deps.db)).reduce((sum, line) => sum + line.failed, 0);

describe('a retry', () => {
  test('gives a job its tries again, and it is done once however many ask for that at once', async () => {
    const { db } = site.deps;
    const { note, id } = await noteFailing(TRIES + 1);
    expect(await ended(id)).toEqual({ state: 'failed', attempts: TRIES, last_error: KEPT });
    expect(await failures()).toBe(1);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => retryFailed(db, jobs, { queue: QUEUE })),
    );
    expect(answers.reduce((sum, { retried }) => sum + retried, 0)).toBe(1);
    // The first of its tries fails once more.
    expect(await ended(id)).toEqual({ state: 'done', attempts: TRIES + 2, last_error: null });
    expect(await applied(note)).toBe(1);
    expect(await failures()).toBe(0);
  });

  test('of a job that fails again leaves it failed again, after as many tries as before', async () => {
    const { note, id } = await noteFailing(1_000);
    await ended(id);
    expect(await retryFailed(site.deps.db, jobs, { ids: [id] })).toEqual({ retried: 1, left: [] });
    expect(await ended(id)).toEqual({ state: 'failed', attempts: 2 * TRIES, last_error: KEPT });
    expect(await applied(note)).toBe(0);
  });

  test('leaves alone what is open or done, and what was not chosen', async () => {
    const { db } = site.deps;
    const other = await failed('other');
    const open = await enqueue(db, OTHER, 'open', {}, { inSeconds: 3_600 });
    const { id: done } = await noteFailing(0);
    await ended(done);
    expect(await retryFailed(db, jobs, { ids: [open, done] })).toEqual({ retried: 0, left: [] });
    expect(await retryFailed(db, jobs, { queue: QUEUE })).toEqual({ retried: 0, left: [] });
    expect(await rowOf(other)).toMatchObject({ state: 'failed' });
    expect(await rowOf(open)).toMatchObject({ state: 'open', attempts: 0 });
  });

  test('reopens what the service was told the end of, or leaves it failed and says why', async () => {
    const { db } = site.deps;
    const told = job<SampleDeps, { note?: number }>({
      queue: OTHER,
      name: 'told',
      handle: () => Promise.resolve(),
      failed: () => Promise.resolve(),
      reopen: async ({ tx, payload: { note } }) => {
        if (note === undefined) return 'There is nothing of it.';
        await tx.run(`update notes set text = 'reopened' where id = $1`, [note]);
        if (note === -1) throw new Error('The database is full.');
        return undefined;
      },
    });
    const { note } = await noteFailing(0);
    const [reopened, ...left] = [
      await failed('told', { note }),
      await failed('told'),
      await failed('told'),
      await failed('unknown'),
    ];
    expect(await retryFailed(db, [told], { queue: OTHER })).toEqual({
      retried: 1,
      left: [
        { queue: OTHER, name: 'told', reason: 'There is nothing of it.', count: 2 },
        { queue: OTHER, name: 'unknown', reason: 'This version has no such job: discard it.', count: 1 },
      ],
    });
    expect(await db.first('select text from notes where id = $1', [note])).toEqual({ text: 'reopened' });
    expect(await rowOf(reopened as number)).toMatchObject({ state: 'open' });
    for (const id of left) expect(await rowOf(id)).toMatchObject({ state: 'failed' });
    const broken = await failed('told', { note: -1 });
    await expect(retryFailed(db, [told], { ids: [broken] })).rejects.toThrow('The database is full.');
    expect(await rowOf(broken)).toMatchObject({ state: 'failed' });
  });

  test('of more than a look at them brings reaches all', async () => {
    const { db } = site.deps;
    await db.run(
      `insert into outbox (kind, channel, name, payload, failed_at)
       select 'job', '${OTHER}', 'many', '{}', now() from generate_series(1, 1203)`,
    );
    const many = job<SampleDeps, object>({ queue: OTHER, name: 'many', handle: () => Promise.resolve() });
    expect(await retryFailed(db, [many], { queue: OTHER })).toEqual({ retried: 1203, left: [] });
    expect(await failures()).toBe(0);
  });
});

describe('a discard', () => {
  test('is the end of it, with its reason kept for as long as what is done', async () => {
    const { db } = site.deps;
    const { note, id } = await noteFailing(1_000);
    await ended(id);
    const other = await failed('other');
    expect(await discardFailed(db, { queue: QUEUE })).toBe(1);
    expect(await rowOf(id)).toEqual({ state: 'done', attempts: TRIES, last_error: KEPT });
    expect(await rowOf(other)).toMatchObject({ state: 'failed' });
    expect(await retryFailed(db, jobs, { ids: [id] })).toEqual({ retried: 0, left: [] });
    expect(await discardFailed(db, {})).toBe(1);
    expect(await failures()).toBe(0);
    expect(await applied(note)).toBe(0);
  });

  test('of what was done otherwise knows it by its payload, and waits for nobody who retries it', async () => {
    const { db } = site.deps;
    const [mine, held, others] = [
      await failed('mail', { submission: 1, mail: 'mail' }),
      await failed('mail', { submission: 1, mail: 'mail', more: true }),
      await failed('mail', { submission: 2, mail: 'mail' }),
    ];
    await db.transaction(async (tx) => {
      await tx.run('select id from outbox where id = $1 for update', [held]);
      expect(await closeFailed(db, OTHER, 'mail', { submission: 1, mail: 'mail' })).toBe(1);
    });
    expect(await rowOf(mine)).toMatchObject({ state: 'done' });
    for (const id of [held, others]) expect(await rowOf(id)).toMatchObject({ state: 'failed' });
  });
});

test('a list shows so many, what failed last first, without what they are about and whom', async () => {
  const { db } = site.deps;
  await failed('first', { secret: 'of nobody else' });
  const second = await failed(
    'second',
    {},
    'no mailbox <ann@example.org> at redis://user:word@10.0.0.1:6379/0 is there',
  );
  const { id: open } = await noteFailing(0);
  const { jobs: listed, total } = await listFailed(db, {}, 1);
  expect(total).toBe(2);
  expect(listed).toEqual([
    {
      id: second,
      queue: OTHER,
      name: 'second',
      attempts: 7,
      failed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
      last_error: 'no mailbox [hidden] at [hidden] is there',
    },
  ]);
  expect((await listFailed(db, { ids: [open] }, 10)).total).toBe(0);
  expect((await listFailed(db, { queue: OTHER }, 10)).jobs.map(({ name }) => name)).toEqual([
    'second',
    'first',
  ]);
});
