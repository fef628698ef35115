-- Processes drop what they remember before they hear the news that make it old: whoever has heard news answers for all that they tell, and
-- what he had remembered from before would be kept as new for good. So lists that a process remembers go with files, too, as some are
-- chosen by the types of these; settings are told here, and not by whoever writes them; and those that nothing has changed are no news.
create or replace function media_news() returns trigger language plpgsql as $$
begin
  if exists (select from changed) then
    perform pg_notify('posts', '');
    perform tell_news(rows_tag('post', (select array_agg(post_id) from changed)), 'attachment');
  end if;
  return null;
end $$;

create or replace function settings_news() returns trigger language plpgsql as $$
begin
  if exists (select from changed) then
    perform pg_notify('settings', '');
    perform tell_news((select 'setting:' || string_agg(name, ',') from changed), 'settings');
  end if;
  return null;
end $$;
