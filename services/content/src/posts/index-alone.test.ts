/** Orders and filters that hold much of a large table are read from an index alone: no row is looked at to pass it by. */
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
  const { db } = site.deps;
  // Enough, and wide enough, for PostgreSQL to see the difference.
  await db.run(
    `insert into posts (type, status, slug, author, parent, content_raw, title_raw, date_local, date_gmt, modified_local, modified_gmt)
     select case when n % 2 = 0 then 'page' else 'post' end, case when n % 50 < 2 then 'draft' else 'publish' end, 'some-' || n,
            1 + n % 30, case when n % 2 = 0 then n % 60 / 2 else 0 end, repeat(md5(n::text), 20), 'Some ' || n,
            timestamp '2024-01-01' + n * 7 % 4001 * interval '1 hour', timestamptz '2024-01-01Z' + n * 7 % 4001 * interval '1 hour',
            now(), now()
       from generate_series(1, 4000) as n`,
  );
  await db.run(
    `with made as (
       insert into posts (type, status, slug, author, parent, content_raw, title_raw, date_local, date_gmt, modified_local, modified_gmt)
       select 'attachment', 'inherit', 'file-' || n, 1 + n % 30, n % 40, repeat(md5(n::text), 20), 'File ' || n,
              timestamp '2024-01-01' + n * 7 % 4001 * interval '1 hour', timestamptz '2024-01-01Z' + n * 7 % 4001 * interval '1 hour',
              now(), now()
         from generate_series(1, 2000) as n returning id)
     insert into media (post_id, file, mime_type)
     select id, 'file-' || id, case when id % 5 < 2 then 'image/jpeg' else 'application/pdf' end from made`,
  );
  await db.run('vacuum analyze posts');
  await db.run(
    `insert into terms (taxonomy, name, slug, description, own_count)
     select case when n % 4 = 0 then 'post_tag' else 'other' end, 'Tag ' || n, 'tag-' || n, repeat(md5(n::text), 9), n % 7
       from generate_series(1, 4000) as n`,
  );
  await db.run(
    `insert into comments (post, parent, date_local, date_gmt, content_raw, content_html, status)
     select p.id, p.id % 30, p.date_local, p.date_gmt, repeat(md5(p.id::text), 20), '', 'approved' from posts p where status = 'publish'`,
  );
  await db.run('vacuum analyze comments');
  await db.run('vacuum analyze terms');
  await db.run('vacuum analyze term_sizes');
});
afterAll(() => site?.stop());

const posts = `from posts p where p.type = 'post' and (p.status = 'publish')`;
const pages = `from posts p where p.type = 'page' and (p.status = 'publish')`;
const files = `from posts p where p.type = 'attachment' and (p.status = 'inherit') and p.mime_type like 'image/%'`;
const comments = `from comments c where c.status = 'approved' and c.post_public and c.type = 'comment'`;
const tags = `from terms t where t.taxonomy = 'post_tag' and (t.filled)`;
const newest = 'p.date_gmt desc, p.id desc';

test.each([
  ['posts_published_authors', `select count(*) ${posts} and p.author = 1`],
  ['posts_author', `select p.id ${posts} and p.author = 1 order by ${newest}`],
  ['posts_author', `select p.id ${posts} order by p.author desc, ${newest}`],
  ['posts_published_parent', `select p.id ${pages} and p.parent = 0 order by ${newest}`],
  ['posts_published_parent', `select p.id ${pages} order by p.parent desc, ${newest}`],
  ['posts_published_title', `select p.id ${posts} and p.author = any('{1,2}') order by p.title_key, p.id`],
  [
    'posts_published_slug',
    `select p.id ${posts} and not (p.author = any('{1,2}')) order by p.slug desc, p.id desc`,
  ],
  ['posts_published_modified', `select p.id ${posts} and p.date_gmt > now() order by p.modified_gmt, p.id`],
  ['posts_published_id', `select p.id ${pages} and p.author = 3 order by p.id`],
  [
    'posts_published_menu_order',
    `select p.id ${pages} and p.author <> 3 order by p.menu_order, p.date_gmt, p.id`,
  ],
  ['posts_files_date', `select p.id ${files} order by ${newest}`],
  ['posts_files_author', `select p.id ${files} order by p.author desc, ${newest}`],
  ['posts_files_title', `select p.id ${files} and p.author = 3 order by p.title_key, p.id`],
  ['posts_files_slug', `select p.id ${files} order by p.slug, p.id`],
  ['posts_files_modified', `select p.id ${files} and p.date_gmt > now() order by p.modified_gmt, p.id`],
  ['posts_files_parent', `select p.id ${files} order by p.parent, p.date_gmt, p.id`],
  ['posts_files_id', `select p.id ${files} order by p.id desc`],
  ['terms_name', `select t.id ${tags} order by lower(t.name) desc, t.id desc`],
  ['terms_id', `select t.id ${tags} order by t.id`],
  ['terms_description', `select t.id ${tags} order by t.description_key, t.id`],
  [
    'term_sizes_order',
    `select s.term_id from term_sizes s where s.taxonomy = 'post_tag' and s.count > 0 order by s.count desc, s.term_id desc`,
  ],
  ['comments_parent', `select c.id ${comments} and c.parent = 7 order by c.date_gmt desc, c.id desc`],
  ['comments_public_parent', `select c.id ${comments} order by c.parent desc, c.id desc`],
])('%s: %s', async (index, text) => {
  const plan = await site.deps.db.transaction(async (tx) => {
    // What is left where it can be had.
    for (const way of ['seqscan', 'bitmapscan', 'sort']) await tx.run(`set local enable_${way} = off`);
    return (await tx.rows<Record<string, string>>(`explain (costs off) ${text}`))
      .map((row) => row['QUERY PLAN'])
      .join('\n');
  });
  expect(plan).toMatch(new RegExp(`Index Only Scan( Backward)? using ${index} on`));
  expect(plan).not.toContain('Sort');
});
