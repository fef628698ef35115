/** Accepted means kept: the outbox, the relay and the workers, with a Redis that forgets. */
import { createClient } from '@redis/client';
import { type Actor, stranger } from '../actor';
import { enqueue } from '../db/outbox';
import { type SampleDeps, sampleService } from '../testing/sample';
import { testServers } from '../testing/servers';
import { type TestService, startTestService } from '../testing/service';
import { until } from '../testing/until';

let site: TestService<SampleDeps>;
const editor: Actor = { ...stranger, id: 7, username: 'ed', capabilities: new Set(['edit_notes']) };

const PREFIX = `test-outbox-${process.pid}`;

beforeAll(async () => {
  site = await startTestService(sampleService, { ROLE: 'all', REDIS_PREFIX: PREFIX });
});
afterAll(() => site.stop());

const done = (ids: number[]): Promise<{ applied: number }[]> =>
  until(async () => {
    const rows = await site.deps.db.rows<{ applied: number }>(
      'select applied from notes where id = any($1) and applied > 0',
      [ids],
    );
    return rows.length === ids.length ? rows : undefined;
  });

test('a promised job runs once', async () => {
  const ids = await Promise.all(
    Array.from(
      { length: 20 },
      async () => (await site.as(editor).post('/notes', { text: 'x' })).body.id as number,
    ),
  );
  expect((await done(ids)).map((row) => row.applied)).toEqual(ids.map(() => 1));
  await until(async () =>
    (await site.deps.db.rows('select 1 from outbox where done_at is null')).length === 0 ? true : undefined,
  );
});

test('how long a job waits is counted by the clock that says when it is over', async () => {
  const far = jest.spyOn(Date, 'now').mockReturnValue(0);
  try {
    const waits = await site.deps.db.transaction(async (tx) => {
      const id = await enqueue(tx, 'sample.notes', 'apply-note', { id: 0 }, { inSeconds: 90 });
      const row = await tx.first<{ seconds: number }>(
        'select extract(epoch from run_at - now())::float8 as seconds from outbox where id = $1',
        [id],
      );
      await tx.run('delete from outbox where id = $1', [id]);
      return row;
    });
    expect(waits).toEqual({ seconds: 90 });
  } finally {
    far.mockRestore();
  }
});

test('a job that fails is tried again, and its failed tries leave no effect', async () => {
  const { rows } = await site.deps.db.pool.query(
    `insert into notes (text) values ('fails once') returning id`,
  );
  const id = Number(rows[0].id);
  site.deps.failing.set(id, 1);
  await site.deps.db.run(
    `insert into outbox (kind, channel, name, payload) values ('job', 'sample.notes', 'apply-note', $1)`,
    [{ id }],
  );
  expect(await done([id])).toEqual([{ applied: 1 }]);
  const row = await site.deps.db.first<{ attempts: number }>(
    `select attempts from outbox where payload->>'id' = $1 and done_at is not null`,
    [String(id)],
  );
  expect(row?.attempts).toBe(2);
});

test('a job that keeps failing is kept with its reason', async () => {
  const { rows } = await site.deps.db.pool.query(
    `insert into notes (text) values ('always fails') returning id`,
  );
  const id = Number(rows[0].id);
  site.deps.failing.set(id, 100);
  await site.deps.db.run(
    `insert into outbox (kind, channel, name, payload, max_attempts) values ('job', 'sample.notes', 'apply-note', $1, 2)`,
    [{ id }],
  );
  const failed = await until(() =>
    site.deps.db.first<{ last_error: string }>(
      `select last_error from outbox where payload->>'id' = $1 and failed_at is not null`,
      [String(id)],
    ),
  );
  expect(failed.last_error).toBe('failed on purpose');
  expect(await site.deps.db.first('select applied from notes where id = $1', [id])).toEqual({ applied: 0 });
});

test('Redis losing everything loses nothing', async () => {
  const redis = createClient({ url: testServers().redisUrl });
  await redis.connect();
  const ids: number[] = [];
  for (let round = 0; round < 5; round++) {
    const made = await Promise.all(
      Array.from(
        { length: 10 },
        async () => (await site.as(editor).post('/notes', { text: 'y' })).body.id as number,
      ),
    );
    ids.push(...made);
    // Everything of this test's prefix, queues and jobs included, and at one blow: half a queue is no lost one.
    await redis.eval(
      `local keys = redis.call('keys', ARGV[1])
       if #keys > 0 then redis.call('del', unpack(keys)) end`,
      { arguments: [`${PREFIX}*`] },
    );
    // What was sent and lost counts as unsent after the resend interval; the test does not wait for it.
    await site.deps.db.run('update outbox set sent_at = null where done_at is null');
  }
  redis.destroy();
  expect((await done(ids)).every((row) => row.applied === 1)).toBe(true);
});
