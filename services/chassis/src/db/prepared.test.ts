/** Which statements stay prepared: what is asked all the time is planned once, and clients cannot use up what others need. */
import path from 'node:path';
import { createLog } from '../log';
import { type TestDatabase, createTestDatabase } from '../testing/database';
import { listWhole } from './page';
import { openDatabase } from './pool';
import { Conditions, type Database } from './sql';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase(path.resolve(__dirname, '../testing/sample-migrations'));
  db = openDatabase({
    url: database.url,
    size: 1,
    application: 'test',
    log: createLog('test', 'api', 'silent'),
  });
  await db.run('create table things (id bigint primary key, name text not null)');
  await db.run(`insert into things select n, 'thing ' || n from generate_series(1, 30) n`);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const uses = async (part: string): Promise<number[]> => {
  const found = await db.rows<{ n: number }>(
    `select generic_plans + custom_plans as n from pg_prepared_statements where position('${part}' in statement) > 0`,
    [],
    { planFor: 'values' },
  );
  return found.map(({ n }) => n);
};

const list = (conditions: Conditions, skip = 0, size = 10): Promise<{ rows: { id: number }[] }> =>
  listWhole<{ id: number }>(
    db,
    {
      table: 'things',
      as: 'thing',
      columns: 'thing.id',
      conditions,
      order: [{ sql: 'thing.id', direction: 'asc' }],
      planFor: 'values',
    },
    { skip, size },
  );

test('the first page of a list without filters is planned once, others for what they ask', async () => {
  for (let n = 0; n < 3; n++) await list(new Conditions());
  expect(await uses('from things thing')).toEqual([3]);
  await list(new Conditions(), 10);
  await list(new Conditions(), 0, 7);
  const { rows } = await list(new Conditions().add('thing.id > ?', 25));
  expect(rows.map(({ id }) => id)).toEqual([26, 27, 28, 29, 30]);
  expect(await uses('from things thing')).toEqual([3]);
});

test('texts of which clients choose the form leave names for all others', async () => {
  for (let n = 0; n < 500; n++) await db.first(`select ${n} as form_of_many`, [], { planFor: 'form' });
  expect((await uses('form_of_many')).length).toBeLessThan(200);
  for (let n = 0; n < 2; n++) await db.first('select 1 as hot_statement');
  expect(await uses('hot_statement')).toEqual([2]);
});
