-- What lists of strangers count and pass by, beside what it is counted from: which venues and organizers are published, when the
-- last of their published events ends, how many they are, and how many published events begin on each day. To find that out whenever a
-- list asked took a pass over all events, or over all venues. Triggers note what may have become different, in one row for a statement,
-- so that writers never wait for each other; a sweep writes what becomes of it (common/listings.ts). Whoever lists takes
-- what is noted from the tables themselves, so that lists are never behind.

-- Whoever writes now leaves no notes, and is waited for; before anything else is locked, in the order in which writers take them: who has
-- written a venue may still write its event.
lock table venues, organizers, events in share row exclusive mode;

create table listing_notes (
  id bigserial primary key,
  venues bigint[] not null default '{}',
  organizers bigint[] not null default '{}',
  -- how many more, or fewer, are published
  more_venues bigint not null default 0,
  more_organizers bigint not null default 0,
  -- of published events: a day of its own clock for each that is there, and for each that is not there any more
  days date[] not null default '{}',
  gone_days date[] not null default '{}'
);

create table event_days (
  day date primary key,
  n bigint not null
);

create table listed_counts (
  kind text primary key,
  n bigint not null,
  -- those with events
  used bigint not null
);

-- Of the last event of each organizer, as events_published_venue tells it of a venue.
create index event_organizers_end on event_organizers (target, end_utc);

do $each$
declare
  kind record;
begin
  for kind in
    select * from (values
      ('venue', 'venues', 'from events l where l.status = ''publish'' and l.venue_id = t.id'),
      ('organizer', 'organizers', 'from event_organizers l where l.target = t.id')) as kinds (one, many, events)
  loop
    execute format($sql$
create table listed_%2$s (
  id bigint primary key,
  date_utc timestamptz not null,
  -- of the last published event; null: there is none
  last_end timestamptz
);

-- As the rows themselves say it.
create function %1$s_listings(ids bigint[]) returns setof listed_%2$s language sql stable rows 100 as $$
  select t.id, t.date_utc, t.last_end
    from (select distinct unnest(ids) as id) as asked
    cross join lateral (
      select t.id, t.date_utc, (select max(l.end_utc) %3$s) as last_end
        from %2$s t where t.id = asked.id and t.status = 'publish' offset 0) as t;
$$;

create function note_%2$s() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into listing_notes (%2$s, more_%2$s)
      select array_agg(n.id), sum((n.status = 'publish')::integer - (o.status = 'publish')::integer)
        from new_rows n join old_rows o on o.id = n.id
       where (n.status = 'publish' or o.status = 'publish') and (n.status, n.date_utc) is distinct from (o.status, o.date_utc)
      having count(*) > 0;
  else
    insert into listing_notes (%2$s, more_%2$s)
      select array_agg(id), case tg_op when 'INSERT' then count(*) else -count(*) end
        from changed where status = 'publish' having count(*) > 0;
  end if;
  return null;
end $$;
create trigger %2$s_note_insert after insert on %2$s
  referencing new table as changed for each statement execute function note_%2$s();
create trigger %2$s_note_update after update on %2$s
  referencing old table as old_rows new table as new_rows for each statement execute function note_%2$s();
create trigger %2$s_note_delete after delete on %2$s
  referencing old table as changed for each statement execute function note_%2$s();

-- Rows are read by a later statement than the one that took the notes: a change that this does not see has a note that was not taken.
create function fold_%2$s(noted bigint[], more bigint) returns void language sql as $$
  with now as materialized (
    select * from %1$s_listings(noted)
  ), before as materialized (
    select * from listed_%2$s where id = any(noted)
  ), gone as (
    delete from listed_%2$s where id in (select id from before except select id from now)
  ), listed as (
    insert into listed_%2$s (id, date_utc, last_end)
      select n.id, n.date_utc, n.last_end from now n left join before b on b.id = n.id
       where b.id is null or (b.date_utc, b.last_end) is distinct from (n.date_utc, n.last_end)
      on conflict (id) do update set date_utc = excluded.date_utc, last_end = excluded.last_end
  )
  update listed_counts set n = n + more, used = used + (select count(last_end) from now) - (select count(last_end) from before)
   where kind = '%2$s';
$$;

insert into listed_%2$s (id, date_utc, last_end)
  select t.id, t.date_utc, (select max(l.end_utc) %3$s) from %2$s t where t.status = 'publish';
insert into listed_counts (kind, n, used) select '%2$s', count(*), count(last_end) from listed_%2$s;
create index listed_%2$s_newest on listed_%2$s (date_utc desc, id desc) include (last_end);
    $sql$, kind.one, kind.many, kind.events);
  end loop;
end $each$;

create function note_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    with differing as materialized (
      select o.status as old_status, o.start_local::date as old_day, o.venue_id as old_venue, o.organizer_ids as old_organizers,
             n.status, n.start_local::date as day, n.venue_id, n.organizer_ids
        from new_rows n join old_rows o on o.id = n.id
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
  elsif tg_op = 'DELETE' then
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
create trigger events_note_insert after insert on events
  referencing new table as changed for each statement execute function note_events();
create trigger events_note_update after update on events
  referencing old table as old_rows new table as new_rows for each statement execute function note_events();
create trigger events_note_delete after delete on events
  referencing old table as changed for each statement execute function note_events();

insert into event_days (day, n) select start_local::date, count(*) from events where status = 'publish' group by 1;

-- Takes the oldest notes, `most` of them, and writes what becomes of them; answers how many it took.
create function fold_listings(most bigint) returns bigint language plpgsql as $$
declare
  taken record;
begin
  perform pg_advisory_xact_lock(hashtext('calendar:listings'));
  -- As an array: PostgreSQL, which mostly saw the table empty, would look for the oldest anew for each of those that wait.
  with gone as materialized (
    delete from listing_notes where id = any(array(select id from listing_notes order by id limit most)) returning *
  ), moved as (
    insert into event_days as d (day, n)
      select day, sum(more) from (select unnest(days) as day, 1 as more from gone union all select unnest(gone_days), -1 from gone) as noted
       group by day having sum(more) <> 0
      on conflict (day) do update set n = d.n + excluded.n
  )
  select count(*) as n, array(select distinct unnest(venues) from gone) as venues, array(select distinct unnest(organizers) from gone) as organizers,
         coalesce(sum(more_venues), 0)::bigint as more_venues, coalesce(sum(more_organizers), 0)::bigint as more_organizers
    into taken from gone;
  if taken.n > 0 then
    perform fold_venues(taken.venues, taken.more_venues);
    perform fold_organizers(taken.organizers, taken.more_organizers);
  end if;
  return taken.n;
end $$;
