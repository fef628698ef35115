-- One row for each thing of the site that has, or had, an address: made of what its owner (content, calendar) says. What is
-- deleted keeps its row with the status `gone`, so that its address can say so.
create table indexables (
  object_type text not null check (object_type in ('home', 'post', 'term', 'user')),
  object_id bigint not null,
  object_subtype text not null,
  status text not null,
  -- Whether everybody may read it. What others must not see has a row all the same, and no head for anybody.
  is_public boolean not null,
  -- The owner's row as it was read; differs when that was written since.
  version text not null,
  -- Digest of the settings and of the rules it was made by.
  made_for text not null,
  -- Ticket drawn before the owner was asked. What was asked for earlier never overwrites what was asked for later.
  read_no bigint not null,
  permalink text not null,
  -- Digest of what others show of it: its name, address, picture.
  shown text not null default '',
  -- What it shows of others: when they change, it is made anew.
  author bigint not null default 0,
  terms bigint[] not null default '{}',
  objects bigint[] not null default '{}',
  published_at timestamptz,
  modified_at timestamptz,
  name text not null default '',
  title text not null default '',
  description text not null default '',
  canonical text not null default '',
  breadcrumb_title text not null default '',
  og_title text not null default '',
  og_description text not null default '',
  og_image text not null default '',
  twitter_title text not null default '',
  twitter_description text not null default '',
  twitter_image text not null default '',
  is_noindex boolean not null default false,
  is_nofollow boolean not null default false,
  is_noarchive boolean not null default false,
  is_noimageindex boolean not null default false,
  is_nosnippet boolean not null default false,
  focus_keyword text not null default '',
  -- null: not scored
  focus_keyword_score integer,
  readability_score integer,
  word_count integer not null default 0,
  reading_minutes integer not null default 0,
  is_cornerstone boolean not null default false,
  -- addresses of pictures, for sitemaps
  images text[] not null default '{}',
  head_html text not null default '',
  head_json text not null default '{}',
  link_count integer not null default 0,
  incoming_link_count integer not null default 0,
  primary key (object_type, object_id)
);
create index indexables_author on indexables (author) where author <> 0;
create index indexables_terms on indexables using gin (terms) where terms <> '{}';
create index indexables_objects on indexables using gin (objects) where objects <> '{}';
-- Nobody links to them.
create index indexables_orphans on indexables (object_id) where object_type = 'post' and is_public and incoming_link_count = 0;

-- Every address that an object has or ever had. One that it had leads to the object, wherever that is now: so no redirect
-- can lead to another one. Where several objects have had an address, the one that has it now comes first.
create table addresses (
  -- md5 of the path below the site, or of `?p=<id>`: a key of one size, however long addresses are.
  path_key uuid not null,
  object_type text not null,
  object_id bigint not null,
  path text not null,
  is_current boolean not null,
  -- Ticket of the last reading at which the object had it: among those that had it once, the last one is meant.
  held bigint not null,
  primary key (path_key, object_type, object_id)
);
create index addresses_object on addresses (object_type, object_id);

-- Links in texts to addresses of this site, and what they lead to: null where that is nothing that everybody may read.
create table links (
  source_type text not null,
  source_id bigint not null,
  path_key uuid not null,
  path text not null,
  target_type text,
  target_id bigint,
  primary key (source_type, source_id, path_key)
);
create index links_path on links (path_key);
create index links_target on links (target_type, target_id) where target_id is not null;

-- What is to be read anew. Rows are only added and taken: nobody who adds one waits for somebody who works.
create table waiting (
  id bigserial primary key,
  object_type text not null,
  object_id bigint not null,
  -- The job that has it in hand, and since when.
  taken_by bigint,
  taken_at timestamptz
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index waiting_object on waiting (object_type, object_id);
create index waiting_free on waiting (id) where taken_by is null;
create index waiting_taken on waiting (taken_by) where taken_by is not null;
create sequence read_numbers;

-- Whether a job is promised that has not begun yet: it will see all that is waiting by then.
create table promised (
  only_one boolean primary key default true check (only_one),
  is_open boolean not null default false
);
insert into promised default values;

-- What was last heard of the site: title, tagline, address, language, time zone.
create table site (
  only_one boolean primary key default true check (only_one),
  facts jsonb not null
);

-- Settings that differ from their defaults.
create table settings (
  name text primary key,
  value jsonb not null
);

-- What somebody chose for one object; it wins over what is made of templates.
create table overrides (
  object_type text not null,
  object_id bigint not null,
  chosen jsonb not null,
  primary key (object_type, object_id)
);
