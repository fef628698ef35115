-- Of one submission so many addresses are found at most: a megabyte of nothing but addresses, each of which can be read in a dozen
-- ways, made 700,000 entries of an index, for a quarter of a minute, each time that its row changed.
create or replace function submission_emails(content text) returns text[]
  language sql immutable parallel safe
  return (
    -- Only as much is looked at as an address has: one pattern for all of a long text took ten times as long.
    with around as (
      select place, right(piece, 64) as before, lead(left(piece, 253)) over (order by place) as behind
      from unnest(string_to_array(lower(content collate "C"), '@')) with ordinality as pieces(piece, place)
    ), found as materialized (
      select substr(before, length(rtrim(before, 'abcdefghijklmnopqrstuvwxyz0123456789.!#$%&''*+/=?^_`{|}~-')) + 1) as name,
             rtrim(substring(behind from '^[a-z0-9-]+(?:\.[a-z0-9-]+)+'), '-') as host
      from around
      where before ~ '[a-z0-9.!#$%&''*+/=?^_`{|}~-]$' and behind ~ '^[a-z0-9-]+\.[a-z0-9-]'
      order by place limit 500
    ), named as (
      select name, host from found
      union all
      select ltrim(name, '.!#$%&''*+/=?^_`{|}~-'), host from found where name ~ '^[^a-z0-9]'
      union all
      select ltrim(substring(name from '[^=/|{]*$'), '.!#$%&''*+/=?^_`{|}~-'), host from found where name ~ '[=/|{]'
    ), whole as (
      select name, host from named where name <> '' and host is not null
    )
    select coalesce(array_agg(distinct address), '{}')
    from (
      select name || '@' || host as address from whole
      union all
      -- `joe@example.org.Thanks`; hardly any mailbox has more than four names behind it.
      select name || '@' || array_to_string(labels[1:most], '.')
      from (select name, string_to_array(host, '.') as labels from whole where host like '%.%.%') as deep,
           unnest(array[2, 3, 4]) as most
      where most < cardinality(labels)
    ) as spellings
  );

-- The account of somebody logged in is his as much as what he writes: it goes first, so that nothing he writes crowds it out.
create or replace function submission_index() returns trigger language plpgsql as $$
declare content text := submission_text(new.values);
begin
  new.words := lower(left(content, 20000));
  new.emails := submission_emails(concat_ws(E'\n', new.meta #>> '{user,email}', content));
  return new;
end $$;
