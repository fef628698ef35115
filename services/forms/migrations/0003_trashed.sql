-- The trash keeps what is put there for its days, however old that is. Empty of what is elsewhere, and of what was put there before.
alter table submissions add column trashed_at timestamptz;
create index submissions_trash on submissions (coalesce(trashed_at, created_at)) where status = 'trash';
