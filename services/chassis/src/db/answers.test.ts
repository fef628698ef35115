/** What those who work with a database know of it, while nobody else gets a connection. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../log';
import { testServers } from '../testing/servers';
import { startFreezable } from '../testing/freezable';
import { until } from '../testing/until';
import { watchAnswers } from './answers';
import { openDatabase } from './pool';

const LONGEST_MS = 200;
/** What is left to each statement beyond its time. */
const SLACK_MS = 5_000;

test('any statement is an answer, one that fails and one within a transaction, too; a server that stands still gives none', async () => {
  const url = new URL(testServers().adminUrl);
  const door = await startFreezable(Number(url.port));
  [url.hostname, url.port] = ['127.0.0.1', String(door.port)];
  const db = openDatabase({
    url: url.toString(),
    size: 1,
    application: 'answers',
    log: createLog('answers', 'test', 'silent'),
    statementTimeoutMs: LONGEST_MS,
  });
  const asked = [
    () => db.first('select 1'),
    () => db.first('select 1 / (select 0)').catch(() => undefined),
    () => db.transaction((tx) => tx.first('select 1')),
    // Ended by its limit.
    () => db.first('select pg_sleep(60)').catch(() => undefined),
  ];
  for (const ask of asked) {
    const answers = watchAnswers(db.pool, LONGEST_MS - SLACK_MS);
    // Only what is connected from now on is watched.
    await db.pool.connect().then((client) => client.release(true));
    expect(answers()).toBe(false);
    await ask();
    await until(answers);
    await until(() => !answers());
  }
  const answers = watchAnswers(db.pool, LONGEST_MS);
  await db.pool.connect().then((client) => client.release(true));
  await db.first('select 1');
  await sleep(LONGEST_MS);
  expect(answers()).toBe(true);
  door.freeze();
  const lost = db.first('select 1').catch(() => undefined);
  await sleep(SLACK_MS + 50);
  expect(answers()).toBe(false);
  door.thaw();
  await lost;
  await db.close();
  await door.stop();
});
