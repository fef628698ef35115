-- Who has published something is visible to everybody; the list of users hops through this index from author to author.
create index posts_published_authors on posts (author) where status = 'publish' and type in ('post', 'page');
