-- How much of each sender was kept within the hour that its first submission began. Who sent is not to be read from it: the key is a keyed
-- digest.
create table allowances (
  sender bytea primary key,
  since timestamptz not null default now(),
  bytes bigint not null
);
create index allowances_since on allowances (since);
