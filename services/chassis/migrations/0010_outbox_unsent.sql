-- What was never sent is found past any number of rows that were sent and wait for their turn.
create index outbox_unsent on outbox (run_at, id) where done_at is null and failed_at is null and sent_at is null;
