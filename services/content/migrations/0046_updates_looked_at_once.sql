-- What an update of posts changed is found out once. Seven triggers each laid the rows before and after beside each other, and most of them found
-- that nothing of theirs was changed: of the time that PostgreSQL took for a new title it was half. Now one looks first at what nearly all of it
-- hangs on, and goes on only where that differs. What each part does is as before; inserts and deletions keep their triggers.

-- Before anything else is locked: whoever writes now is waited for.
lock table posts in access exclusive mode;

-- Since 0.1.0: posts_updated does it.
drop trigger posts_count_update on posts;
-- Since 0.1.0: posts_updated does it.
drop trigger media_readers on posts;
-- Since 0.1.0: posts_updated does it.
drop trigger posts_categories_update on posts;
-- Since 0.1.0: posts_updated does it.
drop trigger posts_tags_update on posts;
-- Since 0.1.0: posts_updated does it.
drop trigger posts_note_links_update on posts;
-- Since 0.1.0: posts_updated does it.
drop trigger posts_note_authors_update on posts;
-- Since 0.1.0: posts_updated does it.
drop trigger posts_news_update on posts;
-- Since 0.1.0: posts_updated does it.
drop function media_readers_changed();

-- Rows are laid beside each other by `full join`, which no plan turns into a loop in a loop, however many there are.
create function posts_updated() returns trigger language plpgsql as $$
declare
  written bigint[];
  listed boolean;
  titled boolean;
  shown boolean;
  modified boolean;
  words boolean;
  counted boolean := false;
  authors boolean := false;
  readers boolean := false;
  moved boolean := false;
  sets text[];
  paths text[];
  linked bigint[];
  files bigint[];
  attached boolean := false;
  told bigint;
begin
  select array_agg(n.id),
         bool_or((n.type, n.status, n.slug, n.author, n.date_gmt, n.date_local, n.parent, n.menu_order, n.sticky, n.format,
                  n.password, n.categories, n.tags, n.path, n.status_before_trash)
           is distinct from
                 (o.type, o.status, o.slug, o.author, o.date_gmt, o.date_local, o.parent, o.menu_order, o.sticky, o.format,
                  o.password, o.categories, o.tags, o.path, o.status_before_trash)),
         bool_or(n.title_key <> o.title_key),
         bool_or(not (is_draft(n.status) and is_draft(o.status))),
         bool_or(n.modified_gmt <> o.modified_gmt),
         bool_or(n.search_text <> o.search_text)
    into written, listed, titled, shown, modified, words
    from new_rows n full join old_rows o on o.id = n.id;
  if written is null then
    return null;
  end if;

  if listed then
    select bool_or((n.type, n.status) is distinct from (o.type, o.status)),
           bool_or((n.type, n.status, n.author) is distinct from (o.type, o.status, o.author)
             and not (is_draft(n.status) and is_draft(o.status))),
           bool_or((n.status, n.status_before_trash, n.author, n.parent)
             is distinct from (o.status, o.status_before_trash, o.author, o.parent)),
           bool_or((n.status, n.password, n.path) is distinct from (o.status, o.password, o.path)),
           array_agg(n.id) filter (where n.type = 'post' and (n.status = 'publish' or o.status = 'publish')
             and (n.status, n.categories, n.tags) is distinct from (o.status, o.categories, o.tags)),
           array_agg(distinct n.type) filter (where not (is_draft(n.status) and is_draft(o.status)) and
             (n.type, n.status, n.slug, n.author, n.date_gmt, n.date_local, n.parent, n.menu_order, n.sticky, n.format,
              n.password, n.categories, n.tags)
             is distinct from
             (o.type, o.status, o.slug, o.author, o.date_gmt, o.date_local, o.parent, o.menu_order, o.sticky, o.format,
              o.password, o.categories, o.tags)),
           array_cat(
             array_agg(o.path) filter (where o.path <> ''
               and (n.type, n.status, n.slug, n.path) is distinct from (o.type, o.status, o.slug, o.path)),
             array_agg(n.path) filter (where n.path <> '' and n.path <> o.path))
      into counted, authors, readers, moved, linked, sets, paths
      from new_rows n full join old_rows o on o.id = n.id;
  end if;

  if counted then
    insert into post_counts as c (type, status, slot, n)
      select type, status, pg_backend_pid() % 64, sum(n)
        from (select type, status, 1 as n from new_rows union all select type, status, -1 from old_rows) as moved
        group by type, status having sum(n) <> 0 order by type, status
      on conflict (type, status, slot) do update set n = c.n + excluded.n;
  end if;

  if readers then
    -- Who may see a file hangs on what it belongs to.
    with changed as (
      select n.id, n.type from new_rows n full join old_rows o on o.id = n.id
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
  end if;

  if listed or titled then
    delete from post_categories l
      using (select term, date_gmt, title_key, id, author from old_rows, unnest(categories) as term
              where type = 'post' and status = 'publish'
             except
             select term, date_gmt, title_key, id, author from new_rows, unnest(categories) as term
              where type = 'post' and status = 'publish') as gone
      where l.term_id = gone.term and l.date_gmt = gone.date_gmt and l.post_id = gone.id;
    insert into post_categories (term_id, date_gmt, title_key, post_id, author)
      select term, date_gmt, title_key, id, author from new_rows, unnest(categories) as term
       where type = 'post' and status = 'publish'
      except
      select term, date_gmt, title_key, id, author from old_rows, unnest(categories) as term
       where type = 'post' and status = 'publish';
    delete from post_tags l
      using (select term, date_gmt, title_key, id, author from old_rows, unnest(tags) as term
              where type = 'post' and status = 'publish'
             except
             select term, date_gmt, title_key, id, author from new_rows, unnest(tags) as term
              where type = 'post' and status = 'publish') as gone
      where l.term_id = gone.term and l.date_gmt = gone.date_gmt and l.post_id = gone.id;
    insert into post_tags (term_id, date_gmt, title_key, post_id, author)
      select term, date_gmt, title_key, id, author from new_rows, unnest(tags) as term
       where type = 'post' and status = 'publish'
      except
      select term, date_gmt, title_key, id, author from old_rows, unnest(tags) as term
       where type = 'post' and status = 'publish';
  end if;

  if linked is not null then
    insert into link_notes (ids) values (linked);
  end if;

  if authors then
    -- Only the difference counts: who has as many published ones as before has some if he had some. A note names 4,096 ids at most.
    insert into author_notes (ids)
      select array_agg(author)
        from (select author
                from (select author, 1 as n from new_rows where status = 'publish' and type in ('post', 'page')
                      union all
                      select author, -1 from old_rows where status = 'publish' and type in ('post', 'page')) as published
               group by author having sum(n) <> 0) as differing
       group by author >> 12;
  end if;

  if moved then
    -- Whether a file may be seen, and what it is embedded as, hangs on what it belongs to.
    with changed as materialized (
      select n.id from new_rows n full join old_rows o on o.id = n.id
       where (n.status, n.password, n.path) is distinct from (o.status, o.password, o.path)
    )
    select array_agg(f.id), bool_or(f.type = 'attachment') into files, attached
      from changed c join posts f on f.parent = c.id and f.parent <> 0;
    if attached then sets := array_append(sets, 'attachment'); end if;
  end if;

  -- What processes remember is forgotten before the news are heard.
  perform pg_notify('posts', '');
  perform tell_news(rows_tag('post', written), case when files is not null then rows_tag('post', files) end,
    case when sets is not null then array_to_string(sets, '|') end, case when paths is not null then paths_tag(paths) end,
    case when modified and shown then 'modified' end, case when words and shown then 'words' end, case when authors then 'authors' end);
  return null;
end $$;
create trigger posts_updated after update on posts
  referencing old table as old_rows new table as new_rows for each statement execute function posts_updated();

-- What follows is as it was made, without what updates did there.
create or replace function count_posts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into post_counts as c (type, status, slot, n)
      select type, status, pg_backend_pid() % 64, count(*) from new_rows group by type, status order by type, status
      on conflict (type, status, slot) do update set n = c.n + excluded.n;
  else
    insert into post_counts as c (type, status, slot, n)
      select type, status, pg_backend_pid() % 64, -count(*) from old_rows group by type, status order by type, status
      on conflict (type, status, slot) do update set n = c.n + excluded.n;
  end if;
  -- Processes remember what slugs are free (posts/generated-slugs.ts); this is how they hear that they may not be.
  perform pg_notify('posts', '');
  return null;
end $$;

do $each$
declare
  list text;
begin
  foreach list in array array['categories', 'tags'] loop
    execute format($sql$
create or replace function link_post_%1$s() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into post_%1$s (term_id, date_gmt, title_key, post_id, author)
      select distinct term, date_gmt, title_key, id, author from new_rows, unnest(%1$s) as term
       where type = 'post' and status = 'publish';
  else
    delete from post_%1$s l
      using (select distinct term, date_gmt, id from old_rows, unnest(%1$s) as term
              where type = 'post' and status = 'publish') as gone
      where l.term_id = gone.term and l.date_gmt = gone.date_gmt and l.post_id = gone.id;
  end if;
  return null;
end $$;
    $sql$, list);
  end loop;
end $each$;

create or replace function note_links() returns trigger language plpgsql as $$
begin
  insert into link_notes (ids)
    select array_agg(id) from changed where type = 'post' and status = 'publish' having count(*) > 0;
  return null;
end $$;

create or replace function note_authors() returns trigger language plpgsql as $$
begin
  insert into author_notes (ids)
    select array_agg(distinct author) from changed where status = 'publish' and type in ('post', 'page') group by author >> 12;
  return null;
end $$;

create or replace function posts_news() returns trigger language plpgsql as $$
declare
  ids bigint[];
  sets text[];
  authors boolean := true;
  paths text[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id), array_agg(distinct type) filter (where not is_draft(status)),
           array_agg(path) filter (where path <> ''), bool_or(not is_draft(status))
      into ids, sets, paths, authors from new_rows;
  else
    select array_agg(id), array_agg(distinct type), array_agg(path) filter (where path <> '')
      into ids, sets, paths from old_rows;
  end if;
  perform tell_news(rows_tag('post', ids), array_to_string(sets, '|'), case when paths is not null then paths_tag(paths) end,
    case when authors then 'authors' end);
  return null;
end $$;
