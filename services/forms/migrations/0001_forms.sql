create extension if not exists pg_trgm;

create table forms (
  id bigserial primary key,
  slug text not null,
  title text not null,
  locale text not null,
  -- in the language of form tags
  form text not null,
  mail jsonb not null,
  mail_2 jsonb not null,
  messages jsonb not null,
  additional_settings text not null default '',
  -- Counts the changes: what is made of the text of a form is remembered under it.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Nobody sees a deleted form, but mail that was promised before still goes out.
  deleted_at timestamptz
);
create unique index forms_slug on forms (slug) where deleted_at is null;
create index forms_title on forms using gin (lower(title) gin_trgm_ops);
create index forms_title_words on forms using gin (to_tsvector('simple', left(title, 300)));

-- What visitors sent. A row is made before the spam filter is asked, since the filter knows it by its id, and settled when the
-- verdict is there: in one statement with the promises of its mail.
create table submissions (
  id bigserial primary key,
  form_id bigint not null references forms (id),
  -- pending: not settled yet, shown to nobody; received; spam: not mailed; trash
  status text not null default 'pending' check (status in ('pending', 'received', 'spam', 'trash')),
  -- What its sender was told, so that the same submission again is told the same.
  result text check (result in ('mail_sent', 'spam')),
  -- name of a field → text, or list of texts
  values jsonb not null,
  -- Promised mail, one state for each template: none was asked for, queued, sent, or given up.
  mail text not null default 'none' check (mail in ('none', 'queued', 'sent', 'failed')),
  mail_2 text not null default 'none' check (mail_2 in ('none', 'queued', 'sent', 'failed')),
  mail_error text not null default '',
  -- address, agent, referrer, url (of the page), container (number of the page), unit_tag, locale
  meta jsonb not null default '{}',
  -- Of the spam filter; null: it has not judged yet. unchecked: it was away, and is asked again.
  spam_verdict text check (spam_verdict in ('ham', 'spam', 'blatant')),
  spam_score double precision,
  spam_evidence jsonb not null default '[]',
  spam_unchecked boolean not null default false,
  -- When the spam folder may be emptied of it.
  spam_until timestamptz,
  -- Decisions of moderators, counted: the filter wants to know which one is the newest.
  spam_revision integer not null default 0,
  -- do_not_store: what is here is here for its mail only, and goes when that has gone; nobody lists or searches it.
  keep boolean not null default true,
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
create index submissions_newest on submissions (id desc) where keep and status <> 'pending';
create index submissions_of_form on submissions (form_id, id desc) where keep and status <> 'pending';
create index submissions_status on submissions (status, id desc) where keep;
create index submissions_pending on submissions (created_at) where status = 'pending';
create index submissions_unchecked on submissions (id) where spam_unchecked;
create index submissions_passing on submissions (created_at) where not keep;

create table uploads (
  id bigserial primary key,
  submission_id bigint not null references submissions (id) on delete cascade,
  field text not null,
  -- as the visitor's machine called it, cleaned
  name text not null,
  -- media type, by content
  type text not null,
  bytes bigint not null,
  object_key text not null constraint uploads_object_key unique
);
create index uploads_of_submission on uploads (submission_id);

-- What was taken already, so that the same submission twice is one. The key is made of the form and either the key that the
-- client gave, or the address and the whole body.
create table receipts (
  key bytea primary key,
  -- of the body
  digest bytea not null,
  submission_id bigint not null references submissions (id) on delete cascade,
  expires_at timestamptz not null
);
create index receipts_expired on receipts (expires_at);
create index receipts_of_submission on receipts (submission_id);
