-- What no category, tag or organizer has a map for is noted and forgotten: a bit was made for each event three times over, and each of the
-- events read for it, though most sites have no map at all. A map that is made later is made of the links themselves, and waits for whoever
-- folds. All else is as it was made in 0023_link_maps.sql.
create or replace function fold_links(most bigint) returns bigint language plpgsql as $$
declare
  taken bigint;
  noted bigint[];
  mapped text[];
begin
  perform pg_advisory_xact_lock(hashtext('calendar:links'));
  mapped := array(select distinct list from mapped_links);
  with gone as materialized (
    delete from link_notes where id = any(array(select id from link_notes order by id limit most)) returning ids
  )
  select count(*), array(select distinct unnest(ids) from gone where mapped <> '{}') into taken, noted from gone;
  if 'categories' = any(mapped) then
    perform map_noted_categories(noted);
  end if;
  if 'tags' = any(mapped) then
    perform map_noted_tags(noted);
  end if;
  if 'organizers' = any(mapped) then
    perform map_noted_organizers(noted);
  end if;
  return taken;
end $$;
