-- Which venues have events, now or still to come, is read from an index alone.
create index events_published_venue on events (venue_id, end_utc) where status = 'publish';
