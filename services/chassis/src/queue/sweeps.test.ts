/** Sweeps whose time comes only after an hour: what fails runs again long before. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { openDatabase } from '../db/pool';
import type { Database } from '../db/sql';
import { createLog } from '../log';
import { type TestDatabase, createTestDatabase } from '../testing/database';
import { sampleService } from '../testing/sample';
import { testServers } from '../testing/servers';
import { until } from '../testing/until';
import { type Sweeper, startSweeps } from './sweeps';

let faults: number;
const log = createLog('sweeps', 'test', 'error', {
  write: (line: string) => void (line.includes('"sweep":"') && (faults += 1)),
});
let database: TestDatabase;
let db: Database;
let server: Database;
let sweeper: Sweeper | undefined;

beforeEach(async () => {
  faults = 0;
  database = await createTestDatabase(sampleService.migrations as string);
  db = openDatabase({ url: database.url, size: 4, application: 'test', log });
  server = openDatabase({ url: testServers().adminUrl, size: 1, application: 'test', log });
});
afterEach(async () => {
  await sweeper?.stop();
  await db.close();
  await server.close();
  await database.drop();
});

const everyHour = (name: string, run: () => Promise<void>): Parameters<typeof startSweeps>[0][number] => ({
  name,
  everySeconds: 3_600,
  run,
});
const letIn = (allowed: boolean): Promise<number> =>
  server.run(`alter database ${new URL(database.url).pathname.slice(1)} allow_connections ${allowed}`);

test('sweeps that find no database at the start run as soon as it is there', async () => {
  const ran: string[] = [];
  await letIn(false);
  const names = ['one', 'two', 'three'];
  sweeper = startSweeps(
    names.map((name) =>
      everyHour(name, async () => {
        await db.run('select 1');
        ran.push(name);
      }),
    ),
    {},
    db,
    log,
  );
  await until(() => faults > 0);
  await letIn(true);
  await until(() => ran.length >= names.length);
  expect(ran.sort()).toEqual([...names].sort());
});

test('one that fails is tried again and again, and others go on meanwhile', async () => {
  let tries = 0;
  let others = 0;
  sweeper = startSweeps(
    [
      everyHour('failing', () => {
        tries += 1;
        return tries < 3 ? Promise.reject(new Error('failed on purpose')) : Promise.resolve();
      }),
      everyHour('other', () => Promise.resolve(void others++)),
    ],
    {},
    db,
    log,
  );
  await until(() => tries === 3 && others > 0);
  expect(faults).toBe(2);
  expect(others).toBe(1);
  await sweeper.stop();
  expect(tries).toBe(3);
});

test('they run one after another, but one that lasts keeps nobody waiting', async () => {
  const HOUR = 3_600_000;
  const names = ['one', 'two', 'three'];
  let [running, most, done] = [0, 0, 0];
  const run = async (): Promise<void> => {
    most = Math.max(most, (running += 1));
    await db.run('select pg_sleep(0.05)');
    running -= 1;
    done += 1;
  };
  sweeper = startSweeps(
    names.map((name) => everyHour(name, run)),
    {},
    db,
    log,
    HOUR,
  );
  await until(() => done === names.length);
  expect(most).toBe(1);
  await sweeper.stop();

  let end = (): void => undefined;
  const lasting = new Promise<void>((resolve) => (end = resolve));
  sweeper = startSweeps(
    [everyHour('lasting', () => lasting), ...names.map((name) => everyHour(name, run))],
    {},
    db,
    log,
  );
  await until(() => done === 2 * names.length);
  end();
});

const source = (name: string): string => JSON.stringify(path.join(__dirname, '..', name));

/** Tells when it is at work, which never ends. */
const PROGRAM = `
  const { openDatabase } = require(${source('db/pool.ts')});
  const { createLog } = require(${source('log.ts')});
  const { startSweeps } = require(${source('queue/sweeps.ts')});
  const log = createLog('sweeps', 'test', 'silent');
  const db = openDatabase({ url: process.env.DATABASE_URL, size: 4, application: 'stopped', log });
  const run = () => new Promise(() => console.log('at work'));
  startSweeps([{ name: 'shared', everySeconds: 3600, run }], {}, db, log);`;

test('one whose process is stopped in the middle of it goes to another, and not while it works', async () => {
  const child = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), '--eval', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: database.url },
  });
  try {
    await once(child.stdout, 'data');
    let ran = 0;
    const run = (): Promise<void> => Promise.resolve(void ran++);
    sweeper = startSweeps([{ name: 'shared', everySeconds: 1, run }], {}, db, log);
    // It says now and then that it still holds the lock.
    const said = async (): Promise<string | undefined> =>
      (
        await db.first<{ at: string }>(
          `select state_change::text as at from pg_stat_activity
            where application_name like '%stopped%' and datname = current_database() and state = 'idle in transaction'`,
        )
      )?.at;
    const first = await until(said);
    await until(async () => ![undefined, first].includes(await said()));
    expect(ran).toBe(0);
    child.kill('SIGSTOP');
    await until(() => ran > 0);
  } finally {
    child.kill('SIGKILL');
  }
});
