import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { databaseServices } from '@sevenfold/catalog/catalog';
import { checkDatabase, prepareDatabases, type DatabaseService } from './databases';
import { identityOf, ownersOf } from './leftovers';
import { startPostgres, type PostgresServer } from './postgres';
import { findPostgres, socketOf } from './postgres-binaries';
import { temporaryFolder, until } from './test-support';

const dir = path.join(temporaryFolder(), 'with space', 'postgres');
const lines: string[] = [];
let server: PostgresServer;

const start = async (port?: number): Promise<void> => {
  lines.length = 0;
  server = await startPostgres({ dir, port, durable: false, log: (line) => lines.push(line) });
};

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(() => start());
afterAll(() => server.stop());

describe('the server', () => {
  it('has the settings the services count on', async () => {
    const names = [
      'listen_addresses',
      'jit',
      'random_page_cost',
      'client_connection_check_interval',
      'max_connections',
      'server_encoding',
      'password_encryption',
    ];
    const rows = await query<{ name: string; setting: string }>(
      server.adminUrl,
      `select name, setting from pg_settings where name in (${names.map((name) => `'${name}'`).join(', ')})`,
    );
    expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
      listen_addresses: '127.0.0.1',
      jit: 'off',
      random_page_cost: '1.1',
      client_connection_check_interval: '1000',
      max_connections: '200',
      server_encoding: 'UTF8',
      password_encryption: 'scram-sha-256',
    });
    expect(await query(server.adminUrl, `select lower('ÄÉ') as lower`)).toEqual([{ lower: 'äé' }]);
  });

  (process.platform === 'linux' ? it : it.skip)('gives back what a statement took', async () => {
    const client = new Client({ connectionString: server.adminUrl });
    await client.connect();
    try {
      // The first one that is freed is what glibc learns from.
      for (let size = 4; size <= 32; size *= 2)
        await client.query(`select length(repeat('x', $1::int * 1024 * 1024)) from generate_series(1, 3)`, [
          size,
        ]);
      await client.query(
        `select count(*) from (select md5(n::text) from generate_series(1, 100000) n order by 1) of`,
      );
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const told = readFileSync(`/proc/${rows[0]!.pid}/smaps_rollup`, 'utf8');
      expect(Number(/^Anonymous: +(\d+) kB$/m.exec(told)?.[1])).toBeLessThan(8 * 1024);
    } finally {
      await client.end();
    }
  });

  it('keeps its password where only the owner can read it, and lets nobody in without', async () => {
    expect(statSync(path.join(dir, 'superuser-password')).mode & 0o777).toBe(0o600);
    const wrong = server.url('postgres', 'postgres', 'wrong');
    await expect(checkDatabase(wrong)).rejects.toThrow(
      `cannot use the PostgreSQL server at 127.0.0.1:${server.port}: password authentication failed for user "postgres"`,
    );
  });

  it('is reached whatever the environment says of other servers', async () => {
    process.env.PGSSLMODE = 'require';
    try {
      const own = server.url('postgres', 'postgres', new URL(server.adminUrl).password);
      for (const url of [server.adminUrl, own])
        expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    } finally {
      delete process.env.PGSSLMODE;
    }
  });

  const ways = 'select inet_server_addr() is null as near';

  it('is near through a socket in its folder, and over TCP', async () => {
    expect(await query(server.nearUrl, ways)).toEqual([{ near: true }]);
    expect(await query(server.adminUrl, ways)).toEqual([{ near: false }]);
    expect(statSync(path.join(dir, socketOf(server.port))).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['too long for a socket', 'long'.repeat(30)],
    ['two for PostgreSQL', 'one,two'],
  ])('in a folder whose name is %s is reached over TCP alone', async (_, name) => {
    const other = await startPostgres({ dir: path.join(dir, '..', '..', name), durable: false });
    try {
      expect(await query(other.nearUrl, ways)).toEqual([{ near: false }]);
    } finally {
      await other.stop();
    }
  });

  it('keeps the data over a stop and a start', async () => {
    await query(server.adminUrl, 'create table kept as select 7 as value');
    await server.stop();
    expect(await server.exited).toBe('exit code 0');
    await start();
    expect(await query(server.adminUrl, 'select value from kept')).toEqual([{ value: 7 }]);
  });

  it('starts again after kill -9', async () => {
    process.kill(server.pid, 'SIGKILL');
    expect(await server.exited).toBe('ended by SIGKILL');
    await start();
    expect(await query(server.adminUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts again after kill -9 although a query of before is still running', async () => {
    const busy = new Client({ connectionString: server.adminUrl });
    busy.on('error', () => undefined);
    await busy.connect();
    const { rows } = await busy.query<{ pid: number }>('select pg_backend_pid() as pid');
    // Works on without looking up; only a signal ends it.
    const endless = busy
      .query('select count(*) from generate_series(1, 100000) a, generate_series(1, 1000000) b')
      .catch(() => undefined);
    await until('the query runs', async () => {
      const active = await query(
        server.adminUrl,
        `select from pg_stat_activity where pid = ${rows[0]!.pid} and state = 'active' and query like '%generate_series%'`,
      );
      return active.length === 1;
    });
    process.kill(server.pid, 'SIGKILL');
    await server.exited;
    await start();
    await endless;
    expect(await query(server.adminUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts although the process id in its old files belongs to another program now', async () => {
    const file = path.join(dir, 'data', 'postmaster.pid');
    const files = [file, path.join(dir, `${socketOf(server.port)}.lock`)];
    const contents = files.map((one) => readFileSync(one, 'utf8'));
    process.kill(server.pid, 'SIGKILL');
    await server.exited;
    const owner = { dir: path.join(dir, 'data'), program: /^postgres$/, pidFile: file };
    await until('its helpers have ended', () => ownersOf(owner).length === 0);
    // PostgreSQL knows itself that its parent is none of its own.
    const program = spawn('sleep', ['600']);
    try {
      for (const [at, content] of contents.entries())
        writeFileSync(files[at] as string, content.replace(/^ *\d+/, String(program.pid)), { mode: 0o600 });
      await start(server.port);
    } finally {
      program.kill();
    }
    expect(lines).toEqual([]);
  });

  it('stops the one that an earlier start left running, and only that', async () => {
    const earlier = server;
    await start();
    expect(lines).toEqual(['PostgreSQL: stopped a server left behind by an earlier start']);
    expect(await earlier.exited).toBe('exit code 0');
    expect(identityOf(server.pid)).toBeDefined();
  });

  it('starts for the first time where the disk was full when its password was to be kept', async () => {
    const folder = path.join(dir, '..', '..', 'full before');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'superuser-password'), '', { mode: 0o600 });
    const other = await startPostgres({ dir: folder, durable: false });
    try {
      expect(await query(other.adminUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    } finally {
      await other.stop();
    }
    expect(readFileSync(path.join(folder, 'superuser-password'), 'utf8')).toMatch(/^[\w-]{32}$/);
  });

  it('says what is wrong when it cannot start', async () => {
    await server.stop();
    const file = path.join(dir, 'data', 'postgresql.auto.conf');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, `${before}\nno_such_setting = 1\n`);
    await expect(startPostgres({ dir, durable: false })).rejects.toThrow(
      /does not start \(exit code 1\)\.\n(.*\n)*.*no_such_setting/,
    );
    writeFileSync(file, before);
    await start();
  });

  // An ordinary user never comes to this choice.
  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot('runs as an ordinary account where root may make no user namespace', async () => {
    const folder = path.join(dir, '..', '..', 'without namespaces');
    const home = path.join(folder, 'postgres');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const before = process.env.PATH;
    process.env.PATH = `${folder}${path.delimiter}${before}`;
    const said: string[] = [];
    try {
      const other = await startPostgres({ dir: home, durable: false, log: (line) => said.push(line) });
      try {
        expect(await query(other.adminUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
        expect(said).toEqual([]);
        expect(statSync(path.join(home, 'data')).uid).not.toBe(0);
        expect(statSync(`/proc/${other.pid}`).uid).not.toBe(0);
      } finally {
        await other.stop();
      }
    } finally {
      process.env.PATH = before;
    }
  });

  it('is not looked for in vain: the message names what was looked at and what to do', async () => {
    await expect(findPostgres('9')).rejects.toThrow(
      /PostgreSQL 9, which the data folder was made by, was not found.*\(version 18\..*DATABASE_URL/,
    );
  });
});

describe('the databases of the services', () => {
  const passwords = Object.fromEntries(
    databaseServices.map((service) => [service, `secret of ${service}: 'quoted" /@?`]),
  ) as Record<DatabaseService, string>;

  it('are made once, also by several starts at the same moment', async () => {
    const options = { adminUrl: server.adminUrl, passwords, prefix: 'twin_', instanceId: 'us' };
    const all = await Promise.all([prepareDatabases(options), prepareDatabases(options)]);
    expect(all[0]).toEqual(all[1]);
    const made = await query<{ datname: string }>(
      server.adminUrl,
      `select datname from pg_database where datname like 'twin_%' order by 1`,
    );
    expect(made.map((row) => row.datname)).toEqual(
      databaseServices.map((service) => `twin_${service}`).sort(),
    );
  });

  it('can be made by an administrator who is not a superuser', async () => {
    await query(server.adminUrl, `create role manager login password 'manager' createrole createdb`);
    const options = {
      adminUrl: server.url('postgres', 'manager', 'manager'),
      passwords,
      prefix: 'managed_',
      instanceId: 'us',
    };
    const urls = await prepareDatabases(options);
    expect(await prepareDatabases(options)).toEqual(urls);
    expect(await query(urls.seo, `select unaccent('é') as plain`)).toEqual([{ plain: 'e' }]);
  });

  it('of another site are left as they are, down to the passwords', async () => {
    const options = { adminUrl: server.adminUrl, prefix: 'shared_' };
    const urls = await prepareDatabases({ ...options, passwords, instanceId: 'first' });
    // Made later than the others, as by a newer version: what is missing is not made either.
    const [first, second] = databaseServices;
    await query(server.adminUrl, `drop database shared_${first}`);
    const others = Object.fromEntries(databaseServices.map((service) => [service, 'another password']));
    await expect(
      prepareDatabases({
        ...options,
        passwords: others as Record<DatabaseService, string>,
        instanceId: 'second',
      }),
    ).rejects.toThrow(
      `The database shared_${second} belongs to another instance (first; this one is second). Nothing was changed.`,
    );
    expect(await query(urls.seo, 'select id from instance')).toEqual([{ id: 'first' }]);
    expect(
      await query(server.adminUrl, `select datname from pg_database where datname = 'shared_${first}'`),
    ).toEqual([]);
    expect(await prepareDatabases({ ...options, passwords, instanceId: 'first' })).toEqual(urls);
  });

  it('are not made anew where a site that has run finds none, but where one is missing', async () => {
    const options = { adminUrl: server.adminUrl, passwords, prefix: 'old_', instanceId: 'us' };
    await expect(prepareDatabases({ ...options, isOld: true })).rejects.toThrow(
      "None of the site's databases (old_content and others) is on this server.",
    );
    expect(
      await query(server.adminUrl, `select datname from pg_database where datname like 'old\\_%'`),
    ).toEqual([]);
    const urls = await prepareDatabases(options);
    await query(server.adminUrl, `drop database old_seo`);
    expect(await prepareDatabases({ ...options, isOld: true })).toEqual(urls);
  });

  it('belong to one role each, which reaches no other', async () => {
    const urls = await prepareDatabases({ adminUrl: server.adminUrl, passwords, instanceId: 'us' });
    await query(urls.calendar, 'create table events as select 1 as id');
    expect(await query(urls.calendar, 'select current_user, current_database()')).toEqual([
      { current_user: 'sevenfold_calendar', current_database: 'sevenfold_calendar' },
    ]);
    const foreign = new URL(urls.calendar);
    foreign.pathname = '/sevenfold_content';
    await expect(query(foreign.href, 'select 1')).rejects.toThrow(
      'permission denied for database "sevenfold_content"',
    );
  });

  it('have the extensions and settings, and keep data and passwords when prepared again', async () => {
    const urls = await prepareDatabases({ adminUrl: server.adminUrl, passwords, instanceId: 'us' });
    for (const service of databaseServices) {
      const rows = await query(
        urls[service],
        `select current_setting('jit') as jit, current_setting('random_page_cost') as cost, unaccent('Zürich') as plain, similarity('abc', 'abc') as same`,
      );
      expect(rows).toEqual([{ jit: 'off', cost: '1.1', plain: 'Zurich', same: 1 }]);
    }
    expect(await query(urls.calendar, 'select id from events')).toEqual([{ id: 1 }]);
  });
});

describe('checkDatabase', () => {
  it('tells version and address', async () => {
    expect(await checkDatabase(server.adminUrl)).toEqual({
      version: server.version,
      address: `127.0.0.1:${server.port}`,
    });
  });

  it('never shows the password', async () => {
    const fault = checkDatabase('postgres://someone:topsecret@127.0.0.1:1/x');
    await expect(fault).rejects.toThrow(
      'cannot use the PostgreSQL server at 127.0.0.1:1: connect ECONNREFUSED',
    );
    await expect(fault).rejects.not.toThrow('topsecret');
  });
});
