/** Rows to be searched for, for test/src/rules/searches.test.ts. */
import { type Searched } from '@sevenfold/chassis/testing/searched';
import { posts } from '../../posts/testing/searched';

export const searched: Record<string, Searched> = {
  media: {
    table: 'posts',
    insert: `with made as (${posts('attachment', 'inherit')} returning id)
      insert into media (post_id, file, mime_type) select id, 'f' || id, 'image/png' from made`,
  },
};
