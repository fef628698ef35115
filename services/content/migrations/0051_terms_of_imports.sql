-- Which import of events made the term; empty: none.
alter table terms add column import_id text not null default '';
