/** A process that only prepares the database; and a database that is reached through a pooler. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { Client } from 'pg';
import { freePort } from '../ports';
import { startFreezable } from '../testing/freezable';
import { sampleService } from '../testing/sample';
import { startTestService } from '../testing/service';
import { until } from '../testing/until';
import { createTestDatabase, type TestDatabase } from '../testing/database';

const source = (name: string): string => JSON.stringify(path.join(__dirname, '..', name));
const PROGRAM = `
  const { runService } = require(${source('run-service.ts')});
  const { databaseVariables, serviceVariables } = require(${source('variables.ts')});
  const { sampleService } = require(${source('testing/sample.ts')});
  void runService(sampleService, { ...serviceVariables, ...databaseVariables }, process.env);
`;

let database: TestDatabase;
let client: Client;

beforeEach(async () => {
  database = await createTestDatabase(sampleService.migrations!);
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

interface Ended {
  readonly code: number | null;
  readonly lines: readonly { msg: string; applied?: string[] }[];
}

const migration = (env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), '--eval', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ROLE: 'migrate',
      DATABASE_URL: database.url,
      INSTANCE_ID: 'ours',
      ...env,
    },
  });

const ended = async (child: ChildProcess): Promise<Ended> => {
  let output = '';
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  const lines = output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Ended['lines'][number]);
  return { code, lines };
};

const applied = ({ lines }: Ended): string[] => lines.flatMap((line) => line.applied ?? []);

test('migrates once, though two begin at once beside a service of the version before, and ends', async () => {
  const site = await startTestService(sampleService, { DATABASE_URL: database.url });
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  // A version whose last migration is still to come.
  await client.query(`delete from schema_migrations where name like 'testing/%'`);
  await client.query('drop table notes cascade');
  try {
    const both = await Promise.all([ended(migration()), ended(migration())]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.flatMap(applied)).toEqual(['testing/0001_notes.sql']);
    expect(rows.length).toBe((await client.query('select 1 from schema_migrations')).rows.length);
    expect((await site.as().get('/notes')).status).toBe(200);
    const again = await ended(migration());
    expect([again.code, applied(again)]).toEqual([0, []]);
    expect(again.lines.at(-1)!.msg).toBe('the database is ready');
  } finally {
    await site.stop();
  }
});

test('fails where the database is that of another site, and changes nothing', async () => {
  expect((await ended(migration())).code).toBe(0);
  expect((await ended(migration({ INSTANCE_ID: 'theirs' }))).code).not.toBe(0);
  expect((await client.query('select id from instance')).rows).toEqual([{ id: 'ours' }]);
});

test('a database that goes away while it is prepared is waited for', async () => {
  const direct = new URL(database.url);
  const behind = Number(direct.port);
  // Whoever only asks finds it; where it is to be migrated every connection ends at once.
  const refused = net
    .createServer((socket) => socket.once('data', () => socket.end()))
    .listen(await freePort(), '127.0.0.1');
  await once(refused, 'listening');
  const { port } = refused.address() as AddressInfo;
  let tries = 0;
  refused.on('connection', () => (tries += 1));
  direct.port = String(port);
  const site = startTestService(sampleService, {
    DATABASE_URL: database.url,
    DATABASE_DIRECT_URL: direct.toString(),
  });
  await until(() => tries > 1);
  await new Promise((resolve) => refused.close(resolve));
  const door = await startFreezable(behind, port);
  try {
    expect((await (await site).as().get('/notes')).status).toBe(200);
  } finally {
    await (await site).stop();
    await door.stop();
  }
});

test('a server that takes no writes yet is waited for', async () => {
  const alter = `alter database ${new URL(database.url).pathname.slice(1)}`;
  await client.query(`${alter} set default_transaction_read_only = on`);
  const child = migration();
  const outcome = ended(child);
  const waits = new Promise<void>((resolve) =>
    child.stdout!.on('data', (chunk: Buffer) => chunk.includes('waiting for the database') && resolve()),
  );
  await Promise.race([waits, outcome]);
  await client.query(`${alter} reset default_transaction_read_only`);
  expect((await outcome).code).toBe(0);
});

/** Lets everything through and remembers as which application each connection came. */
async function startPooler(behind: URL): Promise<{ url: string; applications: string[]; stop(): void }> {
  const applications: string[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    const beyond = net.connect({ port: Number(behind.port), host: behind.hostname });
    socket.once('data', (chunk) => {
      const words = chunk.toString('latin1').split('\0');
      applications.push(words[words.indexOf('application_name') + 1]!);
    });
    for (const [from, to] of [
      [socket, beyond],
      [beyond, socket],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
    socket.pipe(beyond).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(behind);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    applications,
    stop: () => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}

test('listening and migrating pass a pooler by, everything else goes through it', async () => {
  const pooler = await startPooler(new URL(database.url));
  const site = await startTestService(sampleService, {
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: database.url,
  });
  try {
    // Whoever hears says so over the line that listens.
    await until(async () => {
      const { rows } = await client.query<{ name: string }>(
        `select application_name as name from pg_stat_activity where datname = current_database()`,
      );
      return rows.some(({ name }) => name === 'sample-api-listener');
    });
    expect((await site.as().get('/notes')).status).toBe(200);
    expect([...new Set(pooler.applications)]).toEqual(['sample-api']);
    // The lock of the migration was held by a session of its own, so none of these was it.
    await until(async () => {
      const { rows } = await client.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'sample-api'`,
      );
      return rows.length === pooler.applications.length;
    });
  } finally {
    await site.stop();
    pooler.stop();
  }
});
