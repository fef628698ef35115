-- Users who are gone and wrote much: it goes to somebody else, or to the trash, piece by piece, so that nobody waits for all of it.
create table departed_authors (
  id bigint primary key,
  -- who gets it; null: it goes to the trash
  heir bigint,
  -- who deleted the user
  editor bigint not null,
  -- when the last piece was taken
  taken_at timestamptz not null default now()
);
create index revisions_author on revisions (author);
