-- Search words of one or two letters match beginnings of words in titles (chassis/src/db/search.ts): of terms in names and slugs, for
-- which each of them was taken apart. One index for both, as either is enough.
create index terms_title_words on terms using gin
  (to_tsvector('simple', left(name, 300)), to_tsvector('simple', left(slug, 300)));
analyze terms;
