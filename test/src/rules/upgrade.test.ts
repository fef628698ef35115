/**
 * A database that a release prepared becomes the same as a new one: what the release had is applied first, everything else later,
 * whatever the numbers of the files are.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  CHASSIS_MIGRATIONS,
  type Migration,
  applyMigrations,
  readMigrations,
} from '@sevenfold/chassis/db/migrate';
import { createTestDatabase } from '@sevenfold/chassis/testing/database';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { withClient } from '@sevenfold/local/databases';
import { declared } from '../support/declared';

const lock = JSON.parse(
  readFileSync(path.resolve(__dirname, '../../../services/migrations.lock.json'), 'utf8'),
) as Record<string, Record<string, string>>;
const released = new Set(Object.values(lock).flatMap(Object.keys));

/** Everything that a schema is made of, a line each. */
const SCHEMA = `
  with own as (select oid, relname, relkind, reloptions from pg_class where relnamespace = 'public'::regnamespace)
  select 'column ' || relname || '.' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull || ' '
      || coalesce(pg_get_expr(adbin, adrelid), '') as line
    from own join pg_attribute on attrelid = own.oid and attnum > 0 and not attisdropped and relkind in ('r', 'p', 'v', 'm')
    left join pg_attrdef on adrelid = own.oid and adnum = attnum
  union all select relkind::text || ' ' || relname || ' ' || coalesce(array_to_string(array(select unnest(reloptions) order by 1), ' '), '') from own
  union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
  union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace
  union all select 'trigger ' || pg_get_triggerdef(t.oid) from pg_trigger t join own on tgrelid = own.oid where not tgisinternal
  union all select 'function ' || p.oid::regprocedure || ' ' || coalesce(proconfig::text, '') || ' ' || prosrc from pg_proc p
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by 1`;

const schemaOf = (url: string): Promise<string[]> =>
  withClient(url, async (client) =>
    (await client.query<{ line: string }>(SCHEMA)).rows.map(({ line }) => line.replace(/\s+/g, ' ').trim()),
  );

async function upgraded(name: string, files: readonly Migration[]): Promise<string[]> {
  const { adminUrl } = testServers();
  const database = `upgraded_${name}_${process.pid}`;
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  await withClient(adminUrl, (client) => client.query(`create database ${database}`));
  try {
    const connection = { connectionString: url.toString() };
    const first = files.filter((file) => released.has(file.name));
    expect(await applyMigrations(connection, first)).toEqual(first.map((file) => file.name));
    await applyMigrations(connection, files);
    return await schemaOf(url.toString());
  } finally {
    await withClient(adminUrl, (client) => client.query(`drop database ${database} with (force)`));
  }
}

const keeping = declared.flatMap(({ row, definition: { migrations } }) =>
  migrations === undefined ? [] : [[row.name, migrations] as const],
);

test.each(keeping)('a released database of %s becomes what a new one is', async (name, migrations) => {
  const files = await readMigrations([CHASSIS_MIGRATIONS, migrations]);
  expect(files.some((file) => released.has(file.name))).toBe(true);
  // Nothing new: applying the same files in the same order tells nothing.
  if (files.every((file) => released.has(file.name))) return;
  const fresh = await createTestDatabase(migrations);
  try {
    expect(await upgraded(name, files)).toEqual(await schemaOf(fresh.url));
  } finally {
    await fresh.drop();
  }
});

/**
 * What a trigger does is planned once for each connection, by how many rows it met first. Where that was one, a plain join of what was with
 * what is goes through all old rows for each new one from then on: three seconds for two thousand. A full join that is joined on with
 * something else is none any more.
 */
test.each(keeping)('triggers of %s compare many changes with what was in one go', async (_, migrations) => {
  const fresh = await createTestDatabase(migrations);
  try {
    const found = await withClient(fresh.url, (client) =>
      client.query<{ name: string; source: string; settings: string[] | null }>(
        `select proname as name, prosrc as source, proconfig as settings from pg_proc
          where pronamespace = 'public'::regnamespace and prorettype = 'trigger'::regtype order by 1`,
      ),
    );
    const joining = found.rows.filter(({ source }) => /\bjoin (?:old|new)_rows\b/.test(source));
    const plain = joining.filter(
      ({ source, settings }) =>
        !settings?.includes('enable_nestloop=off') &&
        /(?<!\bfull )\bjoin (?:old|new)_rows\b|\bjoin (?:old|new)_rows\b[^;)]*\bjoin\b/.test(source),
    );
    expect(plain.map(({ name }) => name)).toEqual([]);
  } finally {
    await fresh.drop();
  }
});
