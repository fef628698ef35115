/**
 * How many published events carry each term, told to the content service, whose terms show the sum over all services.
 * Triggers note what comes and goes; a sweep adds the notes up every few seconds, so that the price is that of the change
 * and not that of the calendar. Another counts everything now and then, in case a note was lost. While the content
 * service is away the notes stay.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Deps } from '../deps';

const SOURCE = 'calendar';
const DEADLINE_MS = 10_000;
// Notes of one round; what is left waits for the next.
const AT_ONCE = 50_000;

interface TermCount {
  readonly termId: number;
  readonly count: number;
}

// Notes are added up by one process at a time: a count is told before a later one of the same term is made.
const alone = (tx: Db): Promise<unknown> =>
  tx.first(`select pg_advisory_xact_lock(hashtext('calendar:term-counts'))`);

export const countChanged = ({ db, content }: Deps): Promise<void> =>
  db.transaction(async (tx) => {
    await alone(tx);
    const counts = await tx.rows<TermCount>(
      `with taken as (
         delete from term_count_notes where id = any(array(select id from term_count_notes order by id limit $1))
         returning term_id, delta)
       insert into term_counts as c (term_id, count) select term_id, sum(delta) from taken group by term_id
       on conflict (term_id) do update set count = c.count + excluded.count
       returning term_id as "termId", greatest(count, 0) as count`,
      [AT_ONCE],
    );
    if (counts.length > 0) await tell(content, counts, false);
  });

export const countAll = ({ db, content }: Deps): Promise<void> =>
  db.transaction(async (tx) => {
    await alone(tx);
    // One statement: the notes that go are those of the events that are counted.
    const counts = await tx.rows<TermCount>(
      `with noted as (delete from term_count_notes),
       counted as (
         select term as term_id, count(*) as count
         from events, unnest(category_ids || tag_ids) as term where status = 'publish' group by term),
       gone as (delete from term_counts where term_id not in (select term_id from counted))
       insert into term_counts as c (term_id, count) select term_id, count from counted
       on conflict (term_id) do update set count = excluded.count
       returning term_id as "termId", count`,
    );
    await tell(content, counts, true);
  });

/** Before the commit: when it fails, the notes are still there. */
const tell = (content: Deps['content'], counts: TermCount[], complete: boolean): Promise<unknown> =>
  content.terms.setExternalCounts({ source: SOURCE, counts, complete }, { deadlineMs: DEADLINE_MS });
