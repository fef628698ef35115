/**
 * Numbered SQL files, applied in order under an advisory lock, forward only. Any number of processes may start at
 * once: one migrates, the others wait, if they lack something. A file that was applied must not change afterwards.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client, type ClientConfig, type Pool } from 'pg';
import { isPostgresError } from '../errors';

const LOCK_KEY = 727_001;

/**
 * Whoever waits for a table lets nobody pass who comes later: a backup that reads it for half an hour would have the whole site stand still,
 * as soon as a migration waits for that. So a wait ends, and begins anew after as long; the longest is shorter than the time
 * that statements of the site have.
 */
const FIRST_PATIENCE_MS = 1_000;
const LONGEST_PATIENCE_MS = 8_000;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/**
 * Waiting for another process' migration is no fault, and neither is building an index on a large table, whatever a role, a database
 * or the server says of its sessions. By statements: poolers leave out what is said when connecting, and pg a 0. Not all
 * versions of PostgreSQL have each of them.
 */
const WITHOUT_LIMITS = `
  set statement_timeout = 0;
  select set_config(name, '0', false) from pg_settings
  where name in ('lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout');
`;

/** The chassis' own tables (outbox), wanted by every service with a database. */
export const CHASSIS_MIGRATIONS = path.resolve(__dirname, '../../migrations');

export interface Migration {
  /** `<service>/<file>` */
  readonly name: string;
  readonly sql: string;
  readonly hash: string;
}

export const readMigrations = async (folders: readonly string[]): Promise<Migration[]> =>
  (await Promise.all(folders.map(readFolder))).flat();

/**
 * Applies what is new of each folder, on a session of its own at `url`: by default where the pool's are. Answers the names
 * applied. Throws when an applied file was edited.
 */
export async function migrate(
  pool: Pool,
  folders: readonly string[],
  url = pool.options.connectionString,
): Promise<string[]> {
  const { application_name, connectionTimeoutMillis } = pool.options;
  const migrations = await readMigrations(folders);
  if (await areApplied(pool, migrations)) return [];
  return applyMigrations({ connectionString: url, application_name, connectionTimeoutMillis }, migrations);
}

/** As at nearly every start: a session for it, with a look at all settings of the server, takes 12 ms here and as many of PostgreSQL. */
async function areApplied(pool: Pool, migrations: readonly Migration[]): Promise<boolean> {
  const { rows: known } = await pool.query(
    `select 1 from pg_class where oid = to_regclass('schema_migrations')`,
  );
  if (known.length === 0) return false;
  const { rows } = await pool.query<Applied>('select name, hash from schema_migrations');
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  return migrations.every(({ name, hash }) => applied.get(name) === hash);
}

/** The same with files that were read and chosen before. */
export async function applyMigrations(
  connection: ClientConfig,
  migrations: readonly Migration[],
): Promise<string[]> {
  // Not one of a pool's, which give up on what takes long.
  const client = new Client({ ...connection, keepAlive: true });
  // Every query fails by itself when the connection is lost; the event alone would end the process.
  client.on('error', () => undefined);
  const applied: string[] = [];
  await client.connect();
  try {
    await client.query(WITHOUT_LIMITS);
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    await client.query(
      'create table if not exists schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<Applied>(
      `select name, hash, to_char(applied_at, 'YYYY-MM-DD') as day from schema_migrations`,
    );
    const known = new Map(rows.map((row) => [row.name, row]));
    // All of them, before anything is applied.
    const changed = migrations.flatMap(({ name, hash }) => {
      const row = known.get(name);
      return row && row.hash !== hash ? [row] : [];
    });
    if (changed.length > 0) throw new Error(otherVersion(client.database ?? '', changed));
    for (const migration of migrations) {
      if (known.has(migration.name)) continue;
      for (let patience = FIRST_PATIENCE_MS; !(await apply(client, migration, patience));) {
        await setTimeout(patience);
        patience = Math.min(2 * patience, LONGEST_PATIENCE_MS);
      }
      applied.push(migration.name);
    }
    await client.query('select pg_advisory_unlock($1)', [LOCK_KEY]);
    return applied;
  } finally {
    // Closes the session, and with it the lock, whatever happened above.
    await client.end().catch(() => undefined);
  }
}

/** False where others hold what it needs, and nothing was done. */
async function apply(client: Client, { name, sql, hash }: Migration, patience: number): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${patience}`);
    await client.query(sql);
    await client.query('insert into schema_migrations (name, hash) values ($1, $2)', [name, hash]);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    if (isPostgresError(error) && (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK))
      return false;
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

interface Applied {
  readonly name: string;
  readonly hash: string;
  readonly day: string;
}

/** For whoever runs the site: what is wrong, that nothing was done, and the ways on. */
function otherVersion(database: string, changed: readonly Applied[]): string {
  const files = changed.map(({ name, day }) => `${name} (applied ${day})`).join(', ');
  return (
    `The database ${database} was prepared by another version of this program, whose migrations are not these: ${files}. ` +
    'Nothing was changed. To keep the data, run the version that prepared it. Where the data may go, give this service an ' +
    'empty database (the local stack: move its DATA_DIR away, or name another). Whoever edited a migration: what was ' +
    'applied stays as it is, changes go into a new file.'
  );
}

async function readFolder(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort();
  const scope = path.basename(path.dirname(folder));
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(path.join(folder, file), 'utf8');
      return { name: `${scope}/${file}`, sql, hash: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
