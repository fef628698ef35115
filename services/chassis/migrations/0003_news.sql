-- News for whoever keeps answers (the gateway's cache): tags of what a commit made old, told on the channel `news`. A tag is
-- a row (`post:12`), several (`post:12,13`), every row of a kind (`post:*`), or a set whose members or order changed (`post`).
-- PostgreSQL tells them at commit, in the order of commits, and never of what was rolled back.

-- Beyond some ids «all of the kind» is cheaper for everybody; null where there is none, so that nothing is told.
create function rows_tag(kind text, ids bigint[]) returns text language sql immutable as $$
  select case
    when coalesce(cardinality(ids), 0) = 0 then null
    when cardinality(ids) > 300 then kind || ':*'
    else kind || ':' || array_to_string(ids, ',')
  end
$$;

-- The number of the transaction makes equal news of two commits different messages.
create function tell_news(variadic tags text[]) returns void language plpgsql as $$
declare
  tag text;
  told text := '';
begin
  foreach tag in array tags loop
    continue when tag is null or tag = '';
    -- PostgreSQL takes less than 8,000 bytes.
    if told <> '' and length(told) + length(tag) > 7500 then
      perform pg_notify('news', pg_current_xact_id()::text || ' ' || told);
      told := '';
    end if;
    told := told || case when told = '' then '' else '|' end || tag;
  end loop;
  if told <> '' then
    perform pg_notify('news', pg_current_xact_id()::text || ' ' || told);
  end if;
end $$;
