create extension if not exists pg_trgm;

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
  -- path below the site: `2024/01/31/slug` of a post, the slugs of the ancestors and its own of a page, the parent's
  -- path and its own slug of an attachment; kept when a page, or one above it, moves
  path text not null default '',
  status_before_trash text not null default '',
  revision_count integer not null default 0,
  last_revision bigint not null default 0,
  -- what `search` looks in, in lower case: `ilike` would lower every row anew
  search_text text generated always as (lower(title_raw || E'\n' || excerpt_raw || E'\n' || content_raw)) stored,
  -- what orders by title: a column, since only those are read from an index without the row
  title_key text generated always as (left(lower(title_raw), 200)) stored
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

-- Slugs: unique for posts, below one parent for pages, over all types for attachments (the last against other types
-- is kept by posts/slugs.ts, which takes a lock on the slug).
create unique index posts_slug_post on posts (slug) where type = 'post' and slug <> '';
create unique index posts_slug_page on posts (parent, slug) where type = 'page' and slug <> '';
create unique index posts_slug_attachment on posts (slug) where type = 'attachment' and slug <> '';
-- Finds `hello-2`, `hello-3` … beside `hello`, whatever the collation of the database.
create index posts_slug_prefix on posts (slug collate "C") where slug <> '';

-- Lists of what everybody sees, in every order; ids at the end so that equal keys have one order, and deep pages are
-- found in the index alone.
create index posts_published_date on posts (type, date_gmt, id) where status = 'publish';
create index posts_published_modified on posts (type, modified_gmt, id) where status = 'publish';
create index posts_published_title on posts (type, title_key, id) where status = 'publish';
create index posts_published_slug on posts (type, slug, id) where status = 'publish';
create index posts_published_id on posts (type, id) where status = 'publish';
create index posts_published_menu_order on posts (menu_order, date_gmt, id) where type = 'page' and status = 'publish';
-- Lists of the rest: drafts, the trash, media, and several statuses together.
create index posts_date on posts (type, date_gmt, id);
create index posts_other_date on posts (type, status, date_gmt, id) where status <> 'publish';
create index posts_author on posts (type, author, date_gmt, id);
create index posts_sticky on posts (date_gmt, id) where sticky;
create index posts_parent on posts (parent, type) where parent <> 0;
create index posts_featured_media on posts (featured_media) where featured_media <> 0;
create index posts_categories on posts using gin (categories) where type = 'post';
create index posts_tags on posts using gin (tags) where type = 'post';
create index posts_search on posts using gin (search_text gin_trgm_ops);
-- Search words of one or two letters match beginnings of words in titles (chassis/src/db/search.ts).
create index posts_title_words on posts using gin (to_tsvector('simple', left(title_raw, 300)));
-- Paths may be longer than a b-tree takes.
create index posts_path on posts using hash (path);
create index posts_due on posts (date_gmt) where status = 'future';

-- How many posts there are of each type and status. Several slots for one number, so that writers do not queue for one
-- row; the sum counts.
create table post_counts (
  type text not null,
  status text not null,
  slot integer not null,
  n bigint not null,
  primary key (type, status, slot)
);

create function count_posts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into post_counts as c (type, status, slot, n)
      select type, status, pg_backend_pid() % 64, count(*) from new_rows group by type, status order by type, status
      on conflict (type, status, slot) do update set n = c.n + excluded.n;
  elsif tg_op = 'DELETE' then
    insert into post_counts as c (type, status, slot, n)
      select type, status, pg_backend_pid() % 64, -count(*) from old_rows group by type, status order by type, status
      on conflict (type, status, slot) do update set n = c.n + excluded.n;
  else
    insert into post_counts as c (type, status, slot, n)
      select type, status, pg_backend_pid() % 64, sum(n)
        from (select type, status, 1 as n from new_rows union all select type, status, -1 from old_rows) as moved
        group by type, status having sum(n) <> 0 order by type, status
      on conflict (type, status, slot) do update set n = c.n + excluded.n;
  end if;
  -- Processes keep totals of lists in memory (posts/totals.ts); this is how they hear that those are old.
  perform pg_notify('posts', '');
  return null;
end $$;

create trigger posts_count_insert after insert on posts
  referencing new table as new_rows for each statement execute function count_posts();
create trigger posts_count_update after update on posts
  referencing old table as old_rows new table as new_rows for each statement execute function count_posts();
create trigger posts_count_delete after delete on posts
  referencing old table as old_rows for each statement execute function count_posts();
