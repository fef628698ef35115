-- Events, venues and organizers have a slug from their creation on. Drafts from before, which have none yet, take their
-- number; where another row is called by it, a word before it.
update events set slug = id::text
 where slug = '' and not exists (select 1 from events o where o.slug = events.id::text);
update events set slug = 'event-' || id
 where slug = '' and not exists (select 1 from events o where o.slug = 'event-' || events.id);
update venues set slug = id::text
 where slug = '' and not exists (select 1 from venues o where o.slug = venues.id::text);
update venues set slug = 'venue-' || id
 where slug = '' and not exists (select 1 from venues o where o.slug = 'venue-' || venues.id);
update organizers set slug = id::text
 where slug = '' and not exists (select 1 from organizers o where o.slug = organizers.id::text);
update organizers set slug = 'organizer-' || id
 where slug = '' and not exists (select 1 from organizers o where o.slug = 'organizer-' || organizers.id);
