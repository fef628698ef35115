-- How often a job was put off because something it needs was away. Real failures are what is left of its attempts.
alter table outbox add column waits integer not null default 0;
