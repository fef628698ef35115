-- Which other objects (pictures, venues, organizers, pages above) the head of a row tells something of: whoever shows the head asks first
-- whether everybody may read them, which the index learns later than their owner. `named_no` is the reading that they are of: a version
-- before writes a head without them, and then, as in rows that are older than this, all of `objects` may be told of.
alter table indexables add column named bigint[] not null default '{}';
alter table indexables add column named_no bigint not null default 0;

-- A head that names other objects than before is news, also where it says the same: who keeps it judges by them.
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
             (n.is_public, n.status, n.permalink, n.head_html, n.head_json, n.list_item,
               case when n.named_no = n.read_no then n.named else n.objects end)
             is distinct from (o.is_public, o.status, o.permalink, o.head_html, o.head_json, o.list_item,
               case when o.named_no = o.read_no then o.named else o.objects end)),
           array_agg(n.object_type || ':' || n.object_id) filter (where
             (n.is_public, n.status, n.permalink) is distinct from (o.is_public, o.status, o.permalink))
      into keys, led
      from new_rows n full join old_rows o on o.object_type = n.object_type and o.object_id = n.object_id;
  end if;
  perform tell_indexables(keys, led);
  return null;
end $$;
