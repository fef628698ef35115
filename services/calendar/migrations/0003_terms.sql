-- Last known state of the content service's terms, media and settings, so that events are whole while it is away.
-- Refreshed by its domain events and by a sweep; never the truth.
create table known_terms (
  id bigint primary key,
  taxonomy text not null,
  name text not null,
  slug text not null,
  description text not null default '',
  parent bigint not null default 0,
  count bigint not null default 0,
  link text not null default '',
  seen_at timestamptz not null default now()
);
create index known_terms_slug on known_terms (taxonomy, slug);
create index known_terms_parent on known_terms (parent) where parent <> 0;

create table known_media (
  id bigint primary key,
  -- Media message of the content service as JSON
  media jsonb not null,
  seen_at timestamptz not null default now()
);

create table known_settings (
  name text primary key,
  value jsonb not null,
  seen_at timestamptz not null default now()
);
