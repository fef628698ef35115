/**
 * How many published events carry each term, told to the content service, whose terms show the sum over all services.
 * Triggers note the terms whose events changed; a sweep counts those anew every few seconds, another counts everything
 * now and then, in case a note was lost. While the content service is away the notes stay.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Sweep } from '@sevenfold/chassis/service';
import type { Deps } from '../deps';

const SOURCE = 'calendar';
const DEADLINE_MS = 10_000;
const AT_ONCE = 10_000;

interface TermCount {
  readonly termId: number;
  readonly count: number;
}

export const countChanged = async ({ db, content }: Deps): Promise<void> => {
  // Only what is noted by now: an import adds notes faster than they are counted, and each round counts the same terms.
  const newest = await db.first<{ id: number | null }>('select max(id) as id from terms_to_count');
  for (let left = true; left;)
    left = await db.transaction(async (tx) => {
      const notes = await tx.rows<{ termId: number }>(
        `with taken as (
           delete from terms_to_count where id in (select id from terms_to_count where id <= $2 order by id limit $1) returning term_id)
         select distinct term_id as "termId" from taken`,
        [AT_ONCE, newest?.id ?? 0],
      );
      if (notes.length === 0) return false;
      const counts = await countOf(
        tx,
        notes.map(({ termId }) => termId),
      );
      // Told before the commit: when it fails, the notes are still there.
      await content.terms.setExternalCounts(
        { source: SOURCE, counts, complete: false },
        { deadlineMs: DEADLINE_MS },
      );
      return true;
    });
};

const countOf = (db: Db, ids: readonly number[]): Promise<TermCount[]> =>
  db.rows<TermCount>(
    `select term as "termId",
            (select count(*) from events where status = 'publish' and category_ids @> array[term])
            + (select count(*) from events
                where status = 'publish' and tag_ids @> array[term] and not category_ids @> array[term]) as count
       from unnest($1::bigint[]) as term`,
    [ids],
  );

export const countAll = async ({ db, content }: Deps): Promise<void> => {
  const counts = await db.rows<TermCount>(
    `select term as "termId", count(*) as count
       from events, unnest(category_ids || tag_ids) as term where status = 'publish' group by term`,
  );
  await content.terms.setExternalCounts(
    { source: SOURCE, counts, complete: true },
    { deadlineMs: DEADLINE_MS },
  );
};

export const countSweeps: readonly Sweep<Deps>[] = [
  { name: 'count-terms', everySeconds: 3, run: countChanged },
  { name: 'count-all-terms', everySeconds: 600, run: countAll },
];
