-- Files that galleries and lists of players in a text name. What a text shows of them is written into it: when somebody may not see a file
-- any more, or it is called something else, all texts that name it are made anew. More may stand here than is shown.
-- Texts of nothing but galleries are looked at for tens of milliseconds: what is behind that many numbers is not shown either.
create function named_files(raw text) returns bigint[] language sql immutable parallel safe
  return (
    select coalesce(array_agg(distinct found[1]::bigint), '{}')
    from regexp_matches(
      (select left(string_agg(left(split_part(piece, ']', 1), 2000), ' '), 65536)
       from unnest(string_to_array(replace(raw, '[playlist', '[gallery'), '[gallery')) with ordinality as pieces (piece, place)
       where place between 2 and 1001),
      '\d{1,15}', 'g') as found
  );
create index posts_named_files on posts using gin (named_files(content_raw))
  where content_raw like '%[gallery%' or content_raw like '%[playlist%';
-- Those that were written while somebody could still see what they name.
insert into outbox (kind, channel, name, payload)
  select 'job', 'content.posts', 'fill-embeds', jsonb_build_object('id', id)
    from posts
   where (content_raw like '%[gallery%' or content_raw like '%[playlist%') and named_files(content_raw) <> '{}'
     and type in ('post', 'page');
