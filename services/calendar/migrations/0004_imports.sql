-- Batches that were applied, with the answer, noted in the transaction of their effect: repeating one does nothing.
create table applied_batches (
  -- <import_id>/<number>
  key text primary key,
  -- AppliedBatch as JSON
  response jsonb not null,
  applied_at timestamptz not null default now()
);
create index applied_batches_age on applied_batches (applied_at);

-- An imported event is one thing within its origin: by its uid or, without one, by its global id. Imports that bring the
-- same event at the same moment meet here.
drop index events_uid;
create unique index events_uid on events (origin, uid) where uid <> '';
create unique index events_only_global_id on events (origin, global_id) where uid = '' and global_id <> '';

create index venues_global_id on venues (global_id) where global_id <> '';
create index organizers_global_id on organizers (global_id) where global_id <> '';

-- Address of the picture that the source named last: it is fetched once, and a late one does not replace a newer one.
alter table events add column image_source text not null default '';
