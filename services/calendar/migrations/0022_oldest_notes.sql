-- The oldest notes as an array: PostgreSQL, which mostly saw the table empty, looked for them anew for each of those that wait, so that a sweep
-- that was behind fell further behind, until no statement of it ended in time.
create or replace function fold_venue_places(most bigint) returns bigint language plpgsql as $$
declare
  noted bigint[];
  taken bigint;
  one record;
begin
  perform pg_advisory_xact_lock(hashtext('calendar:venue-places'));
  with gone as (
    delete from venue_place_notes where id = any(array(select id from venue_place_notes order by id limit most)) returning venue_id
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
