-- When it last became known that others show something else of a row: a number of `read_numbers`, drawn when the row was written. What
-- shows something of it and was read by a ticket before that may show what was there before.
alter table indexables add column shown_no bigint not null default 0;
