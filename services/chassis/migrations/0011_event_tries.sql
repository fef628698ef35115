-- How often a domain event was begun that comes again, and never brought to any end: the process ended (queue/event-tries.ts).
create table event_tries (
  consumer text not null,
  event_id text not null,
  tries integer not null default 0,
  tried_at timestamptz not null default now(),
  primary key (consumer, event_id)
);
create index event_tries_age on event_tries (tried_at);
