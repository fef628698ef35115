-- What a transaction has told it does not tell again. A write often changes a row in several statements, each of which told of it:
-- another message to every process that listens, which says nothing. `news.told` holds what was told, for as long as the
-- transaction (or the part of it that may be undone) lasts.
create or replace function tell_news(variadic tags text[]) returns void language plpgsql as $$
declare
  -- The number of the transaction makes equal news of two commits different messages.
  number text := pg_current_xact_id()::text || ' ';
  known text := coalesce(current_setting('news.told', true), '');
  tag text;
  told text := '';
  news boolean := false;
begin
  foreach tag in array tags loop
    continue when tag is null or tag = '';
    -- PostgreSQL takes less than 8,000 bytes.
    if told <> '' and length(told) + length(tag) > 7500 then
      perform pg_notify('news', number || told);
      raise info using message = 'news', detail = number || told;
      told := '';
    end if;
    told := told || case when told = '' then '' else '|' end || tag;
    news := news or position('|' || tag || '|' in known) = 0;
  end loop;
  if told <> '' and news then
    perform pg_notify('news', number || told);
    raise info using message = 'news', detail = number || told;
    -- More is looked through for nothing.
    if length(known) + length(told) < 2000 then
      perform set_config('news.told', known || '|' || told || '|', true);
    end if;
  end if;
end $$;
