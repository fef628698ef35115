-- Until when a receiver has asked to be left alone (429 or 503 with Retry-After): all of its webhook waits, not what it refused alone.
alter table webhooks add column quiet_until timestamptz;
