-- Lists by whether the venue has a place (`geoloc`) and by `featured=false` keep most of what there is. With both beside the
-- starts they are counted in the index alone.
drop index events_published_start;
create index events_published_start on events (start_local, id) include (venue_id, featured) where status = 'publish';
