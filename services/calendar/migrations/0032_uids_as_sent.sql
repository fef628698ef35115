-- Uids of imported events are kept as they are sent. Versions before 0.2.0 took markup and repeated blanks out of them; what they
-- stored is found by what was left, and only that: a later event of such a uid is another one.
alter table events add column uid_as_sent boolean not null default false;
