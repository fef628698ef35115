/** What a session wrote is told with the commit, or as a notice where there is none; what may have been written is not known. */
import path from 'node:path';
import { Client } from 'pg';
import { createLog } from '../log';
import { type Wrote, messagesOf, openWrote } from '../news/wrote';
import { forRequest } from '../request-id';
import { type TestDatabase, createTestDatabase } from '../testing/database';
import { openDatabase } from './pool';
import type { Database } from './sql';

let database: TestDatabase;
let db: Database;
let notices = 0;

beforeAll(async () => {
  database = await createTestDatabase(path.resolve(__dirname, '../testing/sample-migrations'));
  db = openDatabase({
    url: database.url,
    size: 1,
    application: 'test',
    log: createLog('test', 'api', 'silent'),
  });
  db.pool.on('connect', (client) => client.on('notice', () => (notices += 1)));
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() => {
  notices = 0;
});

const noting = async (work: () => Promise<unknown>): Promise<Wrote> => {
  const wrote = openWrote();
  await forRequest('asked', work, { wrote }).catch(() => undefined);
  return wrote;
};
const tagsOf = (wrote: Wrote): string[] => messagesOf(wrote.told() as string).map(({ tags }) => tags);

test('a session that nothing was told in yet commits as any other', async () => {
  const kept = await noting(() => db.transaction((tx) => tx.run('create table kept (id int)')));
  expect(kept.told()).toBe('-');
  expect(await db.rows('select from kept')).toEqual([]);
});

test('a transaction is told its news with its commit, without those of a part that was undone, and only its own', async () => {
  const wrote = await noting(() =>
    db.transaction(async (tx) => {
      await tx.run(`select tell_news('thing:1', 'thing')`);
      await tx.run('savepoint part');
      await tx.run(`select tell_news('thing:2')`);
      await tx.run('rollback to savepoint part');
      await tx.run(`select tell_news('thing:3')`);
    }),
  );
  expect(tagsOf(wrote)).toEqual(['thing:1|thing', 'thing:3']);
  expect(tagsOf(await noting(() => db.transaction(async (tx) => tx.run('select 1'))))).toEqual([]);
  expect(notices).toBe(0);
});

test('nothing is told twice in a transaction, and what is too long for one message is told by several', async () => {
  const twice = await noting(() =>
    db.transaction(async (tx) => {
      await tx.run(`select tell_news('thing:1', null, 'thing', '')`);
      await tx.run(`select tell_news('thing', '', null), tell_news(null)`);
      await tx.run(`select tell_news('thing:1,2', 'thing')`);
      await tx.run(`select tell_news('thing:1')`);
    }),
  );
  expect(tagsOf(twice)).toEqual(['thing:1|thing', 'thing:1,2|thing']);
  const long = ['a', 'b', 'c'].map((letter) => letter.repeat(3_000));
  const listener = new Client(database.url);
  const heard: string[] = [];
  listener.on('notification', ({ payload = '' }) => heard.push(payload.replace(/^\d+ /, '')));
  await listener.connect();
  try {
    await listener.query('listen news');
    await db.transaction((tx) => tx.run(`select tell_news($1, $2, '', $3, null)`, long));
    await listener.query('');
    expect(heard).toEqual([`${long[0]}|${long[1]}`, long[2]]);
  } finally {
    await listener.end();
  }
});

test('a process of the release before, which asks in its own way, is told in the same', async () => {
  await db.transaction(async (tx) => {
    await tx.run(`set local news.kept = 'on'`);
    await tx.run(`set local news.wrote = ''`);
    await tx.run(`select tell_news('thing:1', 'thing')`);
    await tx.run(`select tell_news('thing:2')`);
    const [row] = await tx.rows<{ wrote: string }>(`select current_setting('news.wrote') as wrote`);
    expect(row?.wrote).toMatch(/^\d+ thing:1\|thing\n\d+ thing:2\n$/);
  });
  expect(notices).toBe(0);
});

test('a statement by itself is told by a notice, also on a connection that had a transaction before', async () => {
  expect(tagsOf(await noting(() => db.run(`select tell_news('thing:4')`)))).toEqual(['thing:4']);
  expect(notices).toBe(1);
});

test('of what was undone there are none; more than fits, and a commit that nobody heard the end of, are not known', async () => {
  const fail = (): Promise<never> => Promise.reject(new Error('no'));
  const undone = await noting(() =>
    db.transaction(async (tx) => {
      await tx.run(`select tell_news('thing:5')`);
      return fail();
    }),
  );
  expect(tagsOf(undone)).toEqual([]);
  const many = await noting(() =>
    db.transaction(async (tx) =>
      tx.run(`select tell_news(repeat('thing:' || n || ',', 500)) from generate_series(1, 9) n`),
    ),
  );
  expect(many.told()).toBeUndefined();
  const cut = await noting(() =>
    db.transaction(async (tx) => {
      await tx.run(`select tell_news('thing:6')`);
      // Whatever comes after it goes to nobody.
      await tx.run('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    }),
  );
  expect(cut.told()).toBeUndefined();
});
