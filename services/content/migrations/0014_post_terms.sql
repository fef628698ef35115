-- The published posts of each category and of each tag, in the order of their dates: what lists of terms count and pass by
-- is read from these indexes alone, however many there are. A row is written by whoever writes its post, in the same
-- transaction, so that writers of one term never wait for each other.
do $each$
declare
  list text;
begin
  foreach list in array array['categories', 'tags'] loop
    execute format($sql$
create table post_%1$s (
  term_id bigint not null,
  date_gmt timestamptz not null,
  post_id bigint not null,
  author bigint not null,
  primary key (term_id, date_gmt, post_id) include (author)
);

create function link_post_%1$s() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into post_%1$s (term_id, date_gmt, post_id, author)
      select distinct term, date_gmt, id, author from new_rows, unnest(%1$s) as term
       where type = 'post' and status = 'publish';
  elsif tg_op = 'DELETE' then
    delete from post_%1$s l
      using (select distinct term, date_gmt, id from old_rows, unnest(%1$s) as term
              where type = 'post' and status = 'publish') as gone
      where l.term_id = gone.term and l.date_gmt = gone.date_gmt and l.post_id = gone.id;
  else
    delete from post_%1$s l
      using (select term, date_gmt, id, author from old_rows, unnest(%1$s) as term
              where type = 'post' and status = 'publish'
             except
             select term, date_gmt, id, author from new_rows, unnest(%1$s) as term
              where type = 'post' and status = 'publish') as gone
      where l.term_id = gone.term and l.date_gmt = gone.date_gmt and l.post_id = gone.id;
    insert into post_%1$s (term_id, date_gmt, post_id, author)
      select term, date_gmt, id, author from new_rows, unnest(%1$s) as term
       where type = 'post' and status = 'publish'
      except
      select term, date_gmt, id, author from old_rows, unnest(%1$s) as term
       where type = 'post' and status = 'publish';
  end if;
  return null;
end $$;

create trigger posts_%1$s_insert after insert on posts
  referencing new table as new_rows for each statement execute function link_post_%1$s();
create trigger posts_%1$s_update after update on posts
  referencing old table as old_rows new table as new_rows for each statement execute function link_post_%1$s();
create trigger posts_%1$s_delete after delete on posts
  referencing old table as old_rows for each statement execute function link_post_%1$s();

insert into post_%1$s (term_id, date_gmt, post_id, author)
  select distinct term, date_gmt, id, author from posts, unnest(%1$s) as term
   where type = 'post' and status = 'publish';
    $sql$, list);
  end loop;
end $each$;
