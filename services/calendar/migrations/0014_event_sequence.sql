-- How often what people are told of an event has changed (SEQUENCE of RFC 5545). Notes of the service itself, such as where a
-- picture came from, change nothing that anybody is told.
alter table events add column sequence integer not null default 0;

create function event_told_anew() returns trigger language plpgsql as $$
begin
  new.sequence := old.sequence + 1;
  return new;
end $$;

create trigger events_told_anew before update on events for each row
  when ((old.status, old.slug, old.title_html, old.description_html, old.timezone, old.all_day, old.start_local, old.end_local,
         old.start_utc, old.end_utc, old.image_id, old.venue_id, old.organizer_ids, old.category_ids)
    is distinct from
        (new.status, new.slug, new.title_html, new.description_html, new.timezone, new.all_day, new.start_local, new.end_local,
         new.start_utc, new.end_utc, new.image_id, new.venue_id, new.organizer_ids, new.category_ids))
  execute function event_told_anew();
