-- Of a site that lives on, what moved in is looked at again: which kind of thing it is, what was seen of it there, and how it was
-- left here. Whoever changed it here since keeps the change.
alter table imported_objects add column type text not null default '';
alter table imported_objects add column seen text not null default '';
alter table imported_objects add column left_as text not null default '';
