-- Batches that were applied, with the answer, noted in the transaction of their effect: repeating one does nothing.
create table applied_batches (
  key text primary key,
  response jsonb not null,
  applied_at timestamptz not null default now()
);
create index applied_batches_age on applied_batches (applied_at);
