-- What a site that lives on says of its files, and of which of them the ones here are: one that was replaced there since is fetched
-- again, unless somebody replaced it here.
create table imported_files (
  media bigint primary key references media (post_id) on delete cascade,
  -- where it is there, and what was said of it last
  url text not null,
  said text not null,
  -- what was said of the one that is here; null while it is there alone
  brought text,
  -- where it was stored, and by what its next version is told apart
  file text not null default '',
  tag_url text not null default '',
  etag text not null default '',
  last_modified text not null default '',
  md5 text not null default '',
  -- earlier versions, which texts may show: path and smaller copies of each
  earlier jsonb not null default '[]'
);
