-- Addresses that news told of: a thing may have had one between two readings, and left it before anybody looked. They wait here for
-- the next writing of the thing, which all of them bring about.
create table heard_addresses (
  object_type text not null,
  object_id bigint not null,
  path text not null,
  -- Ticket of the hearing, as those of readings.
  heard bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index heard_addresses_object on heard_addresses (object_type, object_id);
