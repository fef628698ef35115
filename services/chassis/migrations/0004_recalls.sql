-- How often Redis was found to have forgotten domain events. What was sent counts as done only while this is what it was
-- before the sending: a finding in between may be of the very Redis that took it.
create table recalls (number bigint not null);
create unique index recalls_once on recalls ((true));
insert into recalls (number) values (0);
