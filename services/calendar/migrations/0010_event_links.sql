-- The published events of each category, tag and organizer, in the order of their starts and with what else lists ask: what lists of these count and pass
-- by is read from these indexes alone, however many there are. A row is written by whoever writes its event, in the same
-- transaction, so that imports into one category never wait for each other.
do $each$
declare
  list record;
begin
  for list in
    select * from (values ('event_categories', 'category_ids'), ('event_tags', 'tag_ids'), ('event_organizers', 'organizer_ids'))
      as lists (name, ids)
  loop
    execute format($sql$
create table %1$s (
  target bigint not null,
  start_local timestamp not null,
  event_id bigint not null,
  end_utc timestamptz not null,
  venue_id bigint not null,
  featured boolean not null,
  primary key (target, start_local, event_id) include (end_utc, venue_id, featured)
);

create function link_%1$s() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into %1$s (target, start_local, event_id, end_utc, venue_id, featured)
      select distinct target, start_local, id, end_utc, venue_id, featured from new_rows, unnest(%2$s) as target where status = 'publish';
  elsif tg_op = 'DELETE' then
    delete from %1$s l
      using (select distinct target, start_local, id from old_rows, unnest(%2$s) as target where status = 'publish') as gone
      where l.target = gone.target and l.start_local = gone.start_local and l.event_id = gone.id;
  else
    delete from %1$s l
      using (select target, start_local, id, end_utc, venue_id, featured from old_rows, unnest(%2$s) as target where status = 'publish'
             except
             select target, start_local, id, end_utc, venue_id, featured from new_rows, unnest(%2$s) as target where status = 'publish') as gone
      where l.target = gone.target and l.start_local = gone.start_local and l.event_id = gone.id;
    insert into %1$s (target, start_local, event_id, end_utc, venue_id, featured)
      select target, start_local, id, end_utc, venue_id, featured from new_rows, unnest(%2$s) as target where status = 'publish'
      except
      select target, start_local, id, end_utc, venue_id, featured from old_rows, unnest(%2$s) as target where status = 'publish';
  end if;
  return null;
end $$;

create trigger %1$s_insert after insert on events
  referencing new table as new_rows for each statement execute function link_%1$s();
create trigger %1$s_update after update on events
  referencing old table as old_rows new table as new_rows for each statement execute function link_%1$s();
create trigger %1$s_delete after delete on events
  referencing old table as old_rows for each statement execute function link_%1$s();

insert into %1$s (target, start_local, event_id, end_utc, venue_id, featured)
  select distinct target, start_local, id, end_utc, venue_id, featured from events, unnest(%2$s) as target where status = 'publish';
    $sql$, list.name, list.ids);
  end loop;
end $each$;
