-- What triggers do is planned once for each connection, by how many rows it met first. Where that was one, all old rows were gone
-- through for each new one from then on: an update of two thousand events took three seconds. These compare what an update was given with
-- what was there, and nothing else that would be looked up row by row.
alter function events_news() set enable_nestloop = off;
alter function note_events() set enable_nestloop = off;
alter function note_venues() set enable_nestloop = off;
alter function note_organizers() set enable_nestloop = off;
alter function note_venue_places() set enable_nestloop = off;
alter function note_links() set enable_nestloop = off;

-- As it was made in 0013_event_links_at_once.sql, but for how it looks whether anything changed: links are looked up one by one.
do $each$
declare
  list record;
  relink text := '';
begin
  for list in
    select * from (values ('event_categories', 'category_ids'), ('event_tags', 'tag_ids'), ('event_organizers', 'organizer_ids'))
      as lists (name, ids)
  loop
    relink := relink || format($sql$
  delete from %1$s l
    using (select target, start_local, id, end_utc, venue_id, featured from old_rows, unnest(%2$s) as target where status = 'publish'
           except
           select target, start_local, id, end_utc, venue_id, featured from new_rows, unnest(%2$s) as target where status = 'publish') as gone
    where l.target = gone.target and l.start_local = gone.start_local and l.event_id = gone.id;
  insert into %1$s (target, start_local, event_id, end_utc, venue_id, featured)
    select target, start_local, id, end_utc, venue_id, featured from new_rows, unnest(%2$s) as target where status = 'publish'
    except
    select target, start_local, id, end_utc, venue_id, featured from old_rows, unnest(%2$s) as target where status = 'publish';
    $sql$, list.name, list.ids);
  end loop;
  execute format($sql$
create or replace function relink_events() returns trigger language plpgsql as $$
begin
  if not exists (
    select id, status, start_local, end_utc, venue_id, featured, category_ids, tag_ids, organizer_ids from new_rows
    except all
    select id, status, start_local, end_utc, venue_id, featured, category_ids, tag_ids, organizer_ids from old_rows
  ) then
    return null;
  end if;
  %s
  return null;
end $$;
  $sql$, relink);
end $each$;
