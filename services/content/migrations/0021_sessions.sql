-- Sessions: a log-in and everything that was refreshed since. A refresh token names its session by one secret and itself by another;
-- both are kept as digests only.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id bigint not null references users on delete cascade,
  -- what it was begun with, where that is no person's password: the session ends with it
  application_password uuid references application_passwords on delete cascade,
  name text not null,
  user_agent text not null,
  -- of the client, never the whole address
  network text not null,
  family bytea not null,
  -- the refresh token that counts, and the one before
  current bytea not null,
  previous bytea,
  -- the current one, sealed under the previous one: whoever has that and lost the answer gets it again
  successor_nonce bytea,
  successor_sealed bytea,
  refreshed_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  ends_at timestamptz not null,
  -- why it ended before its time; empty: it has not
  ended_by text not null default ''
);
create unique index sessions_family on sessions (family);
create index sessions_user on sessions (user_id, created_at) where ended_by = '';
create index sessions_application_password on sessions (application_password);
create index sessions_over on sessions (ends_at);
