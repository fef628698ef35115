-- Telling news cost a write more than finding out what they are: each tag was looked at by itself, and what was told was kept twice, to
-- tell nothing twice (0008_news_once.sql) and for whoever wrote (0009_news_with_commit.sql). All tags are one text now, and
-- `news.wrote` does for both. `say_news` stays for whoever is in the midst of the function as it was.
create or replace function tell_news(variadic tags text[]) returns void language plpgsql as $$
declare
  -- The number of the transaction makes equal news of two commits different messages.
  number text := pg_current_xact_id()::text || ' ';
  wrote text := coalesce(current_setting('news.wrote', true), '');
  messages text[] := array[array_to_string(array_remove(tags, ''), '|')];
  message text;
  tag text;
begin
  if messages[1] = '' then
    return;
  end if;
  -- Mostly it is the first that the transaction tells, and nothing is looked for.
  if wrote <> '' then
    if not exists (select from unnest(tags) as one
                    where one <> '' and position('|' || one || '|' in translate(wrote, E' \n', '||')) = 0) then
      return;
    end if;
  end if;
  -- PostgreSQL takes less than 8,000 bytes.
  if length(messages[1]) > 7500 then
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
    if current_setting('news.kept', true) is distinct from 'on' then
      raise info using message = 'news', detail = message;
    end if;
    -- More than this does not fit beside an answer anyway, and is looked through for nothing.
    if length(wrote) < 10000 then
      wrote := wrote || message || E'\n';
    end if;
  end loop;
  perform set_config('news.wrote', wrote, true);
end $$;
