/** One moment of several databases: what is written there one after the other is never seen in another order. */
import { Client } from 'pg';
import { startFreezable } from '@sevenfold/chassis/testing/freezable';
import { createTestDatabase, type TestDatabase } from '@sevenfold/chassis/testing/database';
import path from 'node:path';
import { until } from '../test-support';
import { findMoment, type Patience } from './moment';

const MIGRATIONS = path.resolve(__dirname, '../../../../services/chassis/src/testing/sample-migrations');
const WRITERS = 3;

const databases: TestDatabase[] = [];
const open: Client[] = [];
let readers: Client[];

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  open.push(client);
  return client;
}

beforeAll(async () => {
  for (let n = 0; n < 3; n += 1) {
    const database = await createTestDatabase(MIGRATIONS);
    databases.push(database);
    const client = await connect(database.url);
    await client.query('create table steps (n int, round int, primary key (n, round))');
  }
  readers = await Promise.all(databases.map(({ url }) => connect(url)));
});
afterAll(async () => {
  for (const client of open) await client.end().catch(() => undefined);
  for (const database of databases) await database.drop();
});

/** Each writes one row after the other, round about through the databases. Answers how to end them. */
async function write(): Promise<() => Promise<number>> {
  let stopped = false;
  let rows = 0;
  const working = await Promise.all(
    Array.from({ length: WRITERS }, async (_, n) => {
      const clients = await Promise.all(databases.map(({ url }) => connect(url)));
      for (const client of clients) await client.query('delete from steps where n = $1', [n]);
      return async (): Promise<void> => {
        for (let round = 0; !stopped; round += 1)
          for (const client of clients) {
            await client.query('insert into steps (n, round) values ($1, $2)', [n, round]);
            rows += 1;
          }
      };
    }),
  );
  const running = Promise.all(working.map((work) => work()));
  return async () => {
    stopped = true;
    await running;
    return rows;
  };
}

/** How far each writer is, in each database. */
const look = (): Promise<number[][]> =>
  Promise.all(
    readers.map(async (client) => {
      const { rows } = await client.query<{ rounds: number }>(
        `select count(s.round)::int as rounds from generate_series(0, ${WRITERS - 1}) as n left join steps s using (n) group by n order by n`,
      );
      return rows.map(({ rounds }) => rounds);
    }),
  );

const commit = (): Promise<unknown> => Promise.all(readers.map((client) => client.query('commit')));

/** What a writer does first is there if what it does later is, and it is at one place only. */
function violations(rounds: readonly number[][]): number {
  const [first = [], second = [], third = []] = rounds;
  return first.filter((a, n) => {
    const [b, c] = [second[n] as number, third[n] as number];
    return !(a >= b && b >= c && c >= a - 1);
  }).length;
}

describe.each<[string, Patience]>([
  ['looking', { looks: 100_000, holds: 0 }],
  ['holding writes back', { looks: 0, holds: 100 }],
])('%s', (_how, patience) => {
  it('finds a moment while others write, again and again', async () => {
    const stop = await write();
    let longest = 0;
    const seen: number[][][] = [];
    try {
      for (let n = 0; n < 40; n += 1) {
        const { heldMs } = await findMoment(readers, patience);
        longest = Math.max(longest, heldMs);
        seen.push(await look());
        await commit();
      }
    } finally {
      expect(await stop()).toBeGreaterThan(40);
    }
    expect(seen.map(violations)).toEqual(seen.map(() => 0));
    expect(longest > 0).toBe(patience.looks === 0);
  });

  it('shows the same for as long as the transactions are open', async () => {
    const stop = await write();
    try {
      await findMoment(readers, patience);
      const first = await look();
      const before = (await open[0]!.query('select count(*)::int as n from steps')).rows[0] as { n: number };
      await until('others have written', async () => {
        const now = (await open[0]!.query('select count(*)::int as n from steps')).rows[0] as { n: number };
        return now.n > before.n;
      });
      expect(await look()).toEqual(first);
      await commit();
    } finally {
      await stop();
    }
  });
});

test('a transaction that writes for long keeps nobody from looking, and ends a holding that would wait for it', async () => {
  const slow = await connect(databases[0]!.url);
  await slow.query('begin');
  await slow.query('insert into steps (n, round) values (100, 1)');
  await findMoment(readers, { looks: 1_000, holds: 0 });
  await commit();
  await expect(findMoment(readers, { looks: 0, holds: 1 })).rejects.toThrow('No moment was found');
  // Nothing of the attempt holds anybody back.
  const other = await connect(databases[1]!.url);
  await other.query('insert into steps (n, round) values (100, 1)');
  await slow.query('commit');
  // As often as it takes: where the machine is busy locks are given up before all of them are there.
  expect((await findMoment(readers, { looks: 0, holds: 100 })).heldMs).toBeGreaterThan(0);
  await commit();
});

test('one who stands still while he holds writes back loses his locks', async () => {
  const address = new URL(databases[1]!.url);
  const door = await startFreezable(Number(address.port));
  address.port = String(door.port);
  const [stuck, held] = [await connect(address.href), await connect(databases[0]!.url)];
  const faults: string[] = [];
  held.on('error', (error) => faults.push(error.message));
  const watcher = await connect(databases[0]!.url);
  const pid = async (client: Client): Promise<number> =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;
  const [stuckPid, heldPid] = [await pid(stuck), await pid(held)];
  const hasLock = async (who: number, isGranted: boolean): Promise<boolean> =>
    (
      await watcher.query(
        `select from pg_locks where pid = $1 and mode = 'ShareLock' and locktype = 'relation' and granted = $2`,
        [who, isGranted],
      )
    ).rowCount !== 0;

  const slow = await connect(databases[1]!.url);
  await slow.query('begin');
  await slow.query('insert into steps (n, round) values (200, 1)');
  const finding = findMoment([held, stuck], { looks: 0, holds: 1_000 }).then(
    () => 'found',
    (error: Error) => error.message,
  );
  await until(
    'it stands still with locks, and loses them',
    async () => {
      if (!(await hasLock(heldPid, true)) || !(await hasLock(stuckPid, false))) return false;
      door.freeze();
      await until('the locks are gone', async () => !(await hasLock(heldPid, true)));
      if (faults.length > 0) return true;
      // It was about to give up by itself.
      door.thaw();
      return false;
    },
    240_000,
  );
  await watcher.query('insert into steps (n, round) values (200, 1)');
  expect(faults.join()).toMatch(/idle-in-transaction|terminated/);
  expect(await finding).not.toBe('found');
  await slow.query('rollback');
  await door.stop();
});
