/** What a search looks at where an index of words has to read much before it tells that there is nothing. */
import path from 'node:path';
import { type TestDatabase, createTestDatabase } from '../testing/database';
import { lookingAt } from '../testing/looked-at';
import { createLog } from '../log';
import { openDatabase } from './pool';
import { runSearch } from './run-search';
import type { Database } from './sql';

const MANY = 480_000;

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase(path.resolve(__dirname, '../testing/sample-migrations'));
  db = openDatabase({
    url: database.url,
    application: 'test',
    log: createLog('test', 'api', 'silent'),
    size: 1,
  });
  // Every second row is of a kind that never has the word, which all others have.
  await db.run(
    `create table things as
       select n as id, n % 2 = 0 as is_file, case when n % 2 = 0 then 'a file' else 'a word' end as words from generate_series(1, ${MANY}) as n`,
  );
  await db.run('create index things_id on things (id) where is_file');
  await db.run('vacuum analyze things');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('a word that all others have is not looked for in all rows that never have it', async () => {
  const seen = lookingAt(db);
  const byId = [{ sql: 't.id', direction: 'desc' }] as const;
  const { plan, ids } = await runSearch(
    seen.db,
    {
      table: 'things',
      as: 't',
      where: `t.is_file and t.words like '%word%'`,
      values: [],
      order: byId,
      base: 't.is_file',
      words: `t.words like '%word%'`,
      filters: 't.is_file',
      indexed: true,
      first: byId,
      text: 't.words',
    },
    { skip: 0, size: 10 },
  );
  expect([plan.strategy, plan.more, ids]).toEqual(['head', true, []]);
  expect(seen.lookedAt.get('things')).toBeLessThan(MANY / 4);
});
