-- What an attachment has beyond a post.
create table media (
  post_id bigint primary key references posts (id) on delete cascade,
  -- path below the uploads folder
  file text not null,
  mime_type text not null,
  filesize bigint not null default 0,
  alt_text text not null default '',
  caption_raw text not null default '',
  caption_html text not null default '',
  description_raw text not null default '',
  description_html text not null default '',
  -- width, height, sizes, image_meta
  details jsonb not null default '{}',
  -- where a sideloaded file came from
  source_url text not null default ''
);
create unique index media_file_key on media (file);
create index media_source on media (source_url) where source_url <> '';
