-- Odd numbers that were given away to things that moved in, here or in the calendar (publishing/src/kept-ids.ts).
create table kept_ids (
  id bigint primary key,
  holder text not null
);

-- Where a thing stood on the other site, without scheme, host and slash at the end: what links of its texts are resolved by.
alter table imported_objects add column address text not null default '';
create index imported_objects_address on imported_objects (site, md5(address)) where address <> '';

-- Links of things that moved in to others that were not here yet: kept until both are there, whichever run brings them.
create table pending_links (
  site text not null,
  -- term, post, event, venue, organizer
  object text not null,
  id bigint not null,
  -- parent, picture, venue, organizers
  link text not null,
  -- numbers on the other site, separated by commas; of a term the slug of its parent
  target text not null,
  -- of a page that waits for its parent to have an address
  slug text not null default '',
  primary key (object, id, link)
);
create index pending_links_site on pending_links (site, object, id);
