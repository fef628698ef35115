-- Which categories and tags that an import made its batches have told of: each is told once, by the first one that is kept.
create table told_terms (
  import_id text not null,
  term_id bigint not null,
  told_at timestamptz not null default now(),
  primary key (import_id, term_id)
);
create index told_terms_age on told_terms (told_at);
