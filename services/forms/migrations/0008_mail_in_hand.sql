-- Until when somebody is sending a mail: nobody else sends it meanwhile, and after a crash it goes out again when that has passed.
alter table deliveries add column sending_until timestamptz;
