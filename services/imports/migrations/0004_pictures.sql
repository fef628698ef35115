-- Pictures that were fetched, in order, a row each: the list in the row of the import (`attachments`) was written anew for every
-- picture. What it holds stays, and comes first.
create table pictures (
  import bigint not null references imports (id) on delete cascade,
  -- from 1
  place integer not null,
  attachment bigint not null,
  primary key (import, place),
  unique (import, attachment)
);
-- how many of these there are
alter table imports add column pictures integer not null default 0;
-- How often the batch that is next in line has taken the calendar too long by itself.
alter table imports add column slow_tries integer not null default 0;
