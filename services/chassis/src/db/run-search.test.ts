/** What a search looks at where an index of words has to read much before it tells that there is nothing. */
import path from 'node:path';
import { type TestDatabase, createTestDatabase } from '../testing/database';
import { lookingAt } from '../testing/looked-at';
import { createLog } from '../log';
import { openDatabase } from './pool';
import { runSearch } from './run-search';
import type { SearchSpec } from './search';
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

describe('each way to the rows', () => {
  const ROWS = 100_000;
  const byId = [{ sql: 't.id', direction: 'desc' }] as const;
  const spec = (where: string, words: string, more: Partial<SearchSpec> = {}): SearchSpec => ({
    table: 'ways',
    as: 't',
    where,
    values: [],
    order: byId,
    base: 'true',
    words,
    filters: 'true',
    indexed: true,
    first: byId,
    text: 't.words',
    ...more,
  });
  /** Rows of one width, so that the blocks of a sample hold the same ones whatever they say. */
  const fill = async (word: string): Promise<void> => {
    await db.run('drop table if exists ways');
    await db.run(
      `create table ways as select n as id, n % 10 as kind, case when ${word} then 'a word here' else 'a wxyz here' end as words
         from generate_series(1, ${ROWS}) as n order by n * 7919 % ${ROWS}`,
    );
    await db.run('create index ways_id on ways (id, kind)');
    await db.run('create index ways_kind on ways (kind)');
    await db.run('create index ways_words on ways using gin (words gin_trgm_ops)');
    await db.run('vacuum analyze ways');
  };
  const asked: string[] = [];
  const pageOf = async (one: SearchSpec, skip: number): Promise<readonly number[]> => {
    asked.length = 0;
    const listening = {
      ...db,
      rows: (text: string, ...rest: [unknown[]?, object?]) => {
        if (text.includes('with found')) asked.push(text);
        return db.rows(text, ...rest);
      },
    } as typeof db;
    return (await runSearch(listening, one, { skip, size: 10 })).ids;
  };
  const recount = async (where: string, skip: number): Promise<readonly number[]> =>
    (
      await db.rows<{ id: number }>(
        `select id from ways t where ${where} order by id desc limit 10 offset $1`,
        [skip],
      )
    ).map(({ id }) => id);
  const WORD = `t.words like '%word%'`;

  test('along the order, by its index alone where that can tell', async () => {
    await fill('n % 3 > 0');
    const known = { sql: 't.kind < 5', ofRow: 't.kind < 5' };
    const where = `${WORD} and t.kind < 5`;
    for (const skip of [0, 4_000, 9_990]) {
      expect(await pageOf(spec(where, WORD, { known }), skip)).toEqual(await recount(where, skip));
      expect(asked.map((text) => text.includes('lateral'))).toEqual([true]);
    }
  });

  test('by words, and by these as far as the cut', async () => {
    await fill('n % 12 = 0');
    expect(await pageOf(spec(WORD, WORD), 4_000)).toEqual(await recount(WORD, 4_000));
    expect(asked.map((text) => text.includes('from ways t where (t.words like'))).toEqual([true]);
    await fill('n % 5 = 0');
    expect(await pageOf(spec(WORD, WORD), 9_990)).toEqual(await recount(WORD, 9_990));
    expect(asked.map((text) => / or t\.id = /.test(text))).toEqual([true]);
  });

  test('as PostgreSQL likes it, where a filter keeps few', async () => {
    await fill('n % 3 > 0');
    const where = `${WORD} and t.kind = 5 and t.id % 20 = 5`;
    const one = spec(where, WORD, { filters: 't.kind = 5' });
    expect(await pageOf(one, 2_000)).toEqual(await recount(where, 2_000));
    expect(asked.map((text) => text.includes('is true'))).toEqual([false]);
  });

  test('behind what was found, where the sample had promised more', async () => {
    await fill('false');
    const percent = ((2_000 / ROWS) * 100).toFixed(6);
    const sampled = await db.rows<{ id: number }>(
      `select id from ways tablesample system (${percent}) repeatable (0)`,
    );
    // All of the newest that the sample sees, and few of the others.
    const seen = sampled.map(({ id }) => id).filter((id) => id > ROWS * 0.7);
    await fill(`n = any(array[${seen.join(', ')}]) or (n < ${ROWS * 0.7} and n % 4 = 0)`);
    for (const skip of [1_000, 5_000, 9_990])
      expect(await pageOf(spec(WORD, WORD), skip)).toEqual(await recount(WORD, skip));
    expect(await pageOf(spec(WORD, WORD), 2_000)).toEqual(await recount(WORD, 2_000));
    expect(asked.length).toBeGreaterThan(1);
  });

  test('a condition of the index that is one of two', async () => {
    await fill('n % 3 > 0');
    const where = `(t.kind = 1 or t.kind = 2) and ${WORD}`;
    for (const skip of [0, 9_990])
      expect(await pageOf(spec(where, WORD, { base: 't.kind = 1 or t.kind = 2' }), skip)).toEqual(
        await recount(where, skip),
      );
  });
});
