/** The counters that triggers keep, beside a count. */
import type { Db } from '@sevenfold/chassis/db/sql';

export async function expectTotalsToBeRight(db: Db): Promise<void> {
  const wrong = await db.rows(
    `select status, post_public, type, sum(n) from (
       select status, post_public, type, -total as n from comment_totals
       union all select status, post_public, type, 1 from comments) t
     group by 1, 2, 3 having sum(n) <> 0`,
  );
  expect(wrong).toEqual([]);
}
