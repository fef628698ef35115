/** Rows to be searched for, for test/src/rules/searches.test.ts. */
import { type Searched, rows } from '@sevenfold/chassis/testing/searched';

export const searched: Record<string, Searched> = {
  users: {
    table: 'users',
    insert: `with made as (
        insert into users (username, email, slug, name, password_hash)
        select 'n' || n, '', 'n' || n, $3 || ' needle', 'x' ${rows} returning id)
      insert into posts (type, status, author, slug, date_local, date_gmt, modified_local, modified_gmt, path)
      select 'post', 'publish', id, 'of-' || id, now(), now(), now(), now(), 'of-' || id from made`,
  },
};
