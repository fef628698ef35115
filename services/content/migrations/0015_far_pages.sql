-- Far pages of terms are passed by in indexes alone: they hold what lists ask of a term beside its order. `filled` changes far
-- less often than the count itself, with which every write of a post would touch all indexes of its terms.
alter table terms add column filled boolean generated always as (own_count + external_count > 0) stored;
alter table terms add column description_key text generated always as (left(lower(description), 200)) stored;
drop index terms_slug_key;
create unique index terms_slug_key on terms (taxonomy, slug) include (id, parent, filled);
drop index terms_name;
-- The name stands there as well, since PostgreSQL does not see that its lower-case form is enough.
create index terms_name on terms (taxonomy, lower(name), id) include (name, parent, filled);
create index terms_id on terms (taxonomy, id) include (parent, filled);
create index terms_description on terms (taxonomy, description_key, id) include (parent, filled);

-- The order by count, beside the terms for the same reason.
create table term_sizes (
  term_id bigint primary key references terms (id) on delete cascade,
  taxonomy text not null,
  count bigint not null
);
insert into term_sizes (term_id, taxonomy, count) select id, taxonomy, count from terms;
create index term_sizes_order on term_sizes (taxonomy, count, term_id);

create function size_terms() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into term_sizes (term_id, taxonomy, count) values (new.id, new.taxonomy, new.count);
  else
    update term_sizes set count = new.count where term_id = new.id;
  end if;
  return null;
end $$;
create trigger terms_size_insert after insert on terms for each row execute function size_terms();
create trigger terms_size_update after update on terms
  for each row when (old.count is distinct from new.count) execute function size_terms();

-- What is said below one comment, or below none, is counted and passed by without the comments.
drop index comments_parent;
create index comments_parent on comments (parent, date_gmt desc, id desc) include (status, post_public, type);
