-- What came in lots, such as an import, waits for a calm moment: what somebody changed by hand goes before it.
alter table waiting add column in_lots boolean not null default false;
alter table waiting add column added_at timestamptz not null default now();
create index waiting_single on waiting (id) where taken_by is null and not in_lots;
create index waiting_lots on waiting (id) where taken_by is null and in_lots;
-- As is_open, of the job for lots.
alter table promised add column lots_open boolean not null default false;
