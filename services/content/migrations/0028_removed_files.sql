-- A name stays taken when its file has gone: whoever fetched it may show the bytes of that one for a year, and a removal that comes
-- late, or again, must not find another file under it.
alter table media_files add column removed_at timestamptz;
create index media_files_leftovers on media_files (reserved_at) where media is null and removed_at is null;
create index media_files_removed on media_files (removed_at) where removed_at is not null;
