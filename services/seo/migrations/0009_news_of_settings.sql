-- Settings are news where any of them has changed. What the content service says of the site is compared once a minute with what is known
-- of it (sources/site.ts), in a statement that mostly changes nothing; it was told as a change of everything all the same, so no page
-- was kept for longer than a minute. Processes drop what they remember of settings before they hear the news, as whoever has heard
-- them answers for all that they tell.
create or replace function settings_news() returns trigger language plpgsql as $$
begin
  if exists (select from changed) then
    perform pg_notify('settings', '');
    perform tell_news('*');
  end if;
  return null;
end $$;
create or replace trigger settings_news after insert on settings
  referencing new table as changed for each statement execute function settings_news();
create trigger settings_news_update after update on settings
  referencing new table as changed for each statement execute function settings_news();
create trigger settings_news_delete after delete on settings
  referencing old table as changed for each statement execute function settings_news();
create or replace trigger site_news after insert on site
  referencing new table as changed for each statement execute function settings_news();
create trigger site_news_update after update on site
  referencing new table as changed for each statement execute function settings_news();
create trigger site_news_delete after delete on site
  referencing old table as changed for each statement execute function settings_news();
