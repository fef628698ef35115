-- What an import may do to fields that people changed: overwrite, leave, fill (BEHAVIOUR.md 42).
alter table imports add column authority text not null default 'overwrite' check (authority in ('overwrite', 'leave', 'fill'));
-- The hash that the sender was given last: it opens the progress of the import also when nothing more is taken.
alter table imports add column given_hash text not null default '';
update imports i set given_hash = coalesce(i.expected_hash,
  (select b.hash from batches b where b.import = i.id and b.number = i.accepted), '');
-- Of what was skipped: what could not be taken, as opposed to what was left alone on purpose.
alter table imports add column events_failed bigint not null default 0;
alter table batches add column failed integer not null default 0;
alter table faults add column left_alone boolean not null default false;
-- Pages of the faults of one batch; of a whole import the primary order will do.
create index faults_of_batch on faults (import, batch, id);
