/** Schemas expand, and contract only when no version in use needs what goes: the version before runs on the new tables. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { faultsOf } from './testing/expand';

const services = path.resolve(__dirname, '../../../services');
const released = JSON.parse(readFileSync(path.join(services, 'migrations.lock.json'), 'utf8')) as Record<
  string,
  Record<string, string>
>;
/** Nobody ran a version before the first one: its files stand as they are. */
const FIRST = '0.1.0';

const files = readdirSync(services, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => {
    const folder = path.join(services, name, 'migrations');
    return filesOf(folder).map((file) => ({ file: `${name}/${file}`, path: path.join(folder, file) }));
  });

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

test('the version before can go on beside each migration since the first release', () => {
  const first = released[FIRST] ?? {};
  expect(Object.keys(first).length).toBeGreaterThan(0);
  const faults = files
    .filter(({ file }) => !(file in first))
    .flatMap(({ file, path: place }) =>
      faultsOf(readFileSync(place, 'utf8'), Object.keys(released)).map((fault) => `${file} ${fault}`),
    );
  expect(faults).toEqual([]);
});

test.each([
  ['drop table posts', 'drops a table'],
  ['DROP TABLE IF EXISTS posts', 'drops a table'],
  ['drop index posts_slug', 'drops a index'],
  ['drop trigger told on posts', 'drops a trigger'],
  ['drop materialized view counts', 'drops a materialized view'],
  ['truncate posts', 'takes away'],
  ['alter table posts rename to articles', 'renames'],
  ['alter table posts rename column title to name', 'renames'],
  ['alter table "posts" rename constraint a to b', 'renames'],
  ["alter type kind rename value 'a' to 'b'", 'renames'],
  ['alter table posts drop column title', 'drops a column'],
  ['alter table posts drop title', 'drops a column'],
  ['alter table posts drop constraint posts_pkey', 'drops a constraint'],
  ['alter table posts alter column title type varchar(10)', 'changes the type'],
  ['alter table posts alter title set data type text', 'changes the type'],
  ['alter table posts alter column title set not null', 'demands a value'],
  ['alter table posts alter column title drop not null', 'allows null'],
  ['alter table posts alter column title drop default', 'drops a value'],
  ['alter table posts add column mood text not null', 'must be given'],
  ['alter table posts add mood text not null', 'must be given'],
  ['alter table posts add column mood text not null default null', 'must be given'],
  [
    "alter table posts add column a int, add column mood text check (mood in ('a', 'b')) not null",
    'must be given',
  ],
  ["alter table posts add column mood text not null default '' unique", 'one row only'],
  ['alter table posts add constraint moods check (mood > 1)', 'demands of rows'],
  ['alter table posts add check (mood > 1)', 'demands of rows'],
  ['alter table posts add unique (mood)', 'demands of rows'],
  ['create unique index on posts (mood)', 'rows differ'],
  ['create unique index if not exists moods on posts (mood)', 'rows differ'],
  ['do $$ begin if true then alter table posts drop column title; end if; end $$', 'drops a column'],
  ['/* so */ alter\ntable posts -- not\n drop column title', 'drops a column'],
  ['-- Since 9.9.9: nothing reads it.\nalter table posts drop column title', '9.9.9 is not released'],
])('%s', (sql, fault) => {
  expect(faultsOf(`create table own (id int);\n${sql};`, ['0.1.0', '0.2.0'])).toEqual([
    expect.stringContaining(fault),
  ]);
});

test.each([
  'create table new (id int primary key, mood text not null unique); create unique index on new (mood); alter table new add check (id > 0)',
  'alter table posts add column mood text',
  "alter table posts add column if not exists mood text not null default 'drop table posts'",
  'alter table posts add column number bigint generated always as identity unique',
  'create index on posts (mood)',
  'alter index moods rename to posts_moods',
  "insert into words values ('drop table posts; alter table posts drop column title')",
  'create or replace function f() returns void language sql as $$ delete from posts $$',
  "comment on table posts is 'it''s; drop table posts'",
  '-- Since 0.2.0: nothing reads it.\nalter table posts drop column title',
])('%s is no fault', (sql) => {
  expect(faultsOf(sql, ['0.1.0', '0.2.0'])).toEqual([]);
});
