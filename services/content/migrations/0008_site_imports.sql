-- What came from which object of another site, so that importing its export again adds only what is new.
create table imported_objects (
  -- address of the other site
  site text not null,
  -- user, term, post, comment
  kind text not null,
  foreign_id text not null,
  id bigint not null,
  primary key (site, kind, foreign_id)
);
