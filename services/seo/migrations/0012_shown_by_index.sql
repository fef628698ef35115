-- What shows something of these posts, terms or users. Each list may hold hundreds of things that nothing shows, and PostgreSQL takes
-- each for about as common as those that many show: it went through the whole index of the site for every few hundred things that were
-- written, while whoever else writes waited.
create function showing(posts bigint[], shown_terms bigint[], users bigint[])
  returns table (object_type text, object_id bigint)
  language sql stable rows 20 set enable_seqscan = off
as $$
  select i.object_type, i.object_id from indexables i where i.objects && posts and i.objects <> '{}'
  union
  select i.object_type, i.object_id from indexables i where i.terms && shown_terms and i.terms <> '{}'
  union
  select i.object_type, i.object_id from indexables i where i.author = any (users) and i.author <> 0
$$;

-- They are looked into with each write, and what waits in a list of its own is gone through for each look.
alter index indexables_objects set (fastupdate = off);
alter index indexables_terms set (fastupdate = off);
select gin_clean_pending_list('indexables_objects'), gin_clean_pending_list('indexables_terms');
