-- Posts, pages and files have odd numbers, things of the calendar even ones: clients, and the index of the site, keep one map
-- of ids over both.
alter sequence object_ids increment by 2;
select setval('object_ids', next + (next + 1) % 2, false)
from (select last_value + is_called::integer as next from object_ids) as now;
