-- What commits make old, for whoever keeps answers (chassis/migrations/0003_news.sql). Rows of the index go by their type (`post:12`,
-- `term:5`), addresses by their key (`path:<uuid>`): whatever an address leads to is old when one that has or had it came, went,
-- or became readable. `sitemap` is the list of sitemaps, `map:<kind>-<bucket>` one of them. Settings reach into everything: `*`.

-- Beyond some addresses «all of them» is cheaper for everybody.
create function paths_tag(keys uuid[]) returns text language sql immutable as $$
  select case
    when coalesce(cardinality(keys), 0) = 0 then null
    when cardinality(keys) > 100 then 'path:*'
    else 'path:' || array_to_string(keys, ',')
  end
$$;

-- `keys` and `led` are `<type>:<id>`: of rows that say something else now, and of those that addresses lead to in another way.
create function tell_indexables(keys text[], led text[]) returns void language plpgsql as $$
declare
  kind text;
begin
  foreach kind in array array['home', 'post', 'term', 'user'] loop
    perform tell_news(rows_tag(kind,
      (select array_agg(split_part(k, ':', 2)::bigint) from unnest(keys) k where split_part(k, ':', 1) = kind)));
  end loop;
  perform tell_news(paths_tag((
    select array_agg(distinct a.path_key) from unnest(led) l
      join addresses a on a.object_type = split_part(l, ':', 1) and a.object_id = split_part(l, ':', 2)::bigint)));
end $$;

create function indexables_news() returns trigger language plpgsql as $$
declare
  keys text[];
  led text[];
begin
  if tg_op = 'INSERT' then
    select array_agg(object_type || ':' || object_id) into keys from new_rows;
    led := keys;
  elsif tg_op = 'DELETE' then
    select array_agg(object_type || ':' || object_id) into keys from old_rows;
    led := keys;
  else
    select array_agg(n.object_type || ':' || n.object_id) filter (where
             (n.is_public, n.status, n.permalink, n.head_html, n.head_json, n.list_item)
             is distinct from (o.is_public, o.status, o.permalink, o.head_html, o.head_json, o.list_item)),
           array_agg(n.object_type || ':' || n.object_id) filter (where
             (n.is_public, n.status, n.permalink) is distinct from (o.is_public, o.status, o.permalink))
      into keys, led
      from new_rows n join old_rows o on o.object_type = n.object_type and o.object_id = n.object_id;
  end if;
  perform tell_indexables(keys, led);
  return null;
end $$;
create trigger indexables_news_insert after insert on indexables
  referencing new table as new_rows for each statement execute function indexables_news();
create trigger indexables_news_update after update on indexables
  referencing old table as old_rows new table as new_rows for each statement execute function indexables_news();
create trigger indexables_news_delete after delete on indexables
  referencing old table as old_rows for each statement execute function indexables_news();

create function addresses_news() returns trigger language plpgsql as $$
begin
  perform tell_news(paths_tag((select array_agg(distinct path_key) from changed)));
  return null;
end $$;
create trigger addresses_news_insert after insert on addresses
  referencing new table as changed for each statement execute function addresses_news();
create trigger addresses_news_update after update on addresses
  referencing new table as changed for each statement execute function addresses_news();
create trigger addresses_news_delete after delete on addresses
  referencing old table as changed for each statement execute function addresses_news();

-- One that is to be made anew is as old as one that was.
create function sitemaps_news() returns trigger language plpgsql as $$
begin
  if exists (select from changed) then
    perform tell_news(variadic array_append(array(select distinct 'map:' || kind || '-' || bucket from changed), 'sitemap'));
  end if;
  return null;
end $$;
create trigger sitemap_changes_news after insert on sitemap_changes
  referencing new table as changed for each statement execute function sitemaps_news();
create trigger sitemaps_news_insert after insert on sitemaps
  referencing new table as changed for each statement execute function sitemaps_news();
create trigger sitemaps_news_update after update on sitemaps
  referencing new table as changed for each statement execute function sitemaps_news();
create trigger sitemaps_news_delete after delete on sitemaps
  referencing old table as changed for each statement execute function sitemaps_news();

create function settings_news() returns trigger language plpgsql as $$
begin
  perform tell_news('*');
  return null;
end $$;
create trigger settings_news after insert or update or delete on settings
  for each statement execute function settings_news();
create trigger site_news after insert or update or delete on site
  for each statement execute function settings_news();
