-- Terms that are gone and stood on many posts: they leave them piece by piece, so that nobody waits for all of it.
create table removed_terms (
  id bigint primary key,
  taxonomy text not null,
  -- when the last piece was taken
  taken_at timestamptz not null default now()
);
