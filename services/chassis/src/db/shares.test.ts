/** How many connections a process opens when everything in it wants one: as many as it may, and none more. */
import { isDeepStrictEqual } from 'node:util';
import { Client } from 'pg';
import { enqueue, enqueueAll } from './outbox';
import { ConfigError } from '../config';
import { job } from '../queue/jobs';
import type { ServiceConfig, ServiceDefinition } from '../service-definition';
import { type SampleDeps, sampleService } from '../testing/sample';
import { startTestService } from '../testing/service';
import { until } from '../testing/until';
import { shareOut } from './shares';
import type { Lane } from './lanes';
import type { Database } from './sql';

interface Deps extends SampleDeps {
  readonly searches: Lane;
  readonly lists: Lane;
  readonly identity: Database;
}

const APART = { searches: 1, lists: 2, identity: 1 };

const definition = {
  ...sampleService,
  connections: { api: 9, worker: 7, apart: APART },
  open: async (base) => ({
    ...(await sampleService.open(base)),
    searches: base.apart.searches(),
    lists: base.apart.lists(60_000),
    identity: base.apart.database('identity'),
  }),
  close: async ({ searches, lists, identity }) => {
    await searches.close();
    await lists.close();
    await identity.close();
  },
} as ServiceDefinition<Deps, ServiceConfig>;

const HELD = 'select pg_advisory_xact_lock_shared(4711)';

test.each([
  ['api', { '': 4, '-searches': 1, '-lists': 2, '-identity': 1, '-listener': 1 }],
  ['worker', { '': 6, '-listener': 1 }],
  ['all', { '': 10, '-searches': 1, '-lists': 2, '-identity': 1, '-listener': 1 }],
] as const)('a process of the kind %s', async (ROLE, expected) => {
  const site = await startTestService(definition, { ROLE });
  const { db, searches, lists, identity } = site.deps;
  const outside = new Client({
    connectionString: db.pool.options.connectionString,
    application_name: 'outside',
  });
  await outside.connect();
  const opened = async (): Promise<Record<string, number>> => {
    const { rows } = await outside.query<{ name: string; count: number }>(
      `select substr(application_name, length($1) + 1) as name, count(*)::int from pg_stat_activity
       where datname = current_database() and application_name like $1 || '%' group by 1`,
      [`sample-${ROLE}`],
    );
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  };
  try {
    await outside.query('select pg_advisory_lock(4711)');
    for (let id = 1; id <= 20; id++) await enqueue(db, 'sample.notes', 'apply-note', { id });
    const wanting = [db, searches, lists, identity].flatMap((one) =>
      Array.from({ length: 20 }, () => one.first(HELD)),
    );
    // Those of the start may still be on their way out; who opens more than that stays above it.
    await until(async () => isDeepStrictEqual(await opened(), expected));
    await outside.query('select pg_advisory_unlock(4711)');
    await Promise.allSettled(wanting);
    expect(sum(await opened())).toBeLessThanOrEqual(sum(expected));
  } finally {
    await outside.end();
    await site.stop();
  }
});

test('jobs that each want a second connection do not wait for each other', async () => {
  const queues = ['sample.notes', 'sample.others', 'sample.more'];
  const site = await startTestService(
    {
      ...sampleService,
      jobs: queues.map((queue) =>
        job<SampleDeps, object>({
          queue,
          name: 'want-another',
          handle: async ({ tx, deps }) => {
            // Long enough for all that may run at once to have begun.
            await tx.run('select pg_sleep(0.2)');
            await deps.db.run('select 1');
          },
        }),
      ),
    },
    { ROLE: 'worker', DATABASE_POOL: 6 },
  );
  const { db } = site.deps;
  await enqueueAll(db, 'sample.notes', 'want-another', [{}, {}, {}, {}]);
  await enqueueAll(db, 'sample.others', 'want-another', [{}, {}, {}, {}]);
  await enqueueAll(db, 'sample.more', 'want-another', [{}, {}, {}, {}]);
  await until(async () => (await db.rows('select 1 from outbox where done_at is null')).length === 0);
  expect(await db.rows('select distinct attempts from outbox')).toEqual([{ attempts: 1 }]);
  await site.stop();
});

const sum = (numbers: Readonly<Record<string, number>>): number =>
  Object.values(numbers).reduce((all, one) => all + one, 0);

test('what a service says nothing of is enough to serve and to work', () => {
  expect(shareOut(undefined, 'api')).toEqual({ most: 5, usual: 4, apart: {} });
  expect(shareOut(undefined, 'worker')).toEqual({ most: 7, usual: 6, apart: {} });
});

test('DATABASE_POOL is all of them together, and too few end the start with what is needed', () => {
  const declared = { api: 9, worker: 7, apart: APART };
  expect(shareOut(declared, 'api', 30)).toEqual({ most: 30, usual: 25, apart: APART });
  expect(() => shareOut(declared, 'api', 6)).toThrow(
    new ConfigError(['DATABASE_POOL: must be at least 7 for this process (got "6")']),
  );
  expect(() => shareOut(declared, 'worker', 5)).toThrow('DATABASE_POOL: must be at least 6');
});
