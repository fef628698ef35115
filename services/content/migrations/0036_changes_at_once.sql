-- What triggers do is planned once for each connection, by how many rows it met first. Where that was one, all old rows were gone
-- through for each new one from then on, which takes seconds for thousands. A full join is never done so, and of an update it is the
-- same as any other: each row has its old one. Joined on with something else it would be a left join, so that is done apart. All else
-- is as it was made in 0027_news_of_files.sql and 0005_media.sql.
alter function note_links() set enable_nestloop = off;
alter function terms_news() set enable_nestloop = off;

create or replace function posts_news() returns trigger language plpgsql as $$
declare
  ids bigint[];
  sets text[];
  modified boolean := false;
  words boolean := false;
  authors boolean := true;
  moved boolean := false;
  files bigint[];
  attached boolean := false;
  paths text[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id), array_agg(distinct type), array_agg(path) filter (where path <> '')
      into ids, sets, paths from new_rows;
  elsif tg_op = 'DELETE' then
    select array_agg(id), array_agg(distinct type), array_agg(path) filter (where path <> '')
      into ids, sets, paths from old_rows;
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
           bool_or((n.type, n.status, n.author) is distinct from (o.type, o.status, o.author)),
           bool_or((n.status, n.password, n.path) is distinct from (o.status, o.password, o.path)),
           array_cat(
             array_agg(o.path) filter (where o.path <> ''
               and (n.type, n.status, n.slug, n.path) is distinct from (o.type, o.status, o.slug, o.path)),
             array_agg(n.path) filter (where n.path <> '' and n.path <> o.path))
      into ids, sets, modified, words, authors, moved, paths
      from new_rows n full join old_rows o on o.id = n.id;
    -- Whether a file may be seen, and what it is embedded as, hangs on what it belongs to.
    if moved then
      with changed as materialized (
        select n.id from new_rows n full join old_rows o on o.id = n.id
         where (n.status, n.password, n.path) is distinct from (o.status, o.password, o.path)
      )
      select array_agg(f.id), bool_or(f.type = 'attachment') into files, attached
        from changed c join posts f on f.parent = c.id and f.parent <> 0;
      if attached then sets := array_append(sets, 'attachment'); end if;
    end if;
  end if;
  perform tell_news(rows_tag('post', ids), case when files is not null then rows_tag('post', files) end, array_to_string(sets, '|'),
    case when paths is not null then paths_tag(paths) end,
    case when modified then 'modified' end, case when words then 'words' end, case when authors then 'authors' end);
  return null;
end $$;

create or replace function media_readers_changed() returns trigger language plpgsql as $$
declare
  told bigint;
begin
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
  return null;
end $$;
