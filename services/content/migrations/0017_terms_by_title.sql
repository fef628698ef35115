-- The posts of each category and of each tag stand in the order of their titles, too: far pages of such lists, and of those that leave
-- terms out, looked a million posts up in a hash table.
do $each$
declare
  list text;
begin
  foreach list in array array['categories', 'tags'] loop
    execute format($sql$
truncate post_%1$s;
alter table post_%1$s add column title_key text not null;

create or replace function link_post_%1$s() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into post_%1$s (term_id, date_gmt, title_key, post_id, author)
      select distinct term, date_gmt, title_key, id, author from new_rows, unnest(%1$s) as term
       where type = 'post' and status = 'publish';
  elsif tg_op = 'DELETE' then
    delete from post_%1$s l
      using (select distinct term, date_gmt, id from old_rows, unnest(%1$s) as term
              where type = 'post' and status = 'publish') as gone
      where l.term_id = gone.term and l.date_gmt = gone.date_gmt and l.post_id = gone.id;
  else
    delete from post_%1$s l
      using (select term, date_gmt, title_key, id, author from old_rows, unnest(%1$s) as term
              where type = 'post' and status = 'publish'
             except
             select term, date_gmt, title_key, id, author from new_rows, unnest(%1$s) as term
              where type = 'post' and status = 'publish') as gone
      where l.term_id = gone.term and l.date_gmt = gone.date_gmt and l.post_id = gone.id;
    insert into post_%1$s (term_id, date_gmt, title_key, post_id, author)
      select term, date_gmt, title_key, id, author from new_rows, unnest(%1$s) as term
       where type = 'post' and status = 'publish'
      except
      select term, date_gmt, title_key, id, author from old_rows, unnest(%1$s) as term
       where type = 'post' and status = 'publish';
  end if;
  return null;
end $$;

insert into post_%1$s (term_id, date_gmt, title_key, post_id, author)
  select distinct term, date_gmt, title_key, id, author from posts, unnest(%1$s) as term
   where type = 'post' and status = 'publish';
create index post_%1$s_title on post_%1$s (term_id, title_key, post_id) include (date_gmt, author);
    $sql$, list);
  end loop;
end $each$;

-- PostgreSQL does not see that the lower-case form of the name is enough to read the order from the index alone.
drop index users_name;
create index users_name on users (lower(name), id) include (name);
