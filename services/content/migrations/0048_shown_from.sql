-- The address that the site had when texts were rendered: files in galleries and players stand in them with it.
create table shown_from (
  one boolean primary key default true check (one),
  address text not null
);
