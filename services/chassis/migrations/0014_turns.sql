-- Whose turn it is among the jobs of a queue that are ready: lower numbers go first, and 0 before all of them.
alter table outbox add column turn integer not null default 0;
