-- Webhooks: who is told of what (topics), by whose rights (audience), and each thing that is told (deliveries).
create table webhooks (
  id bigint generated always as identity primary key,
  owner bigint references users on delete set null,
  url text not null,
  -- names, or beginnings such as content.*
  topics text[] not null,
  audience text not null check (audience in ('public', 'owner')),
  description text not null default '',
  -- deleting: nothing goes out any more, what is on its way is waited for
  state text not null default 'active' check (state in ('active', 'disabled', 'deleting')),
  disabled_reason text not null default '',
  disabled_at timestamptz,
  -- since when nothing has arrived
  failing_since timestamptz,
  delivered_at timestamptz,
  -- the job that is to deliver next: its number, and when; null when nothing waits
  round bigint not null default 0,
  round_at timestamptz,
  created_at timestamptz not null default now()
);
create index webhooks_owner on webhooks (owner);

-- Sealed. The newest has no end; the one before it signs as well until its end has come.
create table webhook_secrets (
  webhook bigint not null references webhooks on delete cascade,
  secret_id text not null,
  nonce bytea not null,
  sealed bytea not null,
  ends_at timestamptz,
  primary key (webhook, nonce)
);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  message_id uuid not null default gen_random_uuid(),
  webhook bigint not null references webhooks on delete cascade,
  -- topic and number of the domain event
  event text not null,
  -- that number: the order of what happened to one object
  sequence bigint not null,
  topic text not null,
  kind text not null,
  object_id text not null,
  happened_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'given_up')),
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- on its way, by a process that is believed alive until then
  sending_until timestamptz,
  tried_at timestamptz,
  ms integer not null default 0,
  status integer not null default 0,
  answer text not null default '',
  error text not null default '',
  created_at timestamptz not null default now(),
  unique (webhook, event, object_id)
);
create index webhook_deliveries_waiting on webhook_deliveries (webhook, id) where state = 'waiting';
create index webhook_deliveries_in_order on webhook_deliveries (webhook, kind, object_id, sequence, id)
  where state = 'waiting';
create index webhook_deliveries_listed on webhook_deliveries (webhook, id desc);
create index webhook_deliveries_old on webhook_deliveries (created_at) where state <> 'waiting';
