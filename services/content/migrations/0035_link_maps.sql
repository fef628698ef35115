-- Which published posts name each of the categories and tags that many of them name, as a bit for each id: what names any of several is
-- found by laying maps over each other, where every one of their links was read before. Triggers note whose bits may have changed, in one
-- row for a statement, so that writers never wait for each other; a sweep writes the bits (chassis/src/db/link-maps.ts). Whoever lists
-- takes what is noted from the posts themselves, so lists are never behind. What has no map is read from its links.
create table link_notes (
  id bigserial primary key,
  ids bigint[] not null
);

create table mapped_links (
  list text not null,
  target bigint not null,
  primary key (list, target)
);

create table link_maps (
  list text not null,
  target bigint not null,
  -- of 8,192 ids each
  chunk bigint not null,
  bits bit(8192) not null,
  primary key (list, target, chunk)
);
-- In the row as it is: no bit is to be fetched from elsewhere.
alter table link_maps alter column bits set storage plain;
create index link_maps_chunk on link_maps (list, chunk);

create function note_links() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into link_notes (ids)
      select array_agg(n.id) from new_rows n join old_rows o on o.id = n.id
       where n.type = 'post' and (n.status = 'publish' or o.status = 'publish')
         and (n.status, n.categories, n.tags) is distinct from (o.status, o.categories, o.tags)
      having count(*) > 0;
  else
    insert into link_notes (ids)
      select array_agg(id) from changed where type = 'post' and status = 'publish' having count(*) > 0;
  end if;
  return null;
end $$;
create trigger posts_note_links_insert after insert on posts
  referencing new table as changed for each statement execute function note_links();
create trigger posts_note_links_update after update on posts
  referencing old table as old_rows new table as new_rows for each statement execute function note_links();
create trigger posts_note_links_delete after delete on posts
  referencing old table as changed for each statement execute function note_links();

-- The bit of an id in its chunk. Each 64 of them stand as the number that maps of ids are made of elsewhere (chassis/src/db/links.ts).
create function link_bit(id bigint) returns bit language sql immutable strict parallel safe as $$
  select set_bit(repeat('0', 8192)::bit(8192), ((id & 8128) + 7 + (id & 56) - (id & 7))::integer, 1)
$$;

do $each$
declare
  list text;
begin
  foreach list in array array['categories', 'tags'] loop
    execute format($sql$
create function map_noted_%1$s(noted bigint[]) returns void language sql as $$
  with chunks as materialized (
    select id >> 13 as chunk, bit_or(link_bit(id)) as mask from unnest(noted) as id group by 1
  ), fresh as (
    select target, p.id >> 13 as chunk, bit_or(link_bit(p.id)) as bits
      from posts p, unnest(p.%1$s) as target
     where p.id = any(noted) and p.type = 'post' and p.status = 'publish'
       and target in (select target from mapped_links where list = '%1$s')
     group by 1, 2
  ), known as (
    select target, chunk, bits from link_maps where list = '%1$s' and chunk = any(array(select chunk from chunks))
  )
  insert into link_maps (list, target, chunk, bits)
    select '%1$s', target, chunk, bits
      from (
        select target, chunk, k.bits as known,
               coalesce(k.bits & ~c.mask, c.mask & ~c.mask) | coalesce(f.bits, c.mask & ~c.mask) as bits
          from known k full join fresh f using (target, chunk) join chunks c using (chunk)) as mapped
     where bits is distinct from known
    on conflict (list, target, chunk) do update set bits = excluded.bits;
$$;

create function map_many_%1$s(most bigint) returns bigint language plpgsql as $$
declare
  many bigint[];
  kept bigint[];
begin
  select array_agg(target) filter (where n > most), array_agg(target) into many, kept
    from (select term_id as target, count(*) as n from post_%1$s group by 1 having count(*) > most / 2) as counted;
  delete from link_maps where list = '%1$s' and (target = any(kept)) is not true;
  delete from mapped_links where list = '%1$s' and (target = any(kept)) is not true;
  with added as (
    insert into mapped_links (list, target)
      select '%1$s', target from (
        select unnest(many) as target except select target from mapped_links where list = '%1$s') as others limit 5
      returning target
  )
  select array_agg(target) into many from added;
  insert into link_maps (list, target, chunk, bits)
    select '%1$s', term_id, post_id >> 13, bit_or(link_bit(post_id)) from post_%1$s where term_id = any(many) group by 2, 3;
  return coalesce(cardinality(many), 0);
end $$;
    $sql$, list);
  end loop;
end $each$;

-- Takes the oldest notes, `most` of them, and writes what becomes of the bits; answers how many it took. Posts are read by a later
-- statement than the one that took the notes: a change that this does not see has a note that was not taken.
create function fold_links(most bigint) returns bigint language plpgsql as $$
declare
  taken bigint;
  noted bigint[];
begin
  perform pg_advisory_xact_lock(hashtext('content:links'));
  with gone as materialized (
    delete from link_notes where id = any(array(select id from link_notes order by id limit most)) returning ids
  )
  select count(*), array(select distinct unnest(ids) from gone) into taken, noted from gone;
  if taken > 0 then
    perform map_noted_categories(noted);
    perform map_noted_tags(noted);
  end if;
  return taken;
end $$;

-- Gives a map to some of those that more than `most` name, and takes it from all that not even half as many do; answers how many got one.
create function map_links(most bigint) returns bigint language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('content:links'));
  return map_many_categories(most) + map_many_tags(most);
end $$;
