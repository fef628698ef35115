-- What commits make old, for whoever keeps answers (chassis/migrations/0003_news.sql). Sets: `event`, `venue`, `organizer`;
-- `words` for searches of events. What is shown of the content service has news of its own there.
create function events_news() returns trigger language plpgsql as $$
declare
  ids bigint[];
  listed boolean := true;
  words boolean := false;
begin
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
create trigger events_news_insert after insert on events
  referencing new table as new_rows for each statement execute function events_news();
create trigger events_news_update after update on events
  referencing old table as old_rows new table as new_rows for each statement execute function events_news();
create trigger events_news_delete after delete on events
  referencing old table as old_rows for each statement execute function events_news();

-- The kind of the rows is the argument.
create function linked_news() returns trigger language plpgsql as $$
declare
  ids bigint[] := (select array_agg(id) from changed);
begin
  if ids is not null then
    perform tell_news(rows_tag(tg_argv[0], ids), tg_argv[0]);
  end if;
  return null;
end $$;
create trigger venues_news_insert after insert on venues
  referencing new table as changed for each statement execute function linked_news('venue');
create trigger venues_news_update after update on venues
  referencing new table as changed for each statement execute function linked_news('venue');
create trigger venues_news_delete after delete on venues
  referencing old table as changed for each statement execute function linked_news('venue');
create trigger organizers_news_insert after insert on organizers
  referencing new table as changed for each statement execute function linked_news('organizer');
create trigger organizers_news_update after update on organizers
  referencing new table as changed for each statement execute function linked_news('organizer');
create trigger organizers_news_delete after delete on organizers
  referencing old table as changed for each statement execute function linked_news('organizer');
