/** Posts by rank, from the roll-up that indexing keeps (migrations/0002_counts.sql): one look into one index. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { SeoRank } from '../analysis/shape';
import type { Deps } from '../deps';

export const EVERYBODY = 0;

export interface RankCount {
  readonly rank: SeoRank;
  readonly posts: number;
}

/** Published posts of the author, or of all; ranks that no post has are not there. */
export const read = (db: Db, author: number): Promise<RankCount[]> => db.rows<RankCount>(READ, [author]);

export const READ = `select seo_rank as rank, sum(posts)::bigint as posts from rank_counts
  where author = $1 group by seo_rank having sum(posts) > 0`;

/** Of an author and a rank one row is left, or none. At most so many kinds at a time; answers how many there were. */
export const fold = (db: Db, most: number): Promise<number> =>
  db.run(
    `with kinds as (
       select author, seo_rank from rank_counts group by author, seo_rank having count(*) > 1 limit $1),
     old as (
       delete from rank_counts using kinds
       where rank_counts.author = kinds.author and rank_counts.seo_rank = kinds.seo_rank
       returning rank_counts.*)
     insert into rank_counts select author, seo_rank, sum(posts) from old group by author, seo_rank`,
    [most],
  );

const AT_ONCE = 1_000;

export const statisticsSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'fold-rank-counts',
    everySeconds: 20,
    run: async ({ db }) => {
      while ((await fold(db, AT_ONCE)) === AT_ONCE);
    },
  },
];
