-- What commits make old, for whoever keeps answers (chassis/migrations/0003_news.sql). Sets: the type of posts, the taxonomy of
-- terms, `comment`, `user`; `modified`, `words`, `counts` and `authors` for the lists that are chosen or ordered by what most
-- lists do not look at. Settings reach into everything: `*`.
create function posts_news() returns trigger language plpgsql as $$
declare
  ids bigint[];
  sets text[];
  modified boolean := false;
  words boolean := false;
  authors boolean := true;
  files bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id), array_agg(distinct type) into ids, sets from new_rows;
  elsif tg_op = 'DELETE' then
    select array_agg(id), array_agg(distinct type) into ids, sets from old_rows;
  else
    select array_agg(n.id),
           array_agg(distinct n.type) filter (where
             (n.type, n.status, n.slug, n.author, n.date_gmt, n.date_local, n.parent, n.menu_order, n.sticky, n.format,
              n.password, n.categories, n.tags)
             is distinct from
             (o.type, o.status, o.slug, o.author, o.date_gmt, o.date_local, o.parent, o.menu_order, o.sticky, o.format,
              o.password, o.categories, o.tags)),
           bool_or(n.modified_gmt <> o.modified_gmt),
           bool_or(n.search_text <> o.search_text),
           bool_or((n.type, n.status, n.author) is distinct from (o.type, o.status, o.author))
      into ids, sets, modified, words, authors
      from new_rows n join old_rows o on o.id = n.id;
    -- Whether a file may be seen, and what it is embedded as, hangs on what it belongs to.
    select array_agg(f.id) into files
      from new_rows n join old_rows o on o.id = n.id join posts f on f.parent = n.id and f.parent <> 0
     where (n.status, n.password, n.path) is distinct from (o.status, o.password, o.path);
  end if;
  perform tell_news(rows_tag('post', ids), rows_tag('post', files), array_to_string(sets, '|'),
    case when modified then 'modified' end, case when words then 'words' end, case when authors then 'authors' end);
  return null;
end $$;
create trigger posts_news_insert after insert on posts
  referencing new table as new_rows for each statement execute function posts_news();
create trigger posts_news_update after update on posts
  referencing old table as old_rows new table as new_rows for each statement execute function posts_news();
create trigger posts_news_delete after delete on posts
  referencing old table as old_rows for each statement execute function posts_news();

create function media_news() returns trigger language plpgsql as $$
begin
  perform tell_news(rows_tag('post', (select array_agg(post_id) from changed)), 'attachment');
  return null;
end $$;
create trigger media_news_insert after insert on media
  referencing new table as changed for each statement execute function media_news();
create trigger media_news_update after update on media
  referencing new table as changed for each statement execute function media_news();

create function terms_news() returns trigger language plpgsql as $$
declare
  ids bigint[];
  named bigint[];
  sets text[];
  counted boolean := true;
begin
  if tg_op = 'INSERT' then
    select array_agg(id), array_agg(distinct taxonomy) into ids, sets from new_rows;
    named := ids;
  elsif tg_op = 'DELETE' then
    select array_agg(id), array_agg(distinct taxonomy) into ids, sets from old_rows;
    named := ids;
  else
    select array_agg(n.id),
           array_agg(n.id) filter (where (n.name, n.slug, n.description, n.parent, n.parent_path)
             is distinct from (o.name, o.slug, o.description, o.parent, o.parent_path)),
           array_agg(distinct n.taxonomy) filter (where (n.name, n.slug, n.description, n.parent, n.parent_path)
             is distinct from (o.name, o.slug, o.description, o.parent, o.parent_path)),
           bool_or(n.count <> o.count)
      into ids, named, sets, counted
      from new_rows n join old_rows o on o.id = n.id;
  end if;
  perform tell_news(rows_tag('term', ids), rows_tag('name', named), array_to_string(sets, '|'),
    case when counted then 'counts' end);
  return null;
end $$;
create trigger terms_news_insert after insert on terms
  referencing new table as new_rows for each statement execute function terms_news();
create trigger terms_news_update after update on terms
  referencing old table as old_rows new table as new_rows for each statement execute function terms_news();
create trigger terms_news_delete after delete on terms
  referencing old table as old_rows for each statement execute function terms_news();

-- A comment shows whether it has answers, and a post its newest comments.
create function comments_news() returns trigger language plpgsql as $$
declare
  ids bigint[];
  parents bigint[];
  posts bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id), array_agg(distinct parent) filter (where parent > 0), array_agg(distinct post)
      into ids, parents, posts from new_rows;
  elsif tg_op = 'DELETE' then
    select array_agg(id), array_agg(distinct parent) filter (where parent > 0), array_agg(distinct post)
      into ids, parents, posts from old_rows;
  else
    select array_agg(distinct id), array_agg(distinct parent) filter (where parent > 0), array_agg(distinct post)
      into ids, parents, posts from (select * from new_rows union all select * from old_rows) as both_rows;
  end if;
  if ids is not null then
    perform tell_news(rows_tag('comment', ids), rows_tag('comment', parents), rows_tag('replies', posts), 'comment');
  end if;
  return null;
end $$;
create trigger comments_news_insert after insert on comments
  referencing new table as new_rows for each statement execute function comments_news();
create trigger comments_news_update after update on comments
  referencing old table as old_rows new table as new_rows for each statement execute function comments_news();
create trigger comments_news_delete after delete on comments
  referencing old table as old_rows for each statement execute function comments_news();

create function users_news() returns trigger language plpgsql as $$
begin
  perform tell_news(rows_tag('user', (select array_agg(id) from changed)), 'user');
  return null;
end $$;
create trigger users_news_insert after insert on users
  referencing new table as changed for each statement execute function users_news();
create trigger users_news_update after update on users
  referencing new table as changed for each statement execute function users_news();
create trigger users_news_delete after delete on users
  referencing old table as changed for each statement execute function users_news();

create function settings_news() returns trigger language plpgsql as $$
begin
  perform tell_news('*');
  return null;
end $$;
create trigger settings_news after insert or update or delete on settings
  for each statement execute function settings_news();
