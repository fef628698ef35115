-- Work and news that were promised by a commit. A row is finished only by done_at (or failed_at), never by being sent:
-- the relay sends again whatever is not finished, so losing Redis loses nothing.
create table outbox (
  id bigserial primary key,
  kind text not null check (kind in ('job', 'event')),
  -- jobs: queue name; events: topic
  channel text not null,
  name text not null,
  payload jsonb not null,
  request_id text not null default '',
  created_at timestamptz not null default now(),
  run_at timestamptz not null default now(),
  sent_at timestamptz,
  done_at timestamptz,
  failed_at timestamptz,
  attempts integer not null default 0,
  max_attempts integer not null default 10,
  last_error text
);
create index outbox_open on outbox (run_at, id) where done_at is null and failed_at is null;
create index outbox_failed on outbox (failed_at desc) where failed_at is not null;
create index outbox_done on outbox (done_at) where done_at is not null;

-- Events of other services that were already taken in; consumers note each in the transaction of its effect.
create table inbox (
  consumer text not null,
  event_id text not null,
  taken_at timestamptz not null default now(),
  primary key (consumer, event_id)
);
create index inbox_age on inbox (taken_at);
