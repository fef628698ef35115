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
create or replace function relink_events() returns trigger language plpgsql as $$
begin
  if not exists (
    select id, status, start_local, end_utc, venue_id, featured, category_ids, tag_ids, organizer_ids from new_rows
    except all
    select id, status, start_local, end_utc, venue_id, featured, category_ids, tag_ids, organizer_ids from old_rows
  ) then
    return null;
  end if;

  delete from event_categories l
    using (select target, start_local, id, end_utc, venue_id, featured from old_rows, unnest(category_ids) as target where status = 'publish'
           except
           select target, start_local, id, end_utc, venue_id, featured from new_rows, unnest(category_ids) as target where status = 'publish') as gone
    where l.target = gone.target and l.start_local = gone.start_local and l.event_id = gone.id;
  insert into event_categories (target, start_local, event_id, end_utc, venue_id, featured)
    select target, start_local, id, end_utc, venue_id, featured from new_rows, unnest(category_ids) as target where status = 'publish'
    except
    select target, start_local, id, end_utc, venue_id, featured from old_rows, unnest(category_ids) as target where status = 'publish';

  delete from event_tags l
    using (select target, start_local, id, end_utc, venue_id, featured from old_rows, unnest(tag_ids) as target where status = 'publish'
           except
           select target, start_local, id, end_utc, venue_id, featured from new_rows, unnest(tag_ids) as target where status = 'publish') as gone
    where l.target = gone.target and l.start_local = gone.start_local and l.event_id = gone.id;
  insert into event_tags (target, start_local, event_id, end_utc, venue_id, featured)
    select target, start_local, id, end_utc, venue_id, featured from new_rows, unnest(tag_ids) as target where status = 'publish'
    except
    select target, start_local, id, end_utc, venue_id, featured from old_rows, unnest(tag_ids) as target where status = 'publish';

  delete from event_organizers l
    using (select target, start_local, id, end_utc, venue_id, featured from old_rows, unnest(organizer_ids) as target where status = 'publish'
           except
           select target, start_local, id, end_utc, venue_id, featured from new_rows, unnest(organizer_ids) as target where status = 'publish') as gone
    where l.target = gone.target and l.start_local = gone.start_local and l.event_id = gone.id;
  insert into event_organizers (target, start_local, event_id, end_utc, venue_id, featured)
    select target, start_local, id, end_utc, venue_id, featured from new_rows, unnest(organizer_ids) as target where status = 'publish'
    except
    select target, start_local, id, end_utc, venue_id, featured from old_rows, unnest(organizer_ids) as target where status = 'publish';
  return null;
end $$;
