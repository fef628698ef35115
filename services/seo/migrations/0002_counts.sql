-- What follows from indexables and must never be counted by reading them all: posts by rank, and the files of crawlers.

alter table indexables
  add seo_rank text not null generated always as (
    case
      when is_noindex then 'noindex'
      when focus_keyword = '' or focus_keyword_score is null then 'na'
      when focus_keyword_score > 70 then 'good'
      when focus_keyword_score > 40 then 'ok'
      else 'bad'
    end) stored,
  -- Whether sitemaps name it. One that says its place is elsewhere has no place in them, nor has an address that is longer
  -- than the schema allows.
  add is_listed boolean not null generated always as (
    is_public and not is_noindex and status <> 'gone' and length(permalink) < 2048
      and (canonical = '' or canonical = permalink)) stored;
create index indexables_listed on indexables (object_subtype, object_id) where is_listed;
-- For news.
create index indexables_newest on indexables (published_at desc) where is_listed and object_subtype = 'post';

-- Published posts by author and rank: rows of one author and rank are added up. Whoever writes only adds rows, so that
-- nobody waits for anybody; now and then those of a kind become one. Author 0 stands for all of them together.
create table rank_counts (
  author bigint not null,
  seo_rank text not null,
  posts bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index rank_counts_author on rank_counts (author, seo_rank) include (posts);

-- A sitemap holds the objects of its kind whose numbers share all digits but the last four: that never changes.
create table sitemaps (
  kind text not null,
  bucket bigint not null,
  entries integer not null,
  -- when what it says changed
  modified_at timestamptz not null,
  digest text not null,
  body text not null,
  primary key (kind, bucket)
);
-- Those that do not show yet what is indexed. Rows are only added and taken, as those of `waiting`.
create table sitemap_changes (
  kind text not null,
  bucket bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index sitemap_changes_bucket on sitemap_changes (kind, bucket);

create function sitemap_kind(subtype text) returns text language sql immutable
  return case when subtype = 'home' then 'page' else subtype end;

-- Statements write many rows at once; each leaves a row for what it changes, not for each of its own.
create function note_inserted() returns trigger language plpgsql as $$
begin
  insert into rank_counts
    select scope, seo_rank, count(*) from new_rows, unnest(array[0, nullif(author, 0)]) as scope
    where object_subtype = 'post' and status = 'publish' and scope is not null
    group by 1, 2;
  insert into sitemap_changes
    select distinct sitemap_kind(object_subtype), object_id / 10000 from new_rows where is_listed;
  return null;
end $$;

create function note_deleted() returns trigger language plpgsql as $$
begin
  insert into rank_counts
    select scope, seo_rank, -count(*) from old_rows, unnest(array[0, nullif(author, 0)]) as scope
    where object_subtype = 'post' and status = 'publish' and scope is not null
    group by 1, 2;
  insert into sitemap_changes
    select distinct sitemap_kind(object_subtype), object_id / 10000 from old_rows where is_listed;
  return null;
end $$;

create function note_updated() returns trigger language plpgsql as $$
begin
  insert into rank_counts
    select scope, seo_rank, sum(step)
    from (select author, seo_rank, -1 as step from old_rows where object_subtype = 'post' and status = 'publish'
          union all
          select author, seo_rank, 1 from new_rows where object_subtype = 'post' and status = 'publish') as steps,
      unnest(array[0, nullif(author, 0)]) as scope
    where scope is not null
    group by 1, 2 having sum(step) <> 0;
  insert into sitemap_changes
    select distinct sitemap_kind(subtype), object_id / 10000
    from old_rows as o join new_rows as n using (object_type, object_id),
      unnest(array[case when o.is_listed then o.object_subtype end, case when n.is_listed then n.object_subtype end])
        as subtype
    where subtype is not null
      and (o.is_listed, o.object_subtype, o.permalink, o.modified_at, o.published_at, o.images)
        is distinct from (n.is_listed, n.object_subtype, n.permalink, n.modified_at, n.published_at, n.images);
  return null;
end $$;

create trigger note_inserted after insert on indexables referencing new table as new_rows
  for each statement execute function note_inserted();
create trigger note_deleted after delete on indexables referencing old table as old_rows
  for each statement execute function note_deleted();
create trigger note_updated after update on indexables referencing old table as old_rows new table as new_rows
  for each statement execute function note_updated();

-- What was seen of the site from outside, until when that is good, and until when somebody is looking.
create table external_checks (
  only_one boolean primary key default true check (only_one),
  outcome jsonb,
  fresh_until timestamptz not null default '-infinity',
  looking_until timestamptz not null default '-infinity'
);
insert into external_checks default values;
