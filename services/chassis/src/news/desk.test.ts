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
