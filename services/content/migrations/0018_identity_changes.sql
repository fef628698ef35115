-- How many changes of users and their credentials there have been: whoever lost the line on which they are told sees whether one was missed.
create table identity_changes (
  one boolean primary key default true check (one),
  number bigint not null
);
insert into identity_changes (number) values (1);
