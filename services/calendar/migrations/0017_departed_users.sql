-- Users who are gone, and who got what they wrote: an import that one of them began goes on in the heir's name.
create table departed_users (
  id bigint primary key,
  heir bigint not null,
  -- number of the news of it: a later one of the same user tells that the number was given again
  news bigint not null,
  departed_at timestamptz not null default now()
);
create index departed_users_heir on departed_users (heir);
create index departed_users_age on departed_users (departed_at);
