-- When the last job of what changed by itself began: the next one begins a moment later, with all that came until then. Many
-- things that change one by one, such as terms that an import makes, had a job for every few of them, which cost more than reading them.
alter table promised add column begun_at timestamptz not null default '-infinity';
