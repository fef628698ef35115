/** Migrations under a lock: once, in order, and never edited. */
import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toApiError } from '../errors';
import { createLog } from '../log';
import { createTestDatabase, type TestDatabase } from '../testing/database';
import { startFreezable } from '../testing/freezable';
import { until } from '../testing/until';
import { applyMigrations, migrate } from './migrate';
import { openDatabase } from './pool';
import type { Database } from './sql';

const LOCK_OF_MIGRATIONS = 727_001;

let database: TestDatabase;
let db: Database;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase(path.resolve(__dirname, '../testing/sample-migrations'));
  db = openDatabase({
    url: database.url,
    size: 4,
    application: 'test',
    log: createLog('test', 'api', 'silent'),
  });
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'migrations-')), 'migrations');
  await mkdir(folder);
});
afterAll(async () => {
  await db.close();
  await database.drop();
  await rm(path.dirname(folder), { recursive: true });
});

test('several processes at once apply each file once', async () => {
  await writeFile(path.join(folder, '0001_a.sql'), 'create table a (n int); insert into a values (1);');
  await writeFile(path.join(folder, '0002_b.sql'), 'insert into a values (2);');
  const applied = await Promise.all([
    migrate(db.pool, [folder]),
    migrate(db.pool, [folder]),
    migrate(db.pool, [folder]),
  ]);
  expect(applied.flat()).toHaveLength(2);
  expect(await db.rows('select n from a order by n')).toEqual([{ n: 1 }, { n: 2 }]);
});

test('who has nothing to apply waits for nobody, and takes no session', async () => {
  await db.transaction(async (tx) => {
    await tx.run('select pg_advisory_xact_lock($1)', [LOCK_OF_MIGRATIONS]);
    expect(await migrate(db.pool, [folder], 'postgres://127.0.0.1:1/nowhere')).toEqual([]);
  });
});

test('a failing file leaves nothing behind and says which it was', async () => {
  await writeFile(path.join(folder, '0003_bad.sql'), 'insert into a values (3); select nothing_there();');
  await expect(migrate(db.pool, [folder])).rejects.toThrow(/0003_bad\.sql failed/);
  expect(await db.rows('select n from a where n = 3')).toEqual([]);
  await rm(path.join(folder, '0003_bad.sql'));
});

test('where applied files have changed nothing is applied, and the operator is told which, where and what to do', async () => {
  await writeFile(path.join(folder, '0001_a.sql'), 'select 1');
  await writeFile(path.join(folder, '0002_b.sql'), 'select 2');
  const other = path.join(path.dirname(folder), 'other', 'migrations');
  await mkdir(other, { recursive: true });
  await writeFile(path.join(other, '0001_new.sql'), 'create table too_early (n int)');
  const fault = await migrate(db.pool, [other, folder]).catch((error: Error) => error.message);
  const name = (await db.first<{ name: string }>('select current_database() as name'))?.name;
  expect(fault).toContain(`The database ${name} was prepared by another version`);
  expect(fault).toMatch(/\/0001_a\.sql \(applied 20\d\d-\d\d-\d\d\), \S+\/0002_b\.sql \(applied/);
  expect(fault).toContain('run the version that prepared it');
  expect(fault).toContain('give this service an empty database');
  expect(await db.first(`select to_regclass('too_early') as made`)).toEqual({ made: null });
});

test('while something long holds a table, others go on to read and write it, and the file comes behind it, once', async () => {
  const own = path.join(path.dirname(folder), 'beside', 'migrations');
  await mkdir(own, { recursive: true });
  await writeFile(
    path.join(own, '0001_more.sql'),
    'alter table beside add column m int; insert into beside values (2, 2);',
  );
  await db.run('create table beside (n int)');
  let applied: Promise<string[]> | undefined;
  await db.transaction(async (backup) => {
    await backup.run('lock table beside in access share mode');
    applied = migrate(db.pool, [own]);
    applied.catch(() => undefined);
    for (const look of [1, 2]) {
      await until(() =>
        db.first(`select 1 from pg_locks where relation = 'beside'::regclass and not granted`),
      );
      await db.run('insert into beside values ($1)', [-look]);
    }
  });
  expect(await applied).toEqual(['beside/0001_more.sql']);
  expect(await db.rows('select n from beside order by n')).toEqual([{ n: -2 }, { n: -1 }, { n: 2 }]);
});

describe('where the database has limits for its sessions', () => {
  const sessionsIn = async (limits: readonly string[]): Promise<void> => {
    const name = (await db.first<{ name: string }>('select current_database() as name'))!.name;
    for (const limit of limits) await db.run(`alter database ${name} ${limit}`);
  };
  // Each counts for sessions that begin after it; those of the pool above have their own.
  beforeAll(() => sessionsIn([`set statement_timeout = '200ms'`, `set lock_timeout = '200ms'`]));
  afterAll(() => sessionsIn(['reset statement_timeout', 'reset lock_timeout']));
  const inFolder = async (name: string, sql: string): Promise<string> => {
    const own = path.join(path.dirname(folder), name, 'migrations');
    await mkdir(own, { recursive: true });
    await writeFile(path.join(own, '0001_slow.sql'), sql);
    return own;
  };

  test('a file may take longer', async () => {
    const slow = await inFolder('slow', 'select pg_sleep(0.5)');
    expect(await migrate(db.pool, [slow])).toEqual(['slow/0001_slow.sql']);
  });

  test('and so may waiting for another process, or for what holds a table', async () => {
    const held = await inFolder('held', 'alter table held add column m int');
    await db.run('create table held (n int)');
    const waits = async (type: string): Promise<void> =>
      until(async () =>
        db.first(
          `select 1 from pg_locks join pg_stat_activity using (pid)
           where datname = current_database() and locktype = $1 and not granted and clock_timestamp() - query_start > interval '500 ms'`,
          [type],
        ),
      ).then(() => undefined);
    let applied: Promise<string[]> | undefined;
    await db.transaction(async (table) => {
      await table.run('lock table held in access exclusive mode');
      await db.transaction(async (tx) => {
        await tx.run('select pg_advisory_xact_lock($1)', [LOCK_OF_MIGRATIONS]);
        applied = migrate(db.pool, [held]);
        applied.catch(() => undefined);
        await Promise.race([waits('advisory'), applied]);
      });
      await Promise.race([waits('relation'), applied]);
    });
    expect(await applied).toEqual(['held/0001_slow.sql']);
  });
});

test('a server that takes the connection and says nothing is away', async () => {
  const url = new URL(database.url);
  const door = await startFreezable(Number(url.port));
  door.freeze();
  url.port = String(door.port);
  try {
    const fault = applyMigrations({ connectionString: url.toString(), connectionTimeoutMillis: 100 }, []);
    expect(await fault.catch((error: unknown) => toApiError(error).status)).toBe(503);
  } finally {
    await door.stop();
  }
});
