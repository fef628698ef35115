-- What somebody took out of the trash after its author had gone and left it to nobody: it is not thrown away with the author again.
create table taken_out (
  id bigint primary key,
  author bigint not null,
  taken_at timestamptz not null default now()
);
create index taken_out_author on taken_out (author);
create index taken_out_age on taken_out (taken_at);

create function note_taken_out() returns trigger language plpgsql as $$
begin
  insert into taken_out (id, author) select new.id, d.id from departed_users d where d.id = new.author and d.heir = 0
  on conflict (id) do update set author = excluded.author, taken_at = now();
  return null;
end $$;
create trigger events_taken_out after update of status on events
  for each row when (old.status = 'trash' and new.status <> 'trash') execute function note_taken_out();
create trigger venues_taken_out after update of status on venues
  for each row when (old.status = 'trash' and new.status <> 'trash') execute function note_taken_out();
create trigger organizers_taken_out after update of status on organizers
  for each row when (old.status = 'trash' and new.status <> 'trash') execute function note_taken_out();
