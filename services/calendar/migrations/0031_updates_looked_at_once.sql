-- What an update of events changed is found out once, and what hangs on it is gone on with only where that differs, as content does for posts
-- (content/migrations/0046_updates_looked_at_once.sql). Five triggers each laid the rows before and after beside each other. What each part
-- does is as before; inserts and deletions keep their triggers.

-- Before anything else is locked: whoever writes now is waited for.
lock table events in access exclusive mode;

-- Since 0.1.0: events_updated does it.
drop trigger events_updated on events;
-- Since 0.1.0: events_updated does it.
drop trigger events_link_update on events;
-- Since 0.1.0: events_updated does it.
drop trigger events_note_update on events;
-- Since 0.1.0: events_updated does it.
drop trigger events_note_links_update on events;
-- Since 0.1.0: events_updated does it.
drop trigger events_news_update on events;
-- Since 0.1.0: events_updated does it.
drop function relink_events();

-- Rows are laid beside each other by `full join`, which no plan turns into a loop in a loop, however many there are.
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
create function events_updated() returns trigger language plpgsql as $$
declare
  ids bigint[];
  listed boolean;
  words boolean;
  counted boolean := false;
  relinked boolean := false;
  noted boolean := false;
  linked bigint[];
begin
  select array_agg(n.id),
         bool_or((n.status, n.slug, n.author, n.date_utc, n.start_local, n.end_local, n.end_utc, n.hide_from_listings, n.sticky,
                  n.featured, n.venue_id, n.organizer_ids, n.category_ids, n.tag_ids, n.parent)
           is distinct from
                 (o.status, o.slug, o.author, o.date_utc, o.start_local, o.end_local, o.end_utc, o.hide_from_listings, o.sticky,
                  o.featured, o.venue_id, o.organizer_ids, o.category_ids, o.tag_ids, o.parent)),
         bool_or(n.search_text <> o.search_text)
    into ids, listed, words
    from new_rows n full join old_rows o on o.id = n.id;
  if ids is null then
    return null;
  end if;

  if listed then
    select bool_or((n.status, n.category_ids, n.tag_ids) is distinct from (o.status, o.category_ids, o.tag_ids)),
           bool_or((n.status, n.start_local, n.end_utc, n.venue_id, n.featured, n.category_ids, n.tag_ids, n.organizer_ids)
             is distinct from (o.status, o.start_local, o.end_utc, o.venue_id, o.featured, o.category_ids, o.tag_ids, o.organizer_ids)),
           bool_or((n.status, n.start_local::date, n.end_utc, n.venue_id, n.organizer_ids)
             is distinct from (o.status, o.start_local::date, o.end_utc, o.venue_id, o.organizer_ids)),
           array_agg(n.id) filter (where (n.status = 'publish' or o.status = 'publish')
             and (n.status, n.category_ids, n.tag_ids, n.organizer_ids) is distinct from (o.status, o.category_ids, o.tag_ids, o.organizer_ids))
      into counted, relinked, noted, linked
      from new_rows n full join old_rows o on o.id = n.id;
  end if;

  if counted then
    insert into term_count_notes (term_id, delta)
      select term, sum(n) from (
        select term, 1 as n from new_rows, unnest(category_ids || tag_ids) as term where status = 'publish'
        union all
        select term, -1 from old_rows, unnest(category_ids || tag_ids) as term where status = 'publish'
      ) as moved
      group by term having sum(n) <> 0;
  end if;

  if relinked then
    %s
  end if;

  if linked is not null then
    insert into link_notes (ids) values (linked);
  end if;

  if noted then
    with differing as materialized (
      select o.status as old_status, o.start_local::date as old_day, o.venue_id as old_venue, o.organizer_ids as old_organizers,
             n.status, n.start_local::date as day, n.venue_id, n.organizer_ids
        from new_rows n full join old_rows o on o.id = n.id
       where (n.status = 'publish' or o.status = 'publish')
         and (n.status, n.start_local::date, n.end_utc, n.venue_id, n.organizer_ids)
          is distinct from (o.status, o.start_local::date, o.end_utc, o.venue_id, o.organizer_ids)
    ), moved as (
      select old_day as gone_day, null::date as day, old_venue as venue_id, old_organizers as organizer_ids
        from differing where old_status = 'publish'
      union all
      select null, day, venue_id, organizer_ids from differing where status = 'publish'
    )
    insert into listing_notes (venues, organizers, days, gone_days)
      select array_agg(venue_id), array(select one from moved, unnest(organizer_ids) as one),
             coalesce(array_agg(day) filter (where day is not null), '{}'),
             coalesce(array_agg(gone_day) filter (where gone_day is not null), '{}')
        from moved having count(*) > 0;
  end if;

  -- What processes remember is forgotten before the news are heard.
  perform pg_notify('events', '');
  perform tell_news(rows_tag('event', ids), case when listed then 'event' end, case when words then 'words' end);
  return null;
end $$;
  $sql$, relink);
end $each$;
create trigger events_updated after update on events
  referencing old table as old_rows new table as new_rows for each statement execute function events_updated();

-- What follows is as it was made, without what updates did there.
create or replace function events_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into term_count_notes (term_id, delta)
      select term, count(*) from new_rows, unnest(category_ids || tag_ids) as term where status = 'publish' group by term;
  else
    insert into term_count_notes (term_id, delta)
      select term, -count(*) from old_rows, unnest(category_ids || tag_ids) as term where status = 'publish' group by term;
  end if;
  return null;
end $$;

create or replace function note_links() returns trigger language plpgsql as $$
begin
  insert into link_notes (ids)
    select array_agg(id) from changed where status = 'publish' having count(*) > 0;
  return null;
end $$;

create or replace function note_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into listing_notes (venues, organizers, gone_days)
      select array_agg(venue_id), array(select one from changed, unnest(organizer_ids) as one where status = 'publish'),
             array_agg(start_local::date)
        from changed where status = 'publish' having count(*) > 0;
  else
    insert into listing_notes (venues, organizers, days)
      select array_agg(venue_id), array(select one from changed, unnest(organizer_ids) as one where status = 'publish'),
             array_agg(start_local::date)
        from changed where status = 'publish' having count(*) > 0;
  end if;
  return null;
end $$;

create or replace function events_news() returns trigger language plpgsql as $$
declare
  ids bigint[];
begin
  perform pg_notify('events', '');
  if tg_op = 'INSERT' then
    select array_agg(id) into ids from new_rows;
  else
    select array_agg(id) into ids from old_rows;
  end if;
  perform tell_news(rows_tag('event', ids), case when ids is not null then 'event' end);
  return null;
end $$;
