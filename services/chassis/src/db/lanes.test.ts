/** What may cost much has connections of its own, few, with a line that ends. */
import path from 'node:path';
import { stranger } from '../actor';
import { createLog } from '../log';
import { forRequest } from '../request-id';
import { type TestDatabase, createTestDatabase } from '../testing/database';
import { until } from '../testing/until';
import { openDatabase } from './pool';
import { openLists, openSearches, readsOf } from './lanes';

const log = createLog('test', 'api', 'silent');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase(path.resolve(__dirname, '../testing/sample-migrations'));
});
afterAll(() => database.drop());

describe.each([
  ['searches', openSearches, 'rest_search_busy'],
  ['lists', openLists, 'rest_list_busy'],
] as const)('%s', (_what, open, code) => {
  const busy = {
    code,
    status: 503,
    headers: { 'Retry-After': expect.stringMatching(/^[1-9]\d*$/) },
  };

  test('one that takes too long is stopped with a 503 that says when to come again', async () => {
    const lane = open({ url: database.url, application: 'test', log, longestMs: 1_000, atOnce: 1 });
    try {
      await expect(lane.rows('select pg_sleep(60)')).rejects.toMatchObject(busy);
      expect(await lane.first('select 1 as one')).toEqual({ one: 1 });
    } finally {
      await lane.close();
    }
  });

  test('who waits longer than the pool has patience is told when to come again', async () => {
    const options = { url: database.url, application: 'test', log };
    const lane = open({ ...options, longestMs: 60_000, waitMs: 100, atOnce: 1 });
    const db = openDatabase({ ...options, size: 1 });
    try {
      // The connection is there: to make one may take a busy machine longer than the patience.
      await until(() => lane.first('select 1').catch(() => undefined));
      const going = lane.first('select pg_sleep(60)').catch(() => undefined);
      await expect(lane.rows('select 1')).rejects.toMatchObject(busy);
      await until(() =>
        db.first(
          `select pg_cancel_backend(pid) from pg_stat_activity
           where datname = current_database() and state = 'active' and query = 'select pg_sleep(60)'`,
        ),
      );
      await going;
    } finally {
      await lane.close();
      await db.close();
    }
  });

  test('who finds the line full is sent away at once; the others get their turn, and other work goes on', async () => {
    const options = { url: database.url, application: 'test', log, longestMs: 60_000 };
    const lane = open({ ...options, atOnce: 2, mostWaiting: 3 });
    const db = openDatabase({ ...options, size: 1 });
    try {
      const lock = await db.pool.connect();
      await lock.query('select pg_advisory_lock(4242)');
      const going = Array.from({ length: 5 }, () =>
        lane.first('select pg_advisory_lock_shared(4242), pg_advisory_unlock_shared(4242), 1 as one'),
      );
      await expect(lane.rows('select 1')).rejects.toMatchObject(busy);
      expect((await lock.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
      await lock.query('select pg_advisory_unlock(4242)');
      lock.release();
      expect(await Promise.all(going)).toHaveLength(5);
      expect(await lane.first('select 3 as three')).toEqual({ three: 3 });
    } finally {
      await lane.close();
      await db.close();
    }
  });
});

test('what users read that may cost much leaves connections to all else, and they take turns', async () => {
  const db = openDatabase({ url: database.url, application: 'test', log, size: 4 });
  const holder = openDatabase({ url: database.url, application: 'test', log, size: 1 });
  const lock = await holder.pool.connect();
  const [FIRST, LATER] = [4243, 4244];
  await lock.query('select pg_advisory_lock($1), pg_advisory_lock($2)', [FIRST, LATER]);
  const all: Promise<void>[] = [];
  try {
    const read = (id: number, key?: number): Promise<void> => {
      const asker = { signal: () => new AbortController().signal, isGone: () => false, who: `user ${id}` };
      const one = forRequest(
        '',
        async () => {
          const { costly } = readsOf({ db, lists: db }, { ...stranger, id });
          if (key === undefined) await costly.first('select 1');
          else await costly.first('select pg_advisory_lock_shared($1), pg_advisory_unlock_shared($1)', [key]);
        },
        { asker },
      );
      all.push(one);
      return one;
    };
    for (const key of [FIRST, FIRST, LATER, LATER, LATER, LATER]) void read(1, key);
    const other = read(2);
    const { quick } = readsOf({ db, lists: db }, { ...stranger, id: 3 });
    expect(await quick.first('select 1 as one')).toEqual({ one: 1 });
    // Of the two that end now one leaves its place to whoever came last; in the order of coming both would be taken.
    await lock.query('select pg_advisory_unlock($1)', [FIRST]);
    await other;
    await lock.query('select pg_advisory_unlock($1)', [LATER]);
    await Promise.all(all);
  } finally {
    // With its connection go the locks.
    lock.release(true);
    await Promise.allSettled(all);
    await db.close();
    await holder.close();
  }
});
