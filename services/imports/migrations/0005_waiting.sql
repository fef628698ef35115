-- Bytes of the batches that wait for the calendar: of one import only so many are kept (`IMPORT_WAITING_MEGABYTES`).
alter table imports add column waiting_bytes bigint not null default 0;
update imports i
  set waiting_bytes = (select coalesce(sum(octet_length(b.payload)), 0) from batches b where b.import = i.id and b.number > i.applied)
  where accepted > applied;
