-- Settings that differ from their defaults.
create table settings (
  name text primary key,
  value jsonb not null
);

-- The key of the outside service: one or none. What is kept is sealed under a secret of the configuration.
create table site_key (
  only_one boolean primary key default true check (only_one),
  -- names the secret without telling it
  secret_id text not null,
  nonce bytea not null,
  -- ciphertext with its tag
  sealed bytea not null,
  -- unasked: no address to ask is configured, or it gave no answer so far
  verified text not null check (verified in ('unasked', 'valid', 'invalid')),
  set_at timestamptz not null default now()
);

-- What was judged, and what moderators decided against the filter: written once, never changed. Partitioned by the month
-- of writing, so that old months can be dropped whole.
create sequence verdict_event_ids;
create table verdict_events (
  id bigint not null default nextval('verdict_event_ids'),
  at timestamptz not null default now(),
  -- what was judged, such as comment/12
  key text not null,
  kind text not null,
  event text not null check (event in ('judged', 'corrected', 'reversed')),
  -- of the filter, whatever the moderators say
  verdict text not null check (verdict in ('ham', 'spam', 'blatant')),
  -- the day it counts for, in UTC: that of the verdict, also for what is decided of it later
  day date not null,
  primary key (id, at)
) partition by range (at);
-- Takes what comes before there is a partition for its month, so that no write ever waits for one to be made.
create table verdict_events_other partition of verdict_events default;

-- Events that the roll-ups do not hold yet. An event and its row here commit together; so do its counting and the end of
-- this row.
create table uncounted_events (
  id bigint primary key,
  event text not null,
  verdict text not null,
  day date not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- What statistics are read from; kept for good.
create table rollups (
  period text not null check (period in ('day', 'month')),
  start date not null,
  spam bigint not null default 0,
  ham bigint not null default 0,
  missed_spam bigint not null default 0,
  false_positives bigint not null default 0,
  primary key (period, start)
);

-- Since which day every event is still there: what the roll-ups hold of earlier days cannot be counted again.
create table events_kept (
  only_one boolean primary key default true check (only_one),
  since date not null default '-infinity'
);
insert into events_kept default values;
