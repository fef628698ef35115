-- Lists of one author, or without some, pass by their rows in any order: what they ask stands in the index of each, so that no row is fetched, and
-- no set of a million ids is made, to know who wrote it and when.
-- Of posts and pages in one: without the type each row was fetched to be counted.
drop index posts_published_authors;
create index posts_published_authors on posts (author, type) where status = 'publish' and type in ('post', 'page');
drop index posts_published_date;
create index posts_published_date on posts (type, date_gmt, id) include (author) where status = 'publish';
drop index posts_published_modified;
create index posts_published_modified on posts (type, modified_gmt, id) include (author, date_gmt) where status = 'publish';
drop index posts_published_title;
create index posts_published_title on posts (type, title_key, id) include (author, date_gmt) where status = 'publish';
drop index posts_published_slug;
create index posts_published_slug on posts (type, slug, id) include (author, date_gmt) where status = 'publish';
drop index posts_published_id;
create index posts_published_id on posts (type, id) include (author, date_gmt) where status = 'publish';
drop index posts_published_menu_order;
create index posts_published_menu_order on posts (menu_order, date_gmt, id) include (author) where type = 'page' and status = 'publish';
drop index posts_published_parent;
create index posts_published_parent on posts (parent, date_gmt, id) include (author) where type = 'page' and status = 'publish';
-- The type of a file stands with its post as well: looked up in another table, a type that most of a million files have took longer than a list may.
-- It is filled without triggers: nobody sees a difference.
alter table posts add column mime_type text not null default '';
alter table posts disable trigger user;
update posts p set mime_type = m.mime_type from media m where m.post_id = p.id;
alter table posts enable trigger user;

create function type_of_file() returns trigger language plpgsql as $$
begin
  update posts p set mime_type = n.mime_type from new_rows n where p.id = n.post_id and p.mime_type <> n.mime_type;
  return null;
end $$;
create trigger media_type_insert after insert on media
  referencing new table as new_rows for each statement execute function type_of_file();
create trigger media_type_update after update on media
  referencing new table as new_rows for each statement execute function type_of_file();

create index posts_files_date on posts (date_gmt, id) include (author, mime_type) where type = 'attachment' and status = 'inherit';
create index posts_files_author on posts (author, date_gmt, id) include (mime_type) where type = 'attachment' and status = 'inherit';
drop index posts_files_title;
create index posts_files_title on posts (title_key, id) include (author, date_gmt, mime_type) where type = 'attachment' and status = 'inherit';
drop index posts_files_slug;
create index posts_files_slug on posts (slug, id) include (author, date_gmt, mime_type) where type = 'attachment' and status = 'inherit';
drop index posts_files_modified;
create index posts_files_modified on posts (modified_gmt, id) include (author, date_gmt, mime_type) where type = 'attachment' and status = 'inherit';
drop index posts_files_parent;
create index posts_files_parent on posts (parent, date_gmt, id) include (author, mime_type) where type = 'attachment' and status = 'inherit';
drop index posts_files_id;
create index posts_files_id on posts (id) include (author, date_gmt, mime_type) where type = 'attachment' and status = 'inherit';

-- Of all rows: read whole, an index of posts alone tells which rows are posts, and whoever looked for words took it beside the index of these,
-- in place of the one that says how far along the order to look.
drop index posts_categories;
create index posts_categories on posts using gin (categories);
drop index posts_tags;
create index posts_tags on posts using gin (tags);
