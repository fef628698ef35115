/** Rows to be searched for, for test/src/rules/searches.test.ts. */
import { type Searched, dates, rows } from '@sevenfold/chassis/testing/searched';

export const posts = (type: string, status: string): string =>
  `insert into posts (type, status, slug, date_local, date_gmt, modified_local, modified_gmt, title_raw, content_raw, path)
   select '${type}', '${status}', '${type}-' || n, ${dates}, $3 || ' needle', 'x', '${type}-' || n ${rows}`;

export const searched: Record<string, Searched> = {
  posts: { table: 'posts', insert: posts('post', 'publish') },
  pages: { table: 'posts', insert: posts('page', 'publish') },
};
