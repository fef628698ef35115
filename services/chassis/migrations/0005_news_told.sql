-- Whoever writes hears the news of it at once, too: each message goes to the session itself beside the statement's answer, as a
-- notice `news` with the message as its detail. It costs no round trip, and no log keeps it.
create or replace function tell_news(variadic tags text[]) returns void language plpgsql as $$
declare
  -- The number of the transaction makes equal news of two commits different messages.
  number text := pg_current_xact_id()::text || ' ';
  tag text;
  told text := '';
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
  end loop;
  if told <> '' then
    perform pg_notify('news', number || told);
    raise info using message = 'news', detail = number || told;
  end if;
end $$;
