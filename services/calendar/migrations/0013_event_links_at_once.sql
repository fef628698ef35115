-- What 0010_event_links.sql keeps, with less work for it: new events bring the rows of all three tables in one statement, and a
-- change that touches none of what these hold (most of an import that comes again) is told so by one look.
do $each$
declare
  list record;
  relink text := '';
begin
  for list in
    select * from (values ('event_categories', 'category_ids'), ('event_tags', 'tag_ids'), ('event_organizers', 'organizer_ids'))
      as lists (name, ids)
  loop
    execute format($sql$
drop trigger %1$s_insert on events;
drop trigger %1$s_update on events;
create or replace function link_%1$s() returns trigger language plpgsql as $$
begin
  delete from %1$s l
    using (select distinct target, start_local, id from old_rows, unnest(%2$s) as target where status = 'publish') as gone
    where l.target = gone.target and l.start_local = gone.start_local and l.event_id = gone.id;
  return null;
end $$;
    $sql$, list.name, list.ids);
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
create function relink_events() returns trigger language plpgsql as $$
begin
  if not exists (
    select from new_rows n join old_rows o on o.id = n.id
     where (n.status, n.start_local, n.end_utc, n.venue_id, n.featured, n.category_ids, n.tag_ids, n.organizer_ids)
       is distinct from (o.status, o.start_local, o.end_utc, o.venue_id, o.featured, o.category_ids, o.tag_ids, o.organizer_ids))
  then
    return null;
  end if;
  %s
  return null;
end $$;
  $sql$, relink);
end $each$;

create function link_events() returns trigger language plpgsql as $$
begin
  with published as materialized (
    select id, start_local, end_utc, venue_id, featured, category_ids, tag_ids, organizer_ids from new_rows where status = 'publish'
  ), categories as (
    insert into event_categories (target, start_local, event_id, end_utc, venue_id, featured)
      select distinct target, start_local, id, end_utc, venue_id, featured from published, unnest(category_ids) as target
  ), tags as (
    insert into event_tags (target, start_local, event_id, end_utc, venue_id, featured)
      select distinct target, start_local, id, end_utc, venue_id, featured from published, unnest(tag_ids) as target
  )
  insert into event_organizers (target, start_local, event_id, end_utc, venue_id, featured)
    select distinct target, start_local, id, end_utc, venue_id, featured from published, unnest(organizer_ids) as target;
  return null;
end $$;

create trigger events_link_insert after insert on events
  referencing new table as new_rows for each statement execute function link_events();
create trigger events_link_update after update on events
  referencing old table as old_rows new table as new_rows for each statement execute function relink_events();
