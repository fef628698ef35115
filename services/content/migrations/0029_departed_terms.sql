-- Terms that are gone and were on many posts: they are taken off those piece by piece, so that nobody waits for all of it.
create table departed_terms (
  id bigint primary key,
  taxonomy text not null,
  -- when the last piece was taken
  taken_at timestamptz not null default now()
);
