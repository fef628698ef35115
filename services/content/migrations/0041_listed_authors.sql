-- Who has published a post or page, with what strangers' lists of users are ordered by: to find that out, each of them read the index of all
-- published posts. Triggers note whose place in it may have become different, in a row for a statement, so that writers never wait for
-- each other; a sweep writes what becomes of it (users/listed.ts). Whoever lists takes who is noted from the rows themselves, so that
-- lists are never behind.

-- Whoever writes now leaves no notes, and is waited for; before anything else is locked, in the order in which a deletion takes them.
lock table users, posts in share row exclusive mode;

create table author_notes (
  id bigserial primary key,
  ids bigint[] not null
);

-- A table of its own: a column of `users` would write all their indexes of words, and be a change of the user to whoever follows these.
create table listed_authors (
  id bigint primary key,
  name_key text not null,
  slug text not null,
  -- The beginning tells enough: an address has any length, and an entry of an index has not.
  url_key text not null
);

create table listed_counts (
  kind text primary key,
  n bigint not null
);

-- As the rows themselves say it: one, or none. In the order of the index, so that PostgreSQL takes it, whatever it believes of the table.
create function listed_author(author_id bigint) returns setof listed_authors language sql stable rows 1 as $$
  select u.id, lower(u.name), u.slug, left(u.url, 200)
    from users u
   where u.id = author_id
     and (select author from posts where status = 'publish' and type in ('post', 'page') and author >= author_id
           order by author limit 1) = author_id
  offset 0;
$$;

-- Of updated posts only the difference counts: who has as many published ones as before has some if he had some. A note names 4,096 ids
-- at most, however many a statement changes.
create function note_authors() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into author_notes (ids)
      select array_agg(author)
        from (select author
                from (select author, 1 as n from new_rows where status = 'publish' and type in ('post', 'page')
                      union all
                      select author, -1 from old_rows where status = 'publish' and type in ('post', 'page')) as published
               group by author having sum(n) <> 0) as differing
       group by author >> 12;
  else
    insert into author_notes (ids)
      select array_agg(distinct author) from changed where status = 'publish' and type in ('post', 'page') group by author >> 12;
  end if;
  return null;
end $$;
create trigger posts_note_authors_insert after insert on posts
  referencing new table as changed for each statement execute function note_authors();
create trigger posts_note_authors_update after update on posts
  referencing old table as old_rows new table as new_rows for each statement execute function note_authors();
create trigger posts_note_authors_delete after delete on posts
  referencing old table as changed for each statement execute function note_authors();

-- New users as well: something may be published already by the number that one gets.
create function note_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into author_notes (ids)
      select array_agg(id)
        from (select id, name, slug, url from new_rows except select id, name, slug, url from old_rows) as differing
       group by id >> 12;
  else
    insert into author_notes (ids) select array_agg(id) from changed group by id >> 12;
  end if;
  return null;
end $$;

create trigger users_note_insert after insert on users
  referencing new table as changed for each statement execute function note_users();
create trigger users_note_update after update on users
  referencing old table as old_rows new table as new_rows for each statement execute function note_users();
create trigger users_note_delete after delete on users
  referencing old table as changed for each statement execute function note_users();

-- Takes the oldest notes, of about so many ids, and writes what becomes of them; answers how many notes it took. Rows are read by a later
-- statement than the one that took the notes: a change that this does not see has a note that was not taken.
create function fold_authors(most bigint) returns bigint language plpgsql as $$
declare
  taken bigint;
  noted bigint[];
begin
  perform pg_advisory_xact_lock(hashtext('content:authors'));
  with oldest as (
    select id, sum(cardinality(ids)) over (order by id) - cardinality(ids) as before
      from (select id, ids from author_notes order by id limit 1000) as first
  ), gone as materialized (
    delete from author_notes where id = any(array(select id from oldest where before < most)) returning ids
  )
  select count(*), array(select distinct unnest(ids) from gone) into taken, noted from gone;
  if taken > 0 then
    with now as materialized (
      select l.* from unnest(noted) as n (id) cross join lateral listed_author(n.id) as l
    ), before as materialized (
      select * from listed_authors where id = any(noted)
    ), gone as (
      delete from listed_authors where id in (select id from before except select id from now)
    ), listed as (
      insert into listed_authors (id, name_key, slug, url_key)
        select id, name_key, slug, url_key from (select * from now except select * from before) as differing
        on conflict (id) do update set name_key = excluded.name_key, slug = excluded.slug, url_key = excluded.url_key
    ), moved as (
      select (select count(*) from now) - (select count(*) from before) as more
    )
    update listed_counts set n = n + more from moved where kind = 'authors' and more <> 0;
  end if;
  return taken;
end $$;

insert into listed_authors (id, name_key, slug, url_key)
  select l.id, l.name_key, l.slug, l.url_key
    from (select distinct author from posts where status = 'publish' and type in ('post', 'page')) as p
    cross join lateral listed_author(p.author) as l;
insert into listed_counts (kind, n) select 'authors', count(*) from listed_authors;
-- Each with the id, so that far pages are passed by in an index alone.
create index listed_authors_name on listed_authors (name_key, id);
create index listed_authors_slug on listed_authors (slug, id);
create index listed_authors_url on listed_authors (url_key, id);
analyze listed_authors;
