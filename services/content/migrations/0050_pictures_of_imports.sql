-- Which import of events made the picture; empty: none.
alter table media add column import_id text not null default '';
