-- Comments that a post shows show whether they have answers, and these may be of another post: what is told to a comment that is
-- answered is told to its post as well. It is the post where the comment is by now.
create or replace function comments_news() returns trigger language plpgsql as $$
declare
  ids bigint[];
  parents bigint[];
  posts bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id), array_agg(distinct parent) filter (where parent > 0), array_agg(distinct post)
      into ids, parents, posts from new_rows;
  elsif tg_op = 'DELETE' then
    select array_agg(id), array_agg(distinct parent) filter (where parent > 0), array_agg(distinct post)
      into ids, parents, posts from old_rows;
  else
    select array_agg(distinct id), array_agg(distinct parent) filter (where parent > 0), array_agg(distinct post)
      into ids, parents, posts from (select * from new_rows union all select * from old_rows) as both_rows;
  end if;
  if parents is not null then
    select array_cat(posts, array_agg(distinct post)) into posts
      from comments where id = any(parents) and post <> all(posts);
  end if;
  if ids is not null then
    perform tell_news(rows_tag('comment', ids), rows_tag('comment', parents), rows_tag('replies', posts), 'comment');
  end if;
  return null;
end $$;
