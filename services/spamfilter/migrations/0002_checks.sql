-- What was judged or decided, by the key its owner gave it. No text is kept: what is needed again are numbers made of it.
create table messages (
  key text primary key,
  kind text not null,
  -- of the message that the verdict is about; null for what was decided without having been asked for
  fingerprint bytea,
  verdict text check (verdict in ('ham', 'spam', 'blatant')),
  score double precision,
  evidence jsonb,
  -- of the classifier alone, as it was when it was asked
  raw double precision,
  judged_at timestamptz,
  -- When it was first heard of. What is compared with what others sent is forgotten after a while.
  first_at timestamptz not null default now(),
  address bytea,
  network bytea,
  likeness bigint,
  -- Moderators: the last decision, and how many there were.
  decision text check (decision in ('ham', 'spam')),
  revision bigint not null default 0,
  decided_at timestamptz,
  decided_fingerprint bytea,
  -- the features that the decision taught, to be taken back exactly
  taught bigint[],
  -- of the score that it had before it was taught: what decisions make of scores is the calibration
  taught_bin smallint,
  -- the verdict that the decision stands against, as it was counted
  against text check (against in ('ham', 'spam', 'blatant')),
  against_at timestamptz,
  -- for the outside service, until it has been told
  report jsonb,
  -- whether there is still something here that tells of the sender or of the text
  telling boolean not null default true
);
create index messages_address on messages (address, first_at desc) where address is not null;
create index messages_network on messages (network, first_at desc) where network is not null;
-- Two texts that differ in at most three of 64 bits have one of four quarters in common.
create index messages_likeness_1 on messages ((likeness & 65535), first_at desc) where likeness is not null;
create index messages_likeness_2 on messages ((likeness >> 16 & 65535), first_at desc) where likeness is not null;
create index messages_likeness_3 on messages ((likeness >> 32 & 65535), first_at desc) where likeness is not null;
create index messages_likeness_4 on messages ((likeness >> 48 & 65535), first_at desc) where likeness is not null;
create index messages_telling on messages (first_at) where telling;
create index messages_oldest on messages (first_at);
create index messages_decided on messages (decided_at) where taught is not null;
create index messages_calibrating on messages (decided_at desc) include (decision, taught_bin) where taught_bin is not null;

-- The classifier. One row, which whoever changes the model locks first.
create table model (
  only_one boolean primary key default true check (only_one),
  spam integer not null default 0 check (spam >= 0),
  ham integer not null default 0 check (ham >= 0),
  base_spam integer not null default 0,
  base_ham integer not null default 0,
  -- digest of the starting corpus that the base counts are of
  corpus text not null default '',
  size integer not null default 0
);
insert into model default values;

-- In how many taught messages a feature was. The number is made of its text, which cannot be read from it.
create table features (
  hash bigint primary key,
  spam integer not null default 0 check (spam >= 0),
  ham integer not null default 0 check (ham >= 0),
  base_spam integer not null default 0,
  base_ham integer not null default 0,
  taught_on date not null default current_date
) with (fillfactor = 80);
create index features_oldest on features (taught_on);

-- What the site blocks without asking anybody.
create table blocked (
  id bigserial primary key,
  field text not null check (field in ('any', 'content', 'name', 'mail', 'url', 'address', 'agent')),
  -- folded; of addresses the canonical network
  pattern text not null,
  note text not null default '',
  created_at timestamptz not null default now(),
  constraint blocked_once unique (field, pattern)
);
