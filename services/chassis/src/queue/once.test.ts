/** Exactly once in effect: whatever is delivered twice, one after the other or at the same time, is done once. */
import { randomBytes } from 'node:crypto';
import { enqueue } from '../db/outbox';
import type { Database } from '../db/sql';
import { createLog } from '../log';
import { testServers } from '../testing/servers';
import { type TestStores, openTestStores } from '../testing/stores';
import { until } from '../testing/until';
import { type Subscription, startConsumers } from './events';
import { type Job, TryLater, job } from './jobs';
import { jobsTotal } from './metrics';
import { runJob } from './workers';
import type { RedisClient } from './redis';
import { streamKey } from './forgotten';

const log = createLog('once', 'test', 'silent');
const { signal } = new AbortController();
let stores: TestStores;
let db: Database;
let redis: RedisClient;
beforeAll(async () => {
  stores = await openTestStores(6);
  ({ db, redis } = stores);
});
afterAll(() => stores.stop());

/** Opens when so many wait at it. */
function gate(count: number): () => Promise<void> {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let waiting = 0;
  return () => {
    waiting += 1;
    if (waiting === count) open();
    return opened;
  };
}

interface Deps {
  readonly handled: number[];
}

/** Each run leaves a row, so that what was rolled back does not count. */
const effect = async (tx: Pick<Database, 'run'>, text: string): Promise<void> =>
  void (await tx.run('insert into notes (text) values ($1)', [text]));
const effects = async (text: string): Promise<number> =>
  (await db.rows('select 1 from notes where text = $1', [text])).length;

interface State {
  done: boolean;
  failed: boolean;
  attempts: number;
  last_error: string | null;
  max_attempts: number;
  waits: boolean;
}

describe('a job', () => {
  const run = (row: Job<Deps>, id: number, deps: Deps = { handled: [] }): Promise<void> =>
    runJob({ db, deps, log }, row, id, signal);
  const promise = (maxAttempts = 5): Promise<number> =>
    enqueue(db, 'sample.notes', 'once', { text: 'x' }, { maxAttempts });
  const state = async (id: number): Promise<State> =>
    (await db.first<State>(
      `select done_at is not null as done, failed_at is not null as failed, attempts, last_error, max_attempts,
         sent_at is null and run_at > now() as waits
       from outbox where id = $1`,
      [id],
    )) as State;

  /** How many tries ended in which way meanwhile. */
  const outcomesOf = async (work: () => Promise<void>): Promise<Record<string, number>> => {
    const counts = async (): Promise<[string, number][]> =>
      (await jobsTotal.get()).values.map(({ labels, value }) => [String(labels.outcome), value]);
    const before = new Map(await counts());
    await work();
    const changed = (await counts()).map(([outcome, count]) => [outcome, count - (before.get(outcome) ?? 0)]);
    return Object.fromEntries(changed.filter(([, count]) => count !== 0)) as Record<string, number>;
  };

  test('that is delivered again after its end is not done again', async () => {
    const prepared: number[] = [];
    const row = job<Deps, object>({
      queue: 'sample.notes',
      name: 'once',
      prepare: ({ id }) => Promise.resolve(void prepared.push(id)),
      handle: ({ tx, id }) => effect(tx, `after ${id}`),
    });
    const id = await promise();
    for (let n = 0; n < 3; n++) await run(row, id);
    expect(await effects(`after ${id}`)).toBe(1);
    expect(prepared).toEqual([id]);
    expect(await state(id)).toMatchObject({ done: true, failed: false, attempts: 1, last_error: null });
  });

  test('that nobody knows is no job', async () => {
    const handled: number[] = [];
    const row = job<Deps, object>({
      queue: 'sample.notes',
      name: 'once',
      handle: ({ id }) => Promise.resolve(void handled.push(id)),
    });
    await run(row, 999_999_999);
    expect(handled).toEqual([]);
  });

  test.each([
    ['of another name', 'sample.notes', 'another'],
    ['of another queue', 'sample.others', 'once'],
  ])(
    '%s that has its number, as of a database that was put back, leaves it alone',
    async (_, queue, name) => {
      const handled: number[] = [];
      const handle: Job<Deps>['handle'] = ({ id }) => Promise.resolve(void handled.push(id));
      const id = await promise();
      await run(job<Deps, object>({ queue, name, handle }), id);
      expect([handled, (await state(id)).done]).toEqual([[], false]);
      await run(job<Deps, object>({ queue: 'sample.notes', name: 'once', handle }), id);
      expect([handled, (await state(id)).done]).toEqual([[id], true]);
    },
  );

  test('that is delivered to several at once is done by one of them', async () => {
    const together = gate(4);
    let entered = 0;
    const row = job<Deps, object, string>({
      queue: 'sample.notes',
      name: 'once',
      prepare: async ({ id }) => {
        await together();
        return `at once ${id}`;
      },
      handle: async ({ tx }, text) => {
        entered += 1;
        await effect(tx, text);
      },
    });
    const id = await promise();
    const outcomes = await outcomesOf(async () => {
      await Promise.all(Array.from({ length: 4 }, () => run(row, id)));
    });
    expect(outcomes).toEqual({ done: 1, repeated: 3 });
    expect(await effects(`at once ${id}`)).toBe(1);
    expect(entered).toBe(1);
    expect(await state(id)).toMatchObject({ done: true, attempts: 1 });
  });

  test('that failed for good while it was prepared is not done any more', async () => {
    const row = job<Deps, object, number>({
      queue: 'sample.notes',
      name: 'once',
      prepare: ({ id }) => db.run('update outbox set failed_at = now() where id = $1', [id]),
      handle: ({ tx, id }) => effect(tx, `too late ${id}`),
    });
    const id = await promise();
    await run(row, id);
    expect(await effects(`too late ${id}`)).toBe(0);
    expect(await state(id)).toMatchObject({ done: false, failed: true, attempts: 0 });
  });

  test('that fails leaves nothing behind, comes back later and keeps its reason', async () => {
    const attempts: number[] = [];
    const row = job<Deps, { text: string }>({
      queue: 'sample.notes',
      name: 'once',
      handle: async ({ tx, id, attempt, payload, deps }) => {
        attempts.push(attempt);
        deps.handled.push(id);
        expect(payload).toEqual({ text: 'x' });
        await effect(tx, `fails ${id}`);
        if (attempt < 3) throw new Error(`attempt ${attempt} ${'y'.repeat(3_000)}`);
      },
    });
    const id = await promise();
    const deps: Deps = { handled: [] };
    await run(row, id, deps);
    expect(await effects(`fails ${id}`)).toBe(0);
    const first = await state(id);
    expect(first).toMatchObject({ done: false, failed: false, attempts: 1, max_attempts: 5, waits: true });
    expect(first.last_error).toHaveLength(2_000);
    await run(row, id, deps);
    expect(await effects(`fails ${id}`)).toBe(0);
    await run(row, id, deps);
    expect(await effects(`fails ${id}`)).toBe(1);
    expect(attempts).toEqual([1, 2, 3]);
    expect(deps.handled).toEqual([id, id, id]);
    expect(await state(id)).toMatchObject({ done: true, failed: false, attempts: 3, last_error: null });
  });

  test('that failed for the last time is told so once, and is not tried again', async () => {
    const told: string[] = [];
    let entered = 0;
    const row = job<Deps, object>({
      queue: 'sample.notes',
      name: 'once',
      handle: () => {
        entered += 1;
        return Promise.reject(new Error('never works'));
      },
      failed: async ({ tx, id, attempt }, error) => {
        told.push(`${attempt} ${error.message}`);
        await effect(tx, `failed ${id}`);
      },
    });
    const id = await promise(2);
    const outcomes = await outcomesOf(async () => {
      for (let n = 0; n < 4; n++) await run(row, id);
    });
    expect(outcomes).toEqual({ retried: 1, failed: 1 });
    expect([entered, told]).toEqual([2, ['2 never works']]);
    expect(await effects(`failed ${id}`)).toBe(1);
    expect(await state(id)).toMatchObject({
      done: false,
      failed: true,
      attempts: 2,
      last_error: 'never works',
    });
  });

  test('that was put off has its tries left, and waits as long as it asked for', async () => {
    const row = job<Deps, object>({
      queue: 'sample.notes',
      name: 'once',
      handle: ({ failures }) => {
        failed.push(failures);
        return Promise.reject(new TryLater('not yet', 1_000));
      },
    });
    const failed: number[] = [];
    const id = await promise(1);
    for (let n = 1; n <= 3; n++) {
      expect(await outcomesOf(() => run(row, id))).toEqual({ postponed: 1 });
      expect(failed.splice(0)).toEqual([0]);
      expect(await state(id)).toMatchObject({ done: false, failed: false, attempts: n, max_attempts: 1 + n });
    }
    const { pause } = (await db.first<{ pause: number }>(
      'select extract(epoch from run_at - now())::float8 as pause from outbox where id = $1',
      [id],
    )) as { pause: number };
    expect(pause).toBeGreaterThan(500);
    expect(pause).toBeLessThanOrEqual(1_000);
  });

  test('that fails again and again waits longer each time, for five minutes at most', async () => {
    const row = job<Deps, object>({
      queue: 'sample.notes',
      name: 'once',
      handle: () => Promise.reject(new Error('no')),
    });
    const id = await promise(100);
    const pauseAfter = async (attempts: number): Promise<number> => {
      await db.run('update outbox set attempts = $2, run_at = now() where id = $1', [id, attempts - 1]);
      // Measured by the clock of the statement itself: what a busy machine adds is none of the pause.
      await db.run('update outbox set last_error = null where id = $1', [id]);
      const before = Date.now();
      await run(row, id);
      const { at } = (await db.first<{ at: number }>(
        'select extract(epoch from run_at)::float8 * 1000 as at from outbox where id = $1',
        [id],
      )) as { at: number };
      return (at - before) / 1000;
    };
    const passed = 60;
    for (const [attempts, base] of [
      [1, 1],
      [5, 16],
      [8, 128],
      [9, 256],
      [10, 300],
      [40, 300],
    ] as const) {
      const pause = await pauseAfter(attempts);
      expect(pause).toBeGreaterThanOrEqual(base * 0.75 - 0.01);
      expect(pause).toBeLessThanOrEqual(base * 1.25 + passed);
    }
  });
});

describe('a domain event', () => {
  const TOPIC = 'sample.note.changed';
  interface Reader {
    readonly stream: string;
    readonly prefix: string;
    readonly start: (
      group: string,
      handle: Subscription<object>['handle'],
    ) => ReturnType<typeof startConsumers>;
    readonly add: (id: number, at?: string) => Promise<string>;
    /** Everything in the stream has been read, and nothing is left to be confirmed. */
    readonly settled: (group: string) => Promise<void>;
  }

  function reader(): Reader {
    const prefix = `test-once-${randomBytes(6).toString('hex')}`;
    const stream = streamKey(prefix, TOPIC);
    return {
      stream,
      prefix,
      start: (group, handle) =>
        startConsumers({
          group,
          subscriptions: [{ topic: TOPIC, handle }],
          deps: {},
          db,
          redisUrl: testServers().redisUrl,
          prefix,
          log,
        }),
      add: (id, at) =>
        redis.xAdd(stream, '*', {
          id: String(id),
          payload: JSON.stringify({ id, of: prefix }),
          ...(at && { at }),
        }),
      settled: async (group) => {
        await until(async () => {
          const length = await redis.xLen(stream);
          const groups = await redis.xInfoGroups(stream).catch(() => []);
          const mine = groups.find(({ name }) => String(name) === group);
          return mine !== undefined && Number(mine['entries-read']) === length && mine.pending === 0;
        });
      },
    };
  }

  test('that comes twice is taken in once, by each service that listens', async () => {
    const { start, add, settled, prefix } = reader();
    const taken: string[] = [];
    const note =
      (group: string): Subscription<object>['handle'] =>
      async ({ tx, topic, payload }) => {
        const { id, of } = payload as { id: number; of: string };
        taken.push(`${group} ${topic} ${id} ${of === prefix}`);
        await effect(tx, `${prefix} ${group} ${id}`);
      };
    const base = Math.floor(Math.random() * 1e9);
    for (const id of [base, base, base + 1, base]) await add(id);
    const consumers = ['one', 'two'].map((group) => start(group, note(group)));
    await settled('one');
    await settled('two');
    await add(base + 1);
    await settled('one');
    await settled('two');
    await Promise.all(consumers.map((one) => one.stop()));
    expect(taken.sort()).toEqual(
      ['one', 'two'].flatMap((group) => [base, base + 1].map((id) => `${group} ${TOPIC} ${id} true`)).sort(),
    );
    for (const group of ['one', 'two'])
      for (const id of [base, base + 1]) expect(await effects(`${prefix} ${group} ${id}`)).toBe(1);
  });

  test('that has the number of an earlier one, as of a database that was put back, is another one', async () => {
    const { start, add, settled, prefix } = reader();
    const base = Math.floor(Math.random() * 1e9);
    const [first, then] = ['2030-01-31 18:00:00.25', '2030-01-31 18:00:01'];
    for (const at of [first, first, then, then, first]) await add(base, at);
    // Of a version that told no moment.
    await add(base);
    await add(base + 1);
    await add(base + 1, first);
    const consumers = start('five', ({ tx, id }) => effect(tx, `${prefix} ${id}`));
    await settled('five');
    await consumers.stop();
    expect([await effects(`${prefix} ${base}`), await effects(`${prefix} ${base + 1}`)]).toEqual([2, 1]);
  });

  test('that two processes of a service get at once has one effect', async () => {
    const { start, add, settled, prefix } = reader();
    const handle: Subscription<object>['handle'] = ({ tx, payload }) =>
      effect(tx, `${prefix} ${(payload as { id: number }).id}`);
    const consumers = [start('three', handle), start('three', handle)];
    const base = Math.floor(Math.random() * 1e9);
    for (let n = 0; n < 40; n++) await add(base + (n % 10));
    await settled('three');
    await Promise.all(consumers.map((one) => one.stop()));
    for (let n = 0; n < 10; n++) expect(await effects(`${prefix} ${base + n}`)).toBe(1);
  });

  test('that cannot be taken in leaves nothing behind, stays, and holds up no other', async () => {
    const { start, add, prefix, stream } = reader();
    const base = Math.floor(Math.random() * 1e9);
    const consumers = start('four', async ({ tx, payload }) => {
      const { id } = payload as { id: number };
      await effect(tx, `${prefix} ${id}`);
      if (id === base) throw new Error('on purpose');
    });
    await add(base);
    await add(base + 1);
    await until(async () => (await effects(`${prefix} ${base + 1}`)) === 1);
    await until(async () => (await redis.xPending(stream, 'four')).pending === 1);
    await consumers.stop();
    expect(await effects(`${prefix} ${base}`)).toBe(0);
    expect(await db.rows('select 1 from inbox where event_id = $1', [`${TOPIC}/${base}`])).toEqual([]);
    expect((await redis.xPending(stream, 'four')).pending).toBe(1);
  });
});
