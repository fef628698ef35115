-- Venues and organizers: what events are linked to. All three share the ids, so an id names one thing.
create extension if not exists pg_trgm;

create sequence object_ids;

create table venues (
  id bigint primary key default nextval('object_ids'),
  author bigint not null default 0,
  status text not null,
  status_before_trash text not null default '',
  slug text not null default '',
  date_local timestamp not null,
  date_utc timestamptz not null,
  date_chosen boolean not null default false,
  modified_local timestamp not null,
  modified_utc timestamptz not null,
  name text not null,
  description_raw text not null default '',
  description_html text not null default '',
  image_id bigint not null default 0,
  address text not null default '',
  city text not null default '',
  country text not null default '',
  province text not null default '',
  state text not null default '',
  stateprovince text not null default '',
  zip text not null default '',
  phone text not null default '',
  website text not null default '',
  show_map boolean not null default true,
  show_map_link boolean not null default true,
  geo_lat double precision,
  geo_lng double precision,
  -- identity given by an import's source
  global_id text not null default '',
  origin text not null default '',
  search_text text generated always as (lower(name || E'\n' || description_raw || E'\n' || address || E'\n' || city || E'\n' ||
    country || E'\n' || province || E'\n' || state || E'\n' || stateprovince || E'\n' || zip || E'\n' || phone || E'\n' ||
    website)) stored
);

create table organizers (
  id bigint primary key default nextval('object_ids'),
  author bigint not null default 0,
  status text not null,
  status_before_trash text not null default '',
  slug text not null default '',
  date_local timestamp not null,
  date_utc timestamptz not null,
  date_chosen boolean not null default false,
  modified_local timestamp not null,
  modified_utc timestamptz not null,
  name text not null,
  description_raw text not null default '',
  description_html text not null default '',
  excerpt_html text not null default '',
  image_id bigint not null default 0,
  phone text not null default '',
  website text not null default '',
  email text not null default '',
  global_id text not null default '',
  origin text not null default '',
  search_text text generated always as (lower(name || E'\n' || description_raw || E'\n' || phone || E'\n' || website || E'\n' ||
    email)) stored
);

create unique index venues_slug on venues (slug) where slug <> '';
create unique index organizers_slug on organizers (slug) where slug <> '';
-- Finds `hall-2`, `hall-3` … beside `hall`, whatever the collation of the database.
create index venues_slug_prefix on venues (slug collate "C") where slug <> '';
create index organizers_slug_prefix on organizers (slug collate "C") where slug <> '';
-- Finds the one of the same name instead of making another; names may be longer than a b-tree takes.
create index venues_name on venues (md5(lower(name)));
create index organizers_name on organizers (md5(lower(name)));
-- Lists are in this order, and most callers may only see what is published.
create index venues_published on venues (date_utc desc, id desc) where status = 'publish';
create index organizers_published on organizers (date_utc desc, id desc) where status = 'publish';
create index venues_newest on venues (date_utc desc, id desc);
create index organizers_newest on organizers (date_utc desc, id desc);
create index venues_due on venues (date_utc) where status = 'future';
create index organizers_due on organizers (date_utc) where status = 'future';
create index venues_search on venues using gin (search_text gin_trgm_ops);
create index organizers_search on organizers using gin (search_text gin_trgm_ops);
-- Search words of one or two letters match beginnings of words in names (chassis/src/db/search.ts).
create index venues_title_words on venues using gin (to_tsvector('simple', left(name, 300)));
create index organizers_title_words on organizers using gin (to_tsvector('simple', left(name, 300)));
create index venues_place on venues (geo_lat, geo_lng) where geo_lat is not null;

-- Processes keep rows of venues and organizers in memory (common/linked.ts); this is how they hear that those are old.
create function linked_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('linked', '');
  return null;
end $$;
create trigger venues_changed after insert or update or delete on venues
  for each statement execute function linked_changed();
create trigger organizers_changed after insert or update or delete on organizers
  for each statement execute function linked_changed();
