-- Posts, pages and attachments share ids, slugs and most fields; revisions share the ids too, so an id names one thing.
create sequence object_ids;

create table posts (
  id bigint primary key default nextval('object_ids'),
  type text not null check (type in ('post', 'page', 'attachment')),
  status text not null,
  slug text not null default '',
  author bigint not null default 0,
  -- clock of the site when written, and the moment it names
  date_local timestamp not null,
  date_gmt timestamptz not null,
  -- whether somebody chose the date; a draft without one takes the moment of its publication
  date_chosen boolean not null default false,
  modified_local timestamp not null,
  modified_gmt timestamptz not null,
  guid text not null default '',
  title_raw text not null default '',
  title_html text not null default '',
  content_raw text not null default '',
  content_html text not null default '',
  excerpt_raw text not null default '',
  excerpt_html text not null default '',
  password text not null default '',
  parent bigint not null default 0,
  menu_order integer not null default 0,
  comment_status text not null default 'open',
  ping_status text not null default 'open',
  sticky boolean not null default false,
  format text not null default 'standard',
  template text not null default '',
  featured_media bigint not null default 0,
  -- term ids in the order of the terms' names
  categories bigint[] not null default '{}',
  tags bigint[] not null default '{}',
  meta jsonb not null default '{}',
  -- path of slugs below the site, kept when a page, or one above it, moves
  path text not null default '',
  status_before_trash text not null default '',
  revision_count integer not null default 0,
  last_revision bigint not null default 0,
  -- what `search` looks in
  search_text text generated always as (title_raw || E'\n' || excerpt_raw || E'\n' || content_raw) stored
);

create table revisions (
  id bigint primary key default nextval('object_ids'),
  parent bigint not null references posts (id) on delete cascade,
  author bigint not null default 0,
  date_local timestamp not null,
  date_gmt timestamptz not null,
  title_raw text not null default '',
  title_html text not null default '',
  content_raw text not null default '',
  content_html text not null default '',
  excerpt_raw text not null default '',
  excerpt_html text not null default ''
);
create index revisions_parent on revisions (parent, id desc);
