/** Searches have connections of their own, few, with a line that ends. */
import path from 'node:path';
import { createLog } from '../log';
import { type TestDatabase, createTestDatabase } from '../testing/database';
import { openDatabase } from './pool';
import { openSearches } from './searches';

const log = createLog('test', 'api', 'silent');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase(path.resolve(__dirname, '../testing/sample-migrations'));
});
afterAll(() => database.drop());

const busy = {
  code: 'rest_search_busy',
  status: 503,
  headers: { 'Retry-After': expect.stringMatching(/^[1-9]\d*$/) },
};

test('one that takes too long is stopped with a 503 that says when to come again', async () => {
  const searches = openSearches({ url: database.url, application: 'test', log, longestMs: 50 });
  try {
    await expect(searches.rows('select pg_sleep(60)')).rejects.toMatchObject(busy);
    expect(await searches.first('select 1 as one')).toEqual({ one: 1 });
  } finally {
    await searches.close();
  }
});

test('who finds the line full is sent away at once; the others get their turn, and other work goes on', async () => {
  const options = { url: database.url, application: 'test', log, longestMs: 60_000 };
  const searches = openSearches({ ...options, atOnce: 2, mostWaiting: 3 });
  const db = openDatabase({ ...options, size: 1 });
  try {
    const lock = await db.pool.connect();
    await lock.query('select pg_advisory_lock(4242)');
    const going = Array.from({ length: 5 }, () =>
      searches.first('select pg_advisory_lock_shared(4242), pg_advisory_unlock_shared(4242), 1 as one'),
    );
    await expect(searches.rows('select 1')).rejects.toMatchObject(busy);
    expect((await lock.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
    await lock.query('select pg_advisory_unlock(4242)');
    lock.release();
    expect(await Promise.all(going)).toHaveLength(5);
    expect(await searches.first('select 3 as three')).toEqual({ three: 3 });
  } finally {
    await searches.close();
    await db.close();
  }
});
