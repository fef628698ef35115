/**
 * A database of its own for each test file, cloned from a template that holds the migrations: milliseconds instead of
 * running them again. The template's name follows from the migrations' names and text, so an edit makes a new one.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { CHASSIS_MIGRATIONS, migrate } from '../db/migrate';
import { openDatabase } from '../db/pool';
import { createLog } from '../log';
import { testServers } from './servers';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

export async function createTestDatabase(migrations: string): Promise<TestDatabase> {
  const { adminUrl } = testServers();
  const template = await ensureTemplate(adminUrl, [CHASSIS_MIGRATIONS, migrations]);
  const name = `test_${randomBytes(8).toString('hex')}`;
  await admin(adminUrl, (client) => client.query(`create database ${name} template ${template}`));
  return {
    url: withDatabase(adminUrl, name),
    drop: () =>
      admin(
        adminUrl,
        async (client) => void (await client.query(`drop database if exists ${name} with (force)`)),
      ),
  };
}

const withDatabase = (url: string, name: string): string => {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.toString();
};

async function ensureTemplate(adminUrl: string, folders: readonly string[]): Promise<string> {
  const hash = createHash('sha1');
  for (const folder of folders)
    for (const file of readdirSync(folder).sort())
      hash.update(file).update(readFileSync(path.join(folder, file)));
  const name = `template_${hash.digest('hex').slice(0, 20)}`;
  await admin(adminUrl, async (client) => {
    // Several test files want it at once: one makes it, the others wait for the lock.
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const known = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (known.rowCount === 0) {
      const draft = `${name}_draft`;
      await client.query(`drop database if exists ${draft} with (force)`);
      await client.query(`create database ${draft}`);
      const db = openDatabase({
        url: withDatabase(adminUrl, draft),
        size: 2,
        application: 'template',
        log: createLog('test', 'template', 'silent'),
      });
      try {
        await db.run('create extension if not exists pg_trgm');
        await db.run('create extension if not exists unaccent');
        await migrate(db.pool, folders);
      } finally {
        await db.close();
      }
      await client.query(`alter database ${draft} rename to ${name}`);
    }
    await client.query('select pg_advisory_unlock(hashtext($1))', [name]);
  });
  return name;
}

async function admin<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
