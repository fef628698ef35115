-- What fewer answers show than the news said. Settings tell their names (`setting:timezone`), with `settings` for what shows any of
-- them; until now they were news to everything. What stands at an address hears of what comes to it or leaves it (`at:` and the
-- hash of the path), where it had to hear of every page.
create function paths_tag(paths text[]) returns text language sql immutable as $$
  select case
    when coalesce(cardinality(paths), 0) = 0 then null
    when cardinality(paths) > 100 then 'at:*'
    else 'at:' || (select string_agg(distinct md5(path), ',') from unnest(paths) as path)
  end
$$;

create or replace function posts_news() returns trigger language plpgsql as $$
declare
  ids bigint[];
  sets text[];
  modified boolean := false;
  words boolean := false;
  authors boolean := true;
  files bigint[];
  paths text[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id), array_agg(distinct type), array_agg(path) filter (where path <> '')
      into ids, sets, paths from new_rows;
  elsif tg_op = 'DELETE' then
    select array_agg(id), array_agg(distinct type), array_agg(path) filter (where path <> '')
      into ids, sets, paths from old_rows;
  else
    select array_agg(n.id),
           array_agg(distinct n.type) filter (where
             (n.type, n.status, n.slug, n.author, n.date_gmt, n.date_local, n.parent, n.menu_order, n.sticky, n.format,
              n.password, n.categories, n.tags)
             is distinct from
             (o.type, o.status, o.slug, o.author, o.date_gmt, o.date_local, o.parent, o.menu_order, o.sticky, o.format,
              o.password, o.categories, o.tags)),
           bool_or(n.modified_gmt <> o.modified_gmt),
           bool_or(n.search_text <> o.search_text),
           bool_or((n.type, n.status, n.author) is distinct from (o.type, o.status, o.author)),
           array_cat(
             array_agg(o.path) filter (where o.path <> ''
               and (n.type, n.status, n.slug, n.path) is distinct from (o.type, o.status, o.slug, o.path)),
             array_agg(n.path) filter (where n.path <> '' and n.path <> o.path))
      into ids, sets, modified, words, authors, paths
      from new_rows n join old_rows o on o.id = n.id;
    -- Whether a file may be seen, and what it is embedded as, hangs on what it belongs to.
    select array_agg(f.id) into files
      from new_rows n join old_rows o on o.id = n.id join posts f on f.parent = n.id and f.parent <> 0
     where (n.status, n.password, n.path) is distinct from (o.status, o.password, o.path);
  end if;
  perform tell_news(rows_tag('post', ids), rows_tag('post', files), array_to_string(sets, '|'), paths_tag(paths),
    case when modified then 'modified' end, case when words then 'words' end, case when authors then 'authors' end);
  return null;
end $$;

drop trigger settings_news on settings;
create or replace function settings_news() returns trigger language plpgsql as $$
begin
  perform tell_news((select 'setting:' || string_agg(name, ',') from changed), 'settings');
  return null;
end $$;
create trigger settings_news_insert after insert on settings
  referencing new table as changed for each statement execute function settings_news();
create trigger settings_news_update after update on settings
  referencing new table as changed for each statement execute function settings_news();
create trigger settings_news_delete after delete on settings
  referencing old table as changed for each statement execute function settings_news();
