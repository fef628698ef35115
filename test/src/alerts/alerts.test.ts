/**
 * Each alert of the chart tried on a whole stack of real processes: while all is well none fires; then a fault is made, and
 * those that are meant for it fire, and no other. `npm run test:alerts`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@sevenfold/chassis/ports';
import { until } from '@sevenfold/chassis/testing/until';
import { registerImport } from '@sevenfold/imports/commands';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import { createLog } from '@sevenfold/chassis/log';
import { Queue, createNodeRedisClient } from 'bullmq';
import { createClient } from '@redis/client';
import { Client } from 'pg';
import { type TestStack, startTestStack } from '../support/stack';
import { superuserUrl } from '../support/superuser';
import { type Watch, alertsOf, pageOf, startWatch } from './watch';

const ROOT = path.resolve(__dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(ROOT, 'deploy', file), 'utf8');
const RULES = read('helm/sevenfold/files/alerts.yaml');
const EVENTS = '/rest/calendar/events/v1/events';
const POSTS = '/rest/core/v2/posts';
/** Longer than a read may take; in each five minutes of a rule, which are ten looks, some must come to their end. */
const HELD_MS = 3_000;
/** Ten minutes of a rule behind the five that it looks back on, and some. */
const LOOKS = 40;

let stack: TestStack;
let pages: Record<string, string>;

beforeAll(async () => {
  const port = await freePort();
  stack = await startTestStack({ METRICS_PORT: String(port), LOG_LEVEL: 'fatal' });
  pages = Object.fromEntries(
    Object.entries(stack.run().services).map(([name, { http }]) => [
      name,
      name === 'gateway' ? `http://127.0.0.1:${port}/metrics` : `${http}/metrics`,
    ]),
  );
}, 300_000);
afterAll(() => stack?.stop(), 120_000);

const signed = (more: Record<string, string> = {}): Record<string, string> => ({
  Authorization: stack.administrator,
  ...more,
});

async function ask(where: string, init: RequestInit = {}): Promise<number> {
  try {
    const answer = await fetch(stack.url + where, {
      headers: signed(),
      signal: AbortSignal.timeout(60_000),
      ...init,
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

const postJson = (where: string, body: object): Promise<number> =>
  ask(where, {
    method: 'POST',
    headers: signed({ 'Content-Type': 'application/json' }),
    body: JSON.stringify(body),
  });

async function superuser(database: string): Promise<Client> {
  const client = new Client({ connectionString: superuserUrl(stack, database) });
  await client.connect();
  return client;
}

/** Repeats until what is given back is called, which waits for the last time. */
function again(work: () => Promise<unknown>, pauseMs = 100): () => Promise<void> {
  let over = false;
  const loop = (async () => {
    while (!over) {
      await work();
      await sleep(pauseMs);
    }
  })();
  return () => {
    over = true;
    return loop;
  };
}

type Undo = () => unknown;

/** What fires while something goes on, with the usual readers around it, a user and a stranger. */
async function firing(fault: (watch: Watch) => Promise<Undo>): Promise<string[]> {
  const readers = [again(() => ask(EVENTS)), again(() => ask('/rest/core/v2/tags', { headers: {} }))];
  const watch = startWatch(pages);
  const undo = await fault(watch);
  const { looks } = watch;
  await until(() => watch.looks >= looks + LOOKS);
  await watch.stop();
  await undo();
  await Promise.all(readers.map((stop) => stop()));
  for (const name of watch.names()) told.add(name);
  return watch.fired(RULES);
}

const tried = new Set<string>();
/** Metrics that were told while anything was tried. */
const told = new Set<string>();
const expectFired = (fired: readonly string[], ...wanted: string[]): void => {
  for (const name of wanted) tried.add(`Sevenfold${name}`);
  expect(fired).toEqual(wanted.map((name) => `Sevenfold${name}`).sort());
};

jest.setTimeout(300_000);

test('a stack that is well', async () => {
  expectFired(await firing(() => Promise.resolve(() => undefined)));
});

test('a service that stands still', async () => {
  const fired = await firing(async () => {
    const thaw = stack.freeze('calendar');
    await until(async () => (await ask(EVENTS)) === 503);
    return thaw;
  });
  expectFired(fired, 'ServiceAway', 'Errors');
  await until(async () => (await ask(EVENTS)) === 200);
});

test('a gateway that tells nothing any more', async () => {
  const fired = await firing(async (watch) => {
    await until(() => watch.looks >= 3);
    return stack.freeze('gateway');
  });
  expectFired(fired, 'GatewayGone');
  await until(async () => (await ask(EVENTS)) === 200);
});

test('a table that is held: reads wait for each other, and then take their time', async () => {
  const made = await postJson(POSTS, { title: 'Held', status: 'publish' });
  expect(made).toBe(201);
  const client = await superuser('content');
  const { rows } = await client.query<{ id: number }>('select max(id)::int as id from posts');
  const ofHeld = (): Promise<number> => ask(`${POSTS}/${rows[0]?.id}`);
  try {
    const fired = await firing(async () => {
      const stops = Array.from({ length: 30 }, () => again(ofHeld, 10));
      const hold = again(async () => {
        await client.query('begin');
        await client.query('lock table posts in access exclusive mode');
        await sleep(HELD_MS);
        await client.query('commit');
      }, 5);
      return async () => {
        await hold();
        await Promise.all(stops.map((stop) => stop()));
      };
    });
    expectFired(fired, 'Slow', 'DatabaseWaits');
  } finally {
    await client.end();
  }
});

test('a database that takes no new connections, after one was lost', async () => {
  const client = await superuser('forms');
  const name = new URL(stack.run().databases.forms as string).pathname.slice(1);
  const admin = await superuser('content');
  const fired = await firing(async () => {
    await admin.query(`alter database ${name} allow_connections false`);
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like '%-listener'`,
      [name],
    );
    return () => admin.query(`alter database ${name} allow_connections true`);
  });
  await client.end();
  await admin.end();
  expectFired(fired, 'DatabaseDeaf');
});

test('a queue that is held', async () => {
  const run = stack.run();
  const redis = createClient({ url: run.redis });
  redis.on('error', () => undefined);
  await redis.connect();
  const client = await superuser('seo');
  const prefix = ((await redis.keys('*:seo.indexables:meta'))[0] as string).split(':')[0] as string;
  const queue = new Queue('seo.indexables', { connection: createNodeRedisClient(redis), prefix });
  const fired = await firing(async () => {
    await queue.pause();
    expect(await postJson(POSTS, { title: 'Waits', status: 'publish' })).toBe(201);
    // Ten minutes later.
    await until(
      async () =>
        ((
          await client.query(
            `update outbox set run_at = run_at - interval '10 minutes' where kind = 'job' and done_at is null and run_at <= now()`,
          )
        ).rowCount ?? 0) > 0,
    );
    return () => queue.resume();
  });
  await queue.close();
  redis.destroy();
  await client.end();
  expectFired(fired, 'QueueOld');
});

test('a worker that tells nothing any more', async () => {
  const fired = await firing(async (watch) => {
    await until(() => watch.looks >= 3);
    return stack.freeze('seo-worker');
  });
  expectFired(fired, 'WorkersSilent');
});

test('a Redis that stands still', async () => {
  const client = await superuser('content');
  const fired = await firing(async () => {
    const thaw = stack.freeze('redis');
    expect(await postJson(POSTS, { title: 'Unheard', status: 'publish' })).toBe(201);
    const { rowCount } = await client.query(
      `update outbox set run_at = run_at - interval '5 minutes' where kind = 'event' and done_at is null`,
    );
    expect(rowCount).toBeGreaterThan(0);
    return thaw;
  });
  await client.end();
  expectFired(fired, 'EventsStuck');
});

test('a log that nobody reads', async () => {
  const port = await freePort();
  // Its output is a pipe that is never read.
  const child: ChildProcess = spawn(process.execPath, [path.join(ROOT, 'services/oembed/dist/program.js')], {
    env: {
      PATH: process.env.PATH,
      ACTOR_SECRET: 'tried',
      REDIS_URL: stack.run().redis,
      REDIS_PREFIX: 'unread',
      HTTP_PORT: String(port),
      ROLE: 'api',
    },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  child.stdout?.pause();
  const url = `http://127.0.0.1:${port}`;
  pages = { ...pages, unread: `${url}/metrics` };
  const long = 'x'.repeat(1_000);
  const reach = async (): Promise<boolean> => {
    try {
      const answer = await fetch(`${url}/rest/oembed/1.0/${long}`);
      await answer.arrayBuffer();
      return true;
    } catch {
      return false;
    }
  };
  await until(reach);
  const fired = await firing(async () => {
    const stops = Array.from({ length: 8 }, () => again(reach, 1));
    await until(async () => /^log_lines_dropped_total [1-9]/m.test((await pageOf(`${url}/metrics`)) ?? ''));
    return () => Promise.all(stops.map((stop) => stop()));
  });
  child.kill('SIGKILL');
  delete pages.unread;
  expectFired(fired, 'LogsDropped');
});

test('a batch that fails for good', async () => {
  const calendar = await superuser('calendar');
  const imports = await superuser('imports');
  const fired = await firing(async () => {
    await calendar.query(
      `create function refused() returns trigger language plpgsql as $$ begin raise exception 'tried'; end $$;
       create trigger refused before insert on events for each row execute function refused()`,
    );
    await imports.query(
      `create function once() returns trigger language plpgsql as $$ begin new.max_attempts = 1; return new; end $$;
       create trigger once before insert on outbox for each row execute function once()`,
    );
    const log = createLog('alerts', 'test', 'silent');
    const url = stack.run().databases.imports as string;
    const db = openDatabase({ url, size: 1, application: 'alerts', log });
    const { importId, batchHash } = await registerImport({ db }, {}).finally(() => db.close());
    const status = await postJson(
      `/rest/calendar/event-aggregator/v1/import/${importId}/batch?batch_hash=${batchHash}`,
      {
        batch_hash: batchHash,
        status: { data: { total: 1, done: 0 }, batch: { total: 1, done: 0 } },
        percentage_complete: 100,
        events: [{ uid: 'a', title: 'Refused', start_date: '2031-05-01', start_hour: '10', timezone: 'UTC' }],
      },
    );
    expect(status).toBe(200);
    await until(
      async () =>
        ((await imports.query('select 1 from outbox where failed_at is not null')).rowCount ?? 0) > 0,
    );
    return () => calendar.query('drop trigger refused on events');
  });
  await calendar.end();
  await imports.end();
  expectFired(fired, 'JobsFailed', 'ImportsBlocked');
});

test('none was left out', async () => {
  expect([...tried].sort()).toEqual([...(await alertsOf(RULES))].sort());
});

test('what rules and dashboards ask for is told', () => {
  const documented = Array.from(read('METRICS.md').matchAll(/^\| `(\w+)`/gm), ([, name]) => name as string);
  const asked = [RULES, read('helm/sevenfold/files/dashboards/sevenfold.json')].join('\n');
  const names = documented.filter((name) => asked.includes(name));
  expect(names.length).toBeGreaterThan(10);
  const isTold = (name: string): boolean => told.has(name) || told.has(`${name}_bucket`);
  expect(names.filter((name) => !isTold(name))).toEqual([]);
});
