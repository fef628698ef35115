-- When the last job of what changed by itself began: the next one begins a moment later, with all that came until then. An import names its
-- places, organizers and terms one by one, and a job for every few of them cost more than what they are read for.
alter table promised add column begun_at timestamptz not null default '-infinity';
