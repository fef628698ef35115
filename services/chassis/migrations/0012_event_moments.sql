-- When an event was announced, beside its number: a database that is put back to an earlier moment, or whose last writes a failover
-- lost, gives the same numbers again. Unknown of what a version before took in.
alter table inbox add column happened_at timestamp;
