alter table submissions
  add column mail_2_error text not null default '',
  -- What searches look into: texts of the fields, cut where nobody searches any more.
  add column words text not null default '',
  -- Mail addresses in any field, in small letters: whose personal data this is.
  add column emails text[] not null default '{}',
  -- What a moderator decided last, by moving it into the spam folder or out of it.
  add column decision text check (decision in ('ham', 'spam'));

-- All texts of the fields, one a line.
create function submission_text(submitted jsonb) returns text
  language sql immutable parallel safe
  return (
    select coalesce(string_agg(value #>> '{}', E'\n'), '')
    from jsonb_path_query(submitted, 'strict $.** ? (@.type() == "string")') as value
  );

create function submission_emails(content text) returns text[]
  language sql immutable parallel safe
  return (
    select coalesce(array_agg(distinct lower(found[1])), '{}')
    from regexp_matches(content, '[[:alnum:].!#$%&''*+/=?^_`{|}~-]{1,64}@[[:alnum:]-]{1,63}(?:\.[[:alnum:]-]{1,63})+', 'g') as found
  );

create function submission_index() returns trigger language plpgsql as $$
declare content text := submission_text(new.values);
begin
  new.words := lower(left(content, 20000));
  new.emails := submission_emails(content);
  return new;
end $$;
create trigger submissions_index before insert or update of values on submissions
  for each row execute function submission_index();
update submissions set values = values;

create index submissions_words on submissions using gin (words gin_trgm_ops);
create index submissions_emails on submissions using gin (emails);
create index submissions_created on submissions (created_at);
-- What retention removes.
create index submissions_old on submissions (status, created_at);

-- How far the delivery of a mail is, beyond its state on the submission.
create table deliveries (
  submission_id bigint not null references submissions (id) on delete cascade,
  mail text not null check (mail in ('mail', 'mail_2')),
  -- Mailboxes that a server took it for, while it refused others for now: those alone are tried again.
  accepted text[] not null default '{}',
  -- The first time that a server said: later. An outage is no refusal.
  refused_since timestamptz,
  -- what the server said last
  said text not null default '',
  sent_at timestamptz,
  primary key (submission_id, mail)
);

-- Files in the store that belong to no submission: not yet, since they are written before the row that names them, or no
-- longer. What is here after its time is removed from the store, so that no crash leaves a file for good.
create table loose_files (
  object_key text primary key,
  remove_after timestamptz not null
);
create index loose_files_due on loose_files (remove_after);

create function upload_kept() returns trigger language plpgsql as $$
begin
  delete from loose_files where object_key = new.object_key;
  -- It came too late: the file may be gone.
  if not found then
    raise exception 'the file % is not in the store', new.object_key using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
create trigger uploads_kept before insert on uploads for each row execute function upload_kept();

create function upload_left() returns trigger language plpgsql as $$
begin
  insert into loose_files (object_key, remove_after) values (old.object_key, now());
  return old;
end $$;
create trigger uploads_left after delete on uploads for each row execute function upload_left();

-- That somebody's data was erased, without the data.
create table erasures (
  id bigserial primary key,
  -- keyed hash of the address, so that the same address can be recognized by who holds the key
  email_hash bytea not null,
  submissions integer not null,
  uploads integer not null,
  mails integer not null,
  -- who asked: number and name of the user; 0 and empty on the command line
  user_id bigint not null,
  user_name text not null,
  erased_at timestamptz not null default now()
);
