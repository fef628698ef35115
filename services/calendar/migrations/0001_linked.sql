-- Venues and organizers: what events are linked to. All three share the ids, so an id names one thing.
create sequence object_ids;

create table venues (
  id bigint primary key default nextval('object_ids'),
  author bigint not null default 0,
  status text not null,
  status_before_trash text not null default '',
  slug text not null default '',
  date_local timestamp not null,
  date_utc timestamptz not null,
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
  origin text not null default ''
);

create table organizers (
  id bigint primary key default nextval('object_ids'),
  author bigint not null default 0,
  status text not null,
  status_before_trash text not null default '',
  slug text not null default '',
  date_local timestamp not null,
  date_utc timestamptz not null,
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
  origin text not null default ''
);
