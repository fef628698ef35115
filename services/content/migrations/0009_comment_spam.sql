-- What the spam filter is told of a comment, and what it has told.
alter table comments
  -- where its writer came from, as the browser said
  add column referrer text not null default '',
  -- it waits until the filter can be asked: the status that it would have without the filter; empty for all others
  add column unchecked text not null default '',
  -- counts the moderators' decisions that the filter was told of
  add column spam_revision integer not null default 0,
  -- since when it is spam; kept by the trigger below
  add column spam_at timestamptz;

update comments set spam_at = now() where status = 'spam';

create function comments_note_spam() returns trigger language plpgsql as $$
begin
  new.spam_at := case when new.status = 'spam' then clock_timestamp() end;
  return new;
end
$$;
create trigger comments_note_new_spam before insert on comments
  for each row when (new.status = 'spam') execute function comments_note_spam();
create trigger comments_note_spam before update of status on comments
  for each row when (new.status is distinct from old.status) execute function comments_note_spam();

-- The spam folder, the oldest first: what is emptied.
create index comments_spam on comments (spam_at) where status = 'spam';

-- For how many days the spam folder keeps comments, as the filter said last; 0 until it has, and for ever.
create table spam_folder (
  only_row boolean primary key default true check (only_row),
  keep_days integer not null default 0
);
insert into spam_folder default values;
