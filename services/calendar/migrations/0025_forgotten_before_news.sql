-- Processes drop the lists that they remember before they hear the news of events: whoever has heard news answers for all that they tell, and
-- what he had remembered from before would be kept as new for good. Of updates the news came first, as triggers run in the order of their
-- names, so one of them tells both. All else is as it was made in 0002_events.sql and 0011_news.sql.
create or replace function events_news() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  ids bigint[];
  listed boolean := true;
  words boolean := false;
begin
  perform pg_notify('events', '');
  if tg_op = 'INSERT' then
    select array_agg(id) into ids from new_rows;
  elsif tg_op = 'DELETE' then
    select array_agg(id) into ids from old_rows;
  else
    select array_agg(n.id),
           bool_or((n.status, n.slug, n.author, n.date_utc, n.start_local, n.end_local, n.end_utc, n.hide_from_listings, n.sticky,
                    n.featured, n.venue_id, n.organizer_ids, n.category_ids, n.tag_ids, n.parent)
             is distinct from
                   (o.status, o.slug, o.author, o.date_utc, o.start_local, o.end_local, o.end_utc, o.hide_from_listings, o.sticky,
                    o.featured, o.venue_id, o.organizer_ids, o.category_ids, o.tag_ids, o.parent)),
           bool_or(n.search_text <> o.search_text)
      into ids, listed, words
      from new_rows n join old_rows o on o.id = n.id;
  end if;
  perform tell_news(rows_tag('event', ids), case when listed and ids is not null then 'event' end,
    case when words then 'words' end);
  return null;
end $$;

create or replace function events_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into term_count_notes (term_id, delta)
      select term, count(*) from new_rows, unnest(category_ids || tag_ids) as term where status = 'publish' group by term;
  elsif tg_op = 'DELETE' then
    insert into term_count_notes (term_id, delta)
      select term, -count(*) from old_rows, unnest(category_ids || tag_ids) as term where status = 'publish' group by term;
  else
    insert into term_count_notes (term_id, delta)
      select term, sum(n) from (
        select term, 1 as n from new_rows, unnest(category_ids || tag_ids) as term where status = 'publish'
        union all
        select term, -1 from old_rows, unnest(category_ids || tag_ids) as term where status = 'publish'
      ) as moved
      group by term having sum(n) <> 0;
  end if;
  return null;
end $$;
