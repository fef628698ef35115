-- Orders of lists of files, which have the status of their post and so stand in none of the indexes of what is published.
create index posts_files_title on posts (title_key, id) where type = 'attachment' and status = 'inherit';
create index posts_files_slug on posts (slug, id) where type = 'attachment' and status = 'inherit';
create index posts_files_modified on posts (modified_gmt, id) where type = 'attachment' and status = 'inherit';
create index posts_files_parent on posts (parent, date_gmt, id) where type = 'attachment' and status = 'inherit';
create index posts_files_id on posts (id) where type = 'attachment' and status = 'inherit';
