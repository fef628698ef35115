-- Until when what was kept of single batches was taken away. Whatever is heard of the import after that is kept again.
alter table imports add column cleared_at timestamptz;
create index imports_uncleared on imports (heard_at) where state <> 'pending' and (cleared_at is null or cleared_at < heard_at);
