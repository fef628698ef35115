-- Even numbers that were given away to things that moved in, here or in the content service (publishing/src/kept-ids.ts).
create table kept_ids (
  id bigint primary key,
  holder text not null
);

-- What came from which object of another site, noted in the transaction that made it.
create table moved_objects (
  -- address of the other site
  site text not null,
  foreign_id text not null,
  -- event, venue, organizer
  kind text not null,
  id bigint not null,
  primary key (site, foreign_id)
);
