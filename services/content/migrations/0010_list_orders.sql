-- What lists of strangers count and pass by on the way to a far page is read from an index alone, without a row.
drop index posts_author;
create index posts_author on posts (type, author, date_gmt, id) include (status);
-- Pages below one page, and by their parents.
create index posts_published_parent on posts (parent, date_gmt, id) where type = 'page' and status = 'publish';
-- Among answers to one comment the newest comes first.
create index comments_public_parent on comments (parent desc, id desc) include (type)
  where status = 'approved' and post_public;
