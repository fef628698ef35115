-- What is gone from the content service and is named by many events, venues or organizers here: they lose it, or go to another
-- author, piece by piece, so that nobody waits for all of them.
create table departures (
  kind text not null check (kind in ('term', 'media', 'user')),
  id bigint not null,
  -- who gets what a user wrote; otherwise 0
  heir bigint not null default 0,
  -- when the last piece was taken
  taken_at timestamptz not null default now(),
  primary key (kind, id)
);
