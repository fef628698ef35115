-- One import: who sends what, how far it is, and the hash its next batch must carry.
create table imports (
  id bigserial primary key,
  import_id text not null constraint imports_import_id unique,
  origin text not null,
  default_status text not null,
  owner bigint not null default 0,
  state text not null default 'pending' check (state in ('pending', 'success', 'failed', 'stalled')),
  -- null when nothing more is taken
  expected_hash text,
  -- Jobs of its batches: none, exactly one is open, or a batch failed for good and holds up the rest. Changed only under
  -- the lock of this row, so that there is never a batch that nobody will apply, and never two jobs for one import.
  work text not null default 'idle' check (work in ('idle', 'queued', 'blocked')),
  interval_seconds integer not null,
  percentage integer not null default 0,
  data_total bigint not null default 0,
  data_done bigint not null default 0,
  batches_total bigint not null default 0,
  -- numbers of the last batch that is kept, of the last one that is in the calendar, and of the very last once known
  accepted integer not null default 0,
  applied integer not null default 0,
  last_number integer,
  events_accepted bigint not null default 0,
  events_created bigint not null default 0,
  events_updated bigint not null default 0,
  events_skipped bigint not null default 0,
  images_fetched bigint not null default 0,
  images_failed bigint not null default 0,
  -- pictures that were fetched, in order: answers show a beginning of it
  attachments bigint[] not null default '{}',
  message text not null default '',
  message_slug text not null default '',
  created_at timestamptz not null default now(),
  heard_at timestamptz not null default now(),
  applied_at timestamptz,
  finished_at timestamptz,
  check (applied <= accepted)
);
create index imports_newest on imports (id desc) include (state);
create index imports_pending on imports (heard_at) where state = 'pending';

create table batches (
  import bigint not null references imports (id) on delete cascade,
  number integer not null,
  hash text not null,
  -- of the whole report, to tell a repeat from another batch under the same hash
  digest bytea not null,
  -- events as a JSON array; gone when they are in the calendar
  payload text,
  events integer not null,
  state text not null default 'accepted' check (state in ('accepted', 'applied', 'failed')),
  -- The answer, as what it was made of: batches and pictures that were done by then, and the hash that follows.
  shown_applied integer not null,
  shown_attachments integer not null,
  next_hash text,
  -- ids by kind and action, once applied
  activity jsonb,
  created integer not null default 0,
  updated integer not null default 0,
  skipped integer not null default 0,
  error text not null default '',
  accepted_at timestamptz not null default now(),
  applied_at timestamptz,
  primary key (import, number)
);
-- Payloads live for seconds: compressing them costs more than it saves.
alter table batches alter column payload set storage external;

-- What could not be taken: events that were skipped, pictures that could not be fetched.
create table faults (
  id bigserial primary key,
  import bigint not null references imports (id) on delete cascade,
  batch integer not null default 0,
  position integer not null default 0,
  uid text not null default '',
  title text not null default '',
  reason text not null,
  noted_at timestamptz not null default now()
);
create index faults_of_import on faults (import, id desc);
