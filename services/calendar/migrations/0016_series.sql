-- What the source of an event calls the series it belongs to: a part may come before the whole does.
alter table events add column parent_uid text not null default '';
update events c set parent_uid = p.uid from events p
 where c.parent <> 0 and p.id = c.parent and p.origin = c.origin and p.origin <> '' and p.uid <> '';
create index events_parent_uid on events (origin, parent_uid) where parent_uid <> '';
