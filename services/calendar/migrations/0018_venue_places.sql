-- Which published venues have a place, as a bit for each id: lists of events by it (`geoloc`) look into one map of half a megabyte
-- where they made a hash table of all venues before. Triggers note whose bit may have changed, so that writers never wait for
-- each other; a sweep writes the bits (venues/places.ts). Until then what is noted is looked up in the table itself.
create table venue_places (
  -- of 8,192 ids each
  chunk bigint primary key,
  bits bytea not null
);
-- In the row as it is: no bit is to be fetched from elsewhere.
alter table venue_places alter column bits set storage plain;

create table venue_place_notes (
  id bigserial primary key,
  venue_id bigint not null
);

create function note_venue_places() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into venue_place_notes (venue_id)
      select n.id from new_rows n join old_rows o on o.id = n.id
       where (n.status = 'publish' and n.geo_lat is not null and n.geo_lng is not null)
          <> (o.status = 'publish' and o.geo_lat is not null and o.geo_lng is not null);
  else
    insert into venue_place_notes (venue_id)
      select id from changed where status = 'publish' and geo_lat is not null and geo_lng is not null;
  end if;
  return null;
end $$;
create trigger venues_place_insert after insert on venues
  referencing new table as changed for each statement execute function note_venue_places();
create trigger venues_place_update after update on venues
  referencing old table as old_rows new table as new_rows for each statement execute function note_venue_places();
create trigger venues_place_delete after delete on venues
  referencing old table as changed for each statement execute function note_venue_places();

-- Takes the oldest notes, `most` of them, and writes the bits of what they name; answers how many it took. Rows are read by a later statement
-- than the one that takes the notes: a change that this does not see has a note that is not taken.
create function fold_venue_places(most bigint) returns bigint language plpgsql as $$
declare
  noted bigint[];
  taken bigint;
  one record;
begin
  perform pg_advisory_xact_lock(hashtext('calendar:venue-places'));
  with gone as (
    delete from venue_place_notes where id in (select id from venue_place_notes order by id limit most) returning venue_id
  )
  select array_agg(distinct venue_id), count(*) into noted, taken from gone;
  for one in
    select listed.id >> 13 as chunk, array_agg((listed.id & 8191)::integer) as places,
           array_agg(exists (select from venues v where v.id = listed.id and v.status = 'publish'
                                and v.geo_lat is not null and v.geo_lng is not null)) as known
      from unnest(noted) as listed (id) group by 1
  loop
    declare
      map bytea := coalesce((select bits from venue_places where chunk = one.chunk), decode(repeat('00', 1024), 'hex'));
    begin
      for n in 1 .. cardinality(one.places) loop
        map := set_bit(map, one.places[n], one.known[n]::integer);
      end loop;
      insert into venue_places (chunk, bits) values (one.chunk, map)
        on conflict (chunk) do update set bits = excluded.bits;
    end;
  end loop;
  return taken;
end $$;

insert into venue_place_notes (venue_id)
  select id from venues where status = 'publish' and geo_lat is not null and geo_lng is not null;
select fold_venue_places(null);
-- Those that only some may read are looked for by themselves.
create index venues_unpublished_place on venues (id) where status <> 'publish' and geo_lat is not null and geo_lng is not null;
