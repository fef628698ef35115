-- How many texts of an author wait for other sites tells whose turn comes next.
create index outbox_fills_of on outbox ((payload->>'author')) where name = 'fill-embeds' and done_at is null and failed_at is null;
