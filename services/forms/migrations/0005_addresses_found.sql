-- Addresses that were not found when their submissions came. All of them are looked for first, which is most of the work and locks nothing;
-- then only rows that lack one are changed, in the order in which everybody locks them.
do $$
declare
  one record;
begin
  for one in
    with found as materialized (
      select id, emails as known, submission_emails(submission_text(values)) as emails from submissions
    )
    select id, emails from found where not known @> emails order by id
  loop
    update submissions set emails = one.emails where id = one.id;
  end loop;
end $$;
