/** Rows travel by the catalogue of PostgreSQL alone: whatever a service may declare comes back, and goes on from there. */
import { randomBytes } from 'node:crypto';
import { finished, pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { CHASSIS_MIGRATIONS, applyMigrations, readMigrations } from '@sevenfold/chassis/db/migrate';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { withClient, withDatabase } from '../databases';
import { type Description, beginFilling, describe as describeDatabase, readRows } from './database';

const { adminUrl } = testServers();
const names = ['source', 'target'].map((name) => `${name}_${randomBytes(6).toString('hex')}`);
let [source, target]: Client[] = [];

/** Everything that makes copying harder than it looks. */
const SCHEMA = `
  create table "Shelves" ("Id" bigint generated always as identity (start with 1 increment by 2) primary key, "my Name" text);
  create table books (
    id bigserial primary key, shelf bigint not null references "Shelves" ("Id"), next bigint references books (id),
    title text not null, length int generated always as (length(title)) stored,
    price numeric, pages float8, bytes bytea, at timestamptz, day date, took interval, tags text[], extra jsonb, none text);
  alter table "Shelves" add column best bigint references books (id);
  create table counted (books bigint not null);
  insert into counted values (0);
  create function count_book() returns trigger language plpgsql as $$ begin update counted set books = books + 1; return new; end $$;
  create trigger count_books after insert on books for each row execute function count_book();
  create table days (day date not null, n int) partition by range (day);
  create table days_other partition of days default;
  create sequence tickets increment by 10;
`;
const ROWS = `
  insert into "Shelves" ("my Name") values ('a'), ('tab\\there'), (null);
  insert into books (shelf, title, price, pages, bytes, at, day, took, tags, extra, none)
    select 1 + 2 * (n % 3), E'Grüße \\\\ \\t\\n\\r "x" \\U0001F600 \\\\. ' || n, n / 3.0, n / 3.0, decode(md5(n::text), 'hex'),
      now() + n * interval '1.000001 s', date '2026-01-01' + n, n * interval '1 month 2 days 3.5 s', array['a', null, '{,}'],
      jsonb_build_object('n', n, 't', E'\\\\N'), null
    from generate_series(1, 20000) as n;
  insert into books (shelf, title, pages, at) values (1, '\\N', 'NaN', 'infinity'), (1, '', '-Infinity', null);
  update books set next = 20003 - id;
  update "Shelves" set best = 7 where "Id" = 1;
  create table days_2026_01 (like days including all);
  alter table days attach partition days_2026_01 for values from ('2026-01-01') to ('2026-02-01');
  insert into days values ('2026-01-05', 1), ('2027-01-05', 2);
  select nextval('tickets');
  insert into outbox (kind, channel, name, payload, created_at, sent_at, done_at) values
    ('event', 't', 't', '{"n": 1}', now() - interval '30 days', now() - interval '30 days', now() - interval '30 days'),
    ('job', 'q', 'done', '{"n": 2}', now() - interval '30 days', now() - interval '30 days', now() - interval '30 days'),
    ('job', 'q', 'sent', '{"n": 3}', now(), now(), null);
  insert into inbox (consumer, event_id, taken_at) values ('c', 't/1', now() - interval '30 days');
`;

beforeAll(async () => {
  for (const database of names)
    await withClient(adminUrl, (admin) => admin.query(`create database ${database}`));
  for (const database of names) {
    const url = withDatabase(adminUrl, database);
    await applyMigrations({ connectionString: url }, await readMigrations([CHASSIS_MIGRATIONS]));
    await withClient(url, (client) => client.query(SCHEMA));
  }
  [source, target] = names.map(
    (database) => new Client({ connectionString: withDatabase(adminUrl, database) }),
  );
  await source!.connect();
  await target!.connect();
  await source!.query(ROWS);
  await target!.query(`set timezone = 'Asia/Tokyo'`);
});
afterAll(async () => {
  await source?.end();
  await target?.end();
  for (const database of names)
    await withClient(adminUrl, (admin) => admin.query(`drop database ${database} with (force)`));
});

let description: Description;
async function copy(from: Client, to: Client): Promise<void> {
  description = JSON.parse(JSON.stringify(await describeDatabase(from))) as Description;
  const filling = await beginFilling(to, description);
  for (const table of description.tables.filter(({ partOf }) => partOf === null)) {
    const rows = filling.rows(table);
    await pipeline(readRows(from, table), rows);
    await finished(rows).catch(() => undefined);
  }
  await filling.finish();
}

const all = async (client: Client, table: string): Promise<string> =>
  (
    await client.query<{ rows: string }>(
      `select coalesce(string_agg(t::text, E'\\n' order by t::text), '') as rows from ${table} t`,
    )
  ).rows[0]!.rows;

test('every row, every type, generated columns, circles of keys, partitions of later', async () => {
  await source!.query('begin isolation level repeatable read read only');
  await copy(source!, target!);
  await source!.query('commit');
  await target!.query(`set timezone = 'UTC'; set intervalstyle = 'postgres'`);
  for (const table of ['"Shelves"', 'books', 'counted', 'days', 'days_2026_01', 'days_other'])
    expect([table, await all(target!, table)]).toEqual([table, await all(source!, table)]);
});

test('numbers go on where they were, and what guards rows guards them again', async () => {
  const next = (client: Client): Promise<unknown> =>
    client
      .query(
        `insert into "Shelves" ("my Name") values ('next') returning "Id", nextval('tickets')::int as ticket`,
      )
      .then(({ rows }) => rows[0] as unknown);
  expect(await next(target!)).toEqual({ Id: '7', ticket: 11 });
  await expect(target!.query(`insert into books (shelf, title) values (999, 'x')`)).rejects.toThrow(
    'violates foreign key constraint',
  );
  const { rows } = await target!.query(`insert into books (shelf, title) values (1, 'x') returning length`);
  expect(rows).toEqual([{ length: 1 }]);
  expect(await all(target!, 'counted')).toBe('(20003)');
});

test('what Redis was told is told again, and who took it in still knows it in a week', async () => {
  const { rows } = await target!.query(
    `select (payload->>'n')::int as n, sent_at is null as unsent, done_at is null as undone from outbox order by id`,
  );
  expect(rows).toEqual([
    { n: 1, unsent: true, undone: true },
    { n: 2, unsent: false, undone: false },
    { n: 3, unsent: true, undone: true },
  ]);
  const inbox = await target!.query(`select from inbox where taken_at > now() - interval '1 hour'`);
  expect(inbox.rowCount).toBe(1);
});

test('nothing is there before all of it is, and a table that nobody makes is refused', async () => {
  const books = await all(target!, 'books');
  const missing: Description = {
    ...description,
    tables: [...description.tables, { name: 'unheard_of', columns: ['id'], partOf: null, bound: null }],
  };
  await expect(beginFilling(target!, missing)).rejects.toThrow('The migrations make no table unheard_of.');
  await target!.query('rollback');
  expect(await all(target!, 'books')).toBe(books);
});
