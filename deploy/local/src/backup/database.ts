/**
 * What a database holds, read and put back by its catalogue alone: no table, column or sequence of a service is named
 * here, so a new one needs nothing. The structure is not copied but made by the migrations that made it; rows travel as
 * COPY writes them, without generated columns. Works through any connection as the owner, superuser or not.
 */
import type { Readable, Writable } from 'node:stream';
import { type Client, escapeIdentifier, escapeLiteral } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

export interface Table {
  readonly name: string;
  /** Those that can be written. */
  readonly columns: readonly string[];
  /** Of a partition: the table it is a part of, and which part. Its rows travel with that. */
  readonly partOf: string | null;
  readonly bound: string | null;
}

export interface Sequence {
  readonly name: string;
  readonly last: string;
  readonly called: boolean;
}

export interface AppliedMigration {
  readonly name: string;
  readonly hash: string;
}

export interface Description {
  readonly migrations: readonly AppliedMigration[];
  readonly tables: readonly Table[];
  readonly sequences: readonly Sequence[];
}

/** Written by those who make a database, not by what is copied into it. */
const NOT_COPIED = ['schema_migrations', 'instance'];

const OURS = `n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'`;
const TABLES = `
  select n.nspname as schema, c.relname as name, p.relname as "partOf", pg_get_expr(c.relpartbound, c.oid) as bound,
    (select coalesce(json_agg(a.attname order by a.attnum), '[]') from pg_attribute a
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
  where ${OURS} and c.relkind in ('r', 'p') order by c.relname`;
const SEQUENCES = `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${OURS} and c.relkind = 'S' order by c.relname`;
const FOREIGN_KEYS = `
  select c.conname as name, t.relname as table, pg_get_constraintdef(c.oid) as definition
  from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = t.relnamespace
  where ${OURS} and c.contype = 'f' and c.conparentid = 0 order by t.relname, c.conname`;
const TRIGGERS = `
  select g.tgname as name, t.relname as table
  from pg_trigger g join pg_class t on t.oid = g.tgrelid join pg_namespace n on n.oid = t.relnamespace
  where ${OURS} and not g.tgisinternal and g.tgparentid = 0 and g.tgenabled = 'O' order by t.relname, g.tgname`;

const name = escapeIdentifier;

/**
 * In the transaction that shows the moment, but for the numbers of sequences, which no transaction holds back: they are
 * read later than the rows, so no number of a row is ever given out again.
 */
export async function describe(client: Client): Promise<Description> {
  const { rows: tables } = await client.query<Table & { schema: string }>(TABLES);
  const odd = tables.find(({ schema }) => schema !== 'public');
  if (odd)
    throw new Error(`There is a table ${odd.name} in the schema ${odd.schema}: only public is copied.`);
  // Nobody changes or drops them until all is read.
  if (tables.length > 0)
    await client.query(
      `lock table ${tables.map((table) => name(table.name)).join(', ')} in access share mode`,
    );
  const sequences: Sequence[] = [];
  for (const row of (await client.query<{ name: string }>(SEQUENCES)).rows) {
    const found = await client.query<Omit<Sequence, 'name'>>(
      `select last_value::text as last, is_called as called from ${name(row.name)}`,
    );
    sequences.push({ name: row.name, ...(found.rows[0] as Omit<Sequence, 'name'>) });
  }
  const { rows: migrations } = await client.query<AppliedMigration>(
    'select name, hash from schema_migrations order by name',
  );
  return {
    migrations,
    sequences,
    tables: tables
      .filter((table) => !NOT_COPIED.includes(table.name))
      .map(({ name: table, columns, partOf, bound }) => ({ name: table, columns, partOf, bound })),
  };
}

const listOf = (columns: readonly string[]): string => columns.map(name).join(', ');

/** The rows of a table, those of its partitions included. */
export const readRows = (client: Client, table: Table): Readable =>
  client.query(copyTo(`copy (select ${listOf(table.columns)} from ${name(table.name)}) to stdout`));

export interface Filling {
  /** Where the rows of a table go, pieces of them one after the other; none of another table before its end. */
  rows(table: Table): Writable;
  /** Makes it last. Until then nobody sees any of it. */
  finish(): Promise<void>;
}

/**
 * Fills a database that its migrations have just made, in one transaction: all or nothing. What would act on rows as they
 * come (triggers, foreign keys) is out of the way meanwhile, and the keys are checked when they come back.
 */
export async function beginFilling(client: Client, description: Description): Promise<Filling> {
  await client.query('begin');
  const keys = await client.query<{ name: string; table: string; definition: string }>(FOREIGN_KEYS);
  for (const key of keys.rows)
    await client.query(`alter table ${name(key.table)} drop constraint ${name(key.name)}`);
  const triggers = await client.query<{ name: string; table: string }>(TRIGGERS);
  for (const trigger of triggers.rows)
    await client.query(`alter table ${name(trigger.table)} disable trigger ${name(trigger.name)}`);
  await matchTables(client, description.tables);
  const finish = async (): Promise<void> => {
    for (const { name: sequence, last, called } of description.sequences)
      await client.query(`select setval(${escapeLiteral(name(sequence))}, ${BigInt(last)}, ${called})`);
    await promiseAgain(client);
    for (const trigger of triggers.rows)
      await client.query(`alter table ${name(trigger.table)} enable trigger ${name(trigger.name)}`);
    for (const key of keys.rows)
      await client.query(`alter table ${name(key.table)} add constraint ${name(key.name)} ${key.definition}`);
    await client.query('commit');
    await client.query('analyze');
  };
  return {
    finish,
    rows: (table) => client.query(copyFrom(`copy ${name(table.name)} (${listOf(table.columns)}) from stdin`)),
  };
}

/** Migrations leave rows of their own, and services make partitions as time goes by. */
async function matchTables(client: Client, tables: readonly Table[]): Promise<void> {
  const { rows: made } = await client.query<Table>(TABLES);
  const known = new Set(made.map((table) => table.name));
  for (const table of tables) {
    if (known.has(table.name)) continue;
    if (table.partOf === null || table.bound === null)
      throw new Error(`The migrations make no table ${table.name}.`);
    await client.query(`create table ${name(table.name)} partition of ${name(table.partOf)} ${table.bound}`);
  }
  const filled = made.filter((table) => !NOT_COPIED.includes(table.name));
  if (filled.length > 0) await client.query(`truncate ${filled.map((table) => name(table.name)).join(', ')}`);
}

/**
 * Redis begins empty, so what it was told is told again: jobs by themselves, as always, events because they count as unsent.
 * Consumers know the numbers of those they took in for a week from now, however old the backup is.
 */
async function promiseAgain(client: Client): Promise<void> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `select to_regclass('outbox') is not null and to_regclass('inbox') is not null as "isThere"`,
  );
  if (!rows[0]?.isThere) return;
  await client.query(`update outbox set sent_at = null where done_at is null`);
  await client.query(`update outbox set sent_at = null, done_at = null where kind = 'event'`);
  await client.query('update inbox set taken_at = now()');
}
