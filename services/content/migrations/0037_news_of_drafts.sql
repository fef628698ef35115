-- A draft that is written, and is one still, makes no list old: what is kept is what strangers read, and no list of theirs shows it.
-- Whatever shows the thing itself hears of it as before, as does what is found at its address; with its first publishing it is in the
-- lists. All else is as it was made in 0036_changes_at_once.sql.
create function is_draft(status text) returns boolean language sql immutable as $$
  select status in ('draft', 'pending')
$$;

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
    select array_agg(id), array_agg(distinct type) filter (where not is_draft(status)),
           array_agg(path) filter (where path <> ''), bool_or(not is_draft(status))
      into ids, sets, paths, authors from new_rows;
  elsif tg_op = 'DELETE' then
    select array_agg(id), array_agg(distinct type), array_agg(path) filter (where path <> '')
      into ids, sets, paths from old_rows;
  else
    select array_agg(n.id),
           array_agg(distinct n.type) filter (where not (is_draft(n.status) and is_draft(o.status)) and
             (n.type, n.status, n.slug, n.author, n.date_gmt, n.date_local, n.parent, n.menu_order, n.sticky, n.format,
              n.password, n.categories, n.tags)
             is distinct from
             (o.type, o.status, o.slug, o.author, o.date_gmt, o.date_local, o.parent, o.menu_order, o.sticky, o.format,
              o.password, o.categories, o.tags)),
           bool_or(n.modified_gmt <> o.modified_gmt and not (is_draft(n.status) and is_draft(o.status))),
           bool_or(n.search_text <> o.search_text and not (is_draft(n.status) and is_draft(o.status))),
           bool_or((n.type, n.status, n.author) is distinct from (o.type, o.status, o.author)
             and not (is_draft(n.status) and is_draft(o.status))),
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
