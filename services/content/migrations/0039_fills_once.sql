-- Texts whose addresses of other sites somebody is going to ask about anyway are asked about once, however often they are written.
create index outbox_fills on outbox ((payload->>'id')) where name = 'fill-embeds' and done_at is null and failed_at is null;
