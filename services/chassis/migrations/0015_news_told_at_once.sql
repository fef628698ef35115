-- Most transactions tell once, and little. What they need for it are two calls now, which are assigned: `perform` runs a query for each.
-- A transaction that wants to know its news begins `news.wrote` with a sign of that (chassis/src/db/told.ts).
create or replace function tell_news(variadic tags text[]) returns void language plpgsql as $$
declare
  wrote text := current_setting('news.wrote', true);
  message text := array_to_string(array_remove(tags, ''), '|');
  messages text[];
  number text;
  tag text;
  nothing text;
begin
  if message = '' then
    return;
  end if;
  -- The number of the transaction makes equal news of two commits different messages.
  number := pg_current_xact_id()::text || ' ';
  if wrote = '-' and length(message) <= 7500 then
    message := number || message;
    nothing := pg_notify('news', message)::text || set_config('news.wrote', E'-\n' || message || E'\n', true);
    return;
  end if;

  wrote := coalesce(wrote, '');
  -- Mostly it is the first that the transaction tells, and nothing is looked for.
  if wrote <> '' then
    if not exists (select from unnest(tags) as one
                    where one <> '' and position('|' || one || '|' in translate(wrote, E' \n', '||')) = 0) then
      return;
    end if;
  end if;
  -- PostgreSQL takes less than 8,000 bytes.
  if length(message) <= 7500 then
    messages := array[message];
  else
    messages := '{}';
    message := '';
    foreach tag in array tags loop
      continue when tag is null or tag = '';
      if message <> '' and length(message) + length(tag) > 7500 then
        messages := array_append(messages, message);
        message := '';
      end if;
      message := message || case when message = '' then '' else '|' end || tag;
    end loop;
    messages := array_append(messages, message);
  end if;
  foreach message in array messages loop
    message := number || message;
    perform pg_notify('news', message);
    -- `news.kept`: a process of the release before asks for it.
    if left(wrote, 1) <> '-' and current_setting('news.kept', true) is distinct from 'on' then
      raise info using message = 'news', detail = message;
    end if;
    -- More than this does not fit beside an answer anyway, and is looked through for nothing.
    if length(wrote) < 10000 then
      wrote := wrote || case when wrote = '-' then E'\n' else '' end || message || E'\n';
    end if;
  end loop;
  perform set_config('news.wrote', wrote, true);
end $$;
