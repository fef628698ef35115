-- What an attachment has beyond a post. Its caption is the excerpt of the post and its description the content.
create table media (
  post_id bigint primary key references posts (id) on delete cascade,
  -- path below the uploads folder of the file that is shown
  file text not null,
  mime_type text not null,
  filesize bigint not null default 0,
  alt_text text not null default '',
  -- of pictures: width, height, sizes, image_meta, and the name of the original when another file is shown;
  -- json, since answers show the fields in the order in which they were written
  details json not null default '{}',
  -- where a sideloaded file came from
  source_url text not null default ''
);
create unique index media_file_key on media (file);
-- Addresses may be longer than a b-tree takes.
create unique index media_source_key on media (md5(source_url)) where source_url <> '';
create index media_mime on media (mime_type);

-- Every stored file. A path is reserved here before anything is written under it and given free only when its file is
-- gone, so two uploads never share a name, and a crash leaves nothing behind that nobody knows of.
create table media_files (
  path text primary key,
  -- null while the upload runs, and again from deletion until the file is removed
  media bigint references media (post_id) on delete set null,
  -- one number for all files of an upload
  upload bigint not null,
  reserved_at timestamptz not null default now()
);
create index media_files_media on media_files (media);
create index media_files_upload on media_files (upload);
create index media_files_loose on media_files (reserved_at) where media is null;
create sequence media_uploads;

-- Who may read an attachment follows from what it hangs on: others, who keep that in mind, hear of it when that changes,
-- whichever way it came about.
create function media_readers_changed() returns trigger language plpgsql as $$
declare
  told bigint;
begin
  with changed as (
    select n.id, n.type from new_rows n join old_rows o on o.id = n.id
     where (n.status, n.status_before_trash, n.author, n.parent) is distinct from (o.status, o.status_before_trash, o.author, o.parent)
  ), affected as (
    select id from changed where type = 'attachment'
    union
    select p.id from posts p join changed c on c.id = p.parent where p.parent <> 0 and p.type = 'attachment'
  ), messages as (
    select jsonb_agg(id) as ids from (select id, (row_number() over (order by id) - 1) / 200 as part from affected) as parts
     group by part
  )
  insert into outbox (kind, channel, name, payload)
    select 'event', 'content.media.changed', 'content.media.changed', jsonb_build_object('ids', ids) from messages;
  get diagnostics told = row_count;
  if told > 0 then
    perform pg_notify('outbox', '');
  end if;
  return null;
end $$;

create trigger media_readers after update on posts
  referencing old table as old_rows new table as new_rows for each statement execute function media_readers_changed();
