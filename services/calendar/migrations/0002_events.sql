create extension if not exists pg_trgm;

create table events (
  id bigint primary key default nextval('object_ids'),
  author bigint not null default 0,
  status text not null,
  status_before_trash text not null default '',
  slug text not null default '',
  -- publication: clock of the site, and the moment
  date_local timestamp not null,
  date_utc timestamptz not null,
  date_chosen boolean not null default false,
  modified_local timestamp not null,
  modified_utc timestamptz not null,
  title_raw text not null,
  title_html text not null,
  description_raw text not null default '',
  description_html text not null default '',
  excerpt_raw text not null default '',
  excerpt_html text not null default '',
  -- when it takes place: clock of its zone, and the moment
  timezone text not null,
  all_day boolean not null default false,
  start_local timestamp not null,
  end_local timestamp not null,
  start_utc timestamptz not null,
  end_utc timestamptz not null check (end_utc >= start_utc),
  image_id bigint not null default 0,
  -- as given, and its parts (events/cost.ts): {symbol, position, values: [], shown: []}
  cost text not null default '',
  cost_details jsonb not null default '{}',
  -- null: none was ever given, the event's own address stands for it
  website text,
  show_map boolean not null default false,
  show_map_link boolean not null default false,
  hide_from_listings boolean not null default false,
  sticky boolean not null default false,
  featured boolean not null default false,
  venue_id bigint not null default 0,
  organizer_ids bigint[] not null default '{}',
  -- terms of the content service
  category_ids bigint[] not null default '{}',
  tag_ids bigint[] not null default '{}',
  parent bigint not null default 0,
  -- identity given by an import's source
  origin text not null default '',
  uid text not null default '',
  global_id text not null default '',
  global_id_lineage text[] not null default '{}',
  search_text text generated always as (lower(title_raw || E'\n' || description_raw)) stored
);

create unique index events_slug on events (slug) where slug <> '';
-- Finds `concert-2`, `concert-3` … beside `concert`, whatever the collation of the database.
create index events_slug_prefix on events (slug collate "C") where slug <> '';

-- Lists follow the clock of the start. Ids at the end, so that equal starts have one order and counts and deep pages
-- are found in the index alone.
create index events_published_start on events (start_local, id) where status = 'publish';
create index events_start on events (start_local, id);
-- What began before a window but still runs in it: events at one moment of the clock. Clocks set back may put the end
-- before the start.
create index events_running on events
  using gist (tsrange(start_local, greatest(start_local, end_local), '[]'));
create index events_venue on events (venue_id, start_local, id) where venue_id <> 0;
create index events_organizers on events using gin (organizer_ids);
create index events_categories on events using gin (category_ids);
create index events_tags on events using gin (tag_ids);
create index events_featured on events (start_local, id) where featured;
create index events_parent on events (parent, start_local, id) where parent <> 0;
create index events_author on events (author, start_local, id);
create index events_search on events using gin (search_text gin_trgm_ops);
-- Search words of one or two letters match beginnings of words in titles (chassis/src/db/search.ts).
create index events_title_words on events using gin (to_tsvector('simple', left(title_raw, 300)));
create index events_due on events (date_utc) where status = 'future';
create index events_image on events (image_id) where image_id <> 0;
-- What a source imported before.
create index events_uid on events (origin, uid) where uid <> '';
create index events_global_id on events (global_id) where global_id <> '';

-- How many published events carry each term (events/counts.ts), and what has come and gone since. Notes are only added
-- and taken away: writers of one term never wait for each other.
create table term_counts (
  term_id bigint primary key,
  count bigint not null
);
create table term_count_notes (
  id bigserial primary key,
  term_id bigint not null,
  delta bigint not null
);

create function events_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into term_count_notes (term_id, delta)
      select term, count(*) from new_rows, unnest(category_ids || tag_ids) as term where status = 'publish' group by term;
  elsif tg_op = 'DELETE' then
    insert into term_count_notes (term_id, delta)
      select term, -count(*) from old_rows, unnest(category_ids || tag_ids) as term where status = 'publish' group by term;
  else
    insert into term_count_notes (term_id, delta)
      select term, sum(n) from (
        select term, 1 as n from new_rows, unnest(category_ids || tag_ids) as term where status = 'publish'
        union all
        select term, -1 from old_rows, unnest(category_ids || tag_ids) as term where status = 'publish'
      ) as moved
      group by term having sum(n) <> 0;
  end if;
  -- Processes keep totals of lists in memory (common/memory.ts); this is how they hear that those are old.
  perform pg_notify('events', '');
  return null;
end $$;

create trigger events_inserted after insert on events
  referencing new table as new_rows for each statement execute function events_changed();
create trigger events_updated after update on events
  referencing old table as old_rows new table as new_rows for each statement execute function events_changed();
create trigger events_deleted after delete on events
  referencing old table as old_rows for each statement execute function events_changed();
