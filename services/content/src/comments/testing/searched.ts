/** Rows to be searched for, for test/src/rules/searches.test.ts. */
import { type Searched, moment, rows } from '@sevenfold/chassis/testing/searched';

export const searched: Record<string, Searched> = {
  comments: {
    table: 'comments',
    insert: `with page as (
        insert into posts (type, status, slug, date_local, date_gmt, modified_local, modified_gmt, path)
        values ('page', 'publish', 'talked-of-' || $1::int, now(), now(), now(), now(), 'talked-of-' || $1::int) returning id)
      insert into comments (post, author_name, date_local, date_gmt, content_raw, content_html, status)
      select (select id from page), $3 || ' needle', ${moment}, ${moment}, 'x', 'x', 'approved' ${rows}`,
  },
};
