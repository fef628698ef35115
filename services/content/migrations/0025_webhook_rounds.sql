-- A claim looked at everything that waits for its webhook, and of a receiver that is away much waits. Here stands what waits by when it
-- is due, and what is on its way, which is never more than may be: claims and the times of rounds are found in as many steps as they take.
create index webhook_deliveries_due on webhook_deliveries (webhook, greatest(next_at, sending_until)) where state = 'waiting';
-- Of any state: what was given up may still be on its way, and a deletion waits for it.
create index webhook_deliveries_under_way on webhook_deliveries (webhook, sending_until) where sending_until is not null;
-- How much waits changes within minutes, and most of what is kept has arrived long ago: a tenth of it is far too much to wait for.
alter table webhook_deliveries set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
