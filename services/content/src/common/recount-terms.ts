/** Counts the published posts of every term anew: after bulk writes that do not keep the counters themselves. */
import type { Db } from '@sevenfold/chassis/db/sql';

export async function recountTerms(db: Db): Promise<void> {
  await db.run(
    `update terms set own_count = coalesce(c.n, 0)
     from terms t left join (
       select used.id, count(*) as n
       from posts, lateral unnest(categories || tags) as used(id)
       where type = 'post' and status = 'publish' group by used.id) c on c.id = t.id
     where terms.id = t.id and terms.taxonomy in ('category', 'post_tag') and terms.own_count <> coalesce(c.n, 0)`,
  );
}
