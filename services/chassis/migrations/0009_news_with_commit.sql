-- A transaction that wants to know its news (`news.kept`) is told them with its commit: `news.wrote` has its messages, a line each,
-- for as long as the transaction (or the part of it that may be undone) lasts. A notice is a packet of its own, sent and read by
-- itself, and cost the writer as much as the news themselves; statements outside of transactions are still told by notices.
create function say_news(message text) returns void language plpgsql as $$
declare
  wrote text;
begin
  perform pg_notify('news', message);
  if current_setting('news.kept', true) = 'on' then
    wrote := coalesce(current_setting('news.wrote', true), '');
    -- More than this does not fit beside an answer anyway.
    if length(wrote) < 10000 then
      perform set_config('news.wrote', wrote || message || E'\n', true);
    end if;
  else
    raise info using message = 'news', detail = message;
  end if;
end $$;

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
      perform say_news(number || told);
      told := '';
    end if;
    told := told || case when told = '' then '' else '|' end || tag;
    news := news or position('|' || tag || '|' in known) = 0;
  end loop;
  if told <> '' and news then
    perform say_news(number || told);
    -- More is looked through for nothing.
    if length(known) + length(told) < 2000 then
      perform set_config('news.told', known || '|' || told || '|', true);
    end if;
  end if;
end $$;
