-- What triggers do is planned once for each connection, by how many rows it met first.
-- Where that was one, all old rows were gone through for each new one from then on. A full join is never done so, and of an update it is
-- the same as any other: each row has its old one. All else is as it was made in 0005_news.sql.
alter function note_updated() set enable_nestloop = off;

create or replace function indexables_news() returns trigger language plpgsql as $$
declare
  keys text[];
  led text[];
begin
  if tg_op = 'INSERT' then
    select array_agg(object_type || ':' || object_id) into keys from new_rows;
    led := keys;
  elsif tg_op = 'DELETE' then
    select array_agg(object_type || ':' || object_id) into keys from old_rows;
    led := keys;
  else
    select array_agg(n.object_type || ':' || n.object_id) filter (where
             (n.is_public, n.status, n.permalink, n.head_html, n.head_json, n.list_item)
             is distinct from (o.is_public, o.status, o.permalink, o.head_html, o.head_json, o.list_item)),
           array_agg(n.object_type || ':' || n.object_id) filter (where
             (n.is_public, n.status, n.permalink) is distinct from (o.is_public, o.status, o.permalink))
      into keys, led
      from new_rows n full join old_rows o on o.object_type = n.object_type and o.object_id = n.object_id;
  end if;
  perform tell_indexables(keys, led);
  return null;
end $$;
