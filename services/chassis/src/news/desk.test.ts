/** Who follows is told in the order of commits; messages that come together are told together. */
import path from 'node:path';
import { openListener, type Listener } from '../db/listen';
import { openDatabase } from '../db/pool';
import type { Database } from '../db/sql';
import { createLog } from '../log';
import { type TestDatabase, createTestDatabase } from '../testing/database';
import { until } from '../testing/until';
import { type News, type NewsDesk, openNewsDesk } from './desk';

const log = createLog('test', 'api', 'silent');
let database: TestDatabase;
let db: Database;
let listener: Listener;
let desk: NewsDesk;
const stopping = new AbortController();

beforeAll(async () => {
  database = await createTestDatabase(path.resolve(__dirname, '../testing/sample-migrations'));
  db = openDatabase({ url: database.url, size: 2, application: 'test', log });
  listener = openListener({ url: database.url, application: 'test', log });
  desk = openNewsDesk(listener, db);
  await until(() => listener.caughtUp());
});
afterAll(async () => {
  stopping.abort();
  await listener.stop();
  await db.close();
  await database.drop();
});

const MANY = 500;

test('what comes together is told together, all of it in order; nobody is said to have heard what was not told', async () => {
  const told: News[] = [];
  const follow = async (): Promise<void> => {
    for await (const news of desk.follow(stopping.signal)) told.push(news);
  };
  void follow();
  await until(() => told.length > 0);
  // As each message is heard, what those who follow have been told last.
  const heard: string[] = [];
  const deafen = listener.hear({ channels: ['news'], onMessage: () => heard.push(desk.heard()) });
  await until(() => listener.caughtUp());
  await db.run(
    `select pg_notify('news', pg_current_xact_id()::text || ' note:' || n) from generate_series(1, $1::int) as n`,
    [MANY],
  );
  const last = await desk.latest();
  expect(desk.heard()).toBe(last);
  expect(desk.knows(last)).toBe(true);
  await until(() => told.some(({ id, tags }) => id === last && tags !== ''));
  const all = told.filter(({ tags }) => tags.startsWith('note:'));
  expect(all.flatMap(({ tags }) => tags.split('|'))).toEqual(
    Array.from({ length: MANY }, (_, at) => `note:${at + 1}`),
  );
  // By messages that each name the ids of those they tell of.
  expect(all.length).toBeLessThan(MANY / 10);
  expect(new Set(all.flatMap(({ id, earlier }) => [...earlier, id])).size).toBe(MANY);
  expect(heard).toHaveLength(MANY);
  expect(new Set(heard).size).toBeLessThan(MANY / 2);
  deafen();
});

test('what comes alone waits for others, but not for long where somebody asks', async () => {
  const told: News[] = [];
  const follow = async (): Promise<void> => {
    for await (const news of desk.follow(stopping.signal)) told.push(news);
  };
  void follow();
  // Beats come when nothing else does, so by the second one nothing was told for a while.
  const silence = async (): Promise<void> => {
    const before = told.length;
    await until(() => told.length >= before + 3 && told.slice(-2).every(({ tags }) => tags === ''));
  };
  await silence();
  await db.run(
    `select pg_notify('news', pg_current_xact_id()::text || ' ' || tag) from unnest($1::text[]) as tag`,
    [['first:1', 'second:1']],
  );
  await until(() => told.some(({ tags }) => tags.includes('second:1')));
  const lots = told.filter(({ tags }) => tags !== '');
  expect(lots.map(({ tags, earlier }) => [tags, earlier.length])).toEqual([['first:1|second:1', 1]]);
  await silence();
  const answers: string[] = [];
  const deafen = listener.hear({ channels: ['news'], onMessage: () => answers.push(desk.heard()) });
  await until(() => listener.caughtUp());
  await db.run(`select pg_notify('news', pg_current_xact_id()::text || ' asked:1')`);
  await until(() => told.some(({ tags }) => tags === 'asked:1'));
  expect(answers).toEqual([told.find(({ tags }) => tags === 'asked:1')?.id]);
  deafen();
});
