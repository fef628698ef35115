/** From events to roll-ups. Counting and counting again exclude each other by one lock; writers wait for neither. */
import type { Db } from '@sevenfold/chassis/db/sql';

const COUNTERS = `
  count(*) filter (where event = 'judged' and verdict <> 'ham') as spam,
  count(*) filter (where event = 'judged' and verdict = 'ham') as ham,
  count(*) filter (where event = 'corrected' and verdict = 'ham')
    - count(*) filter (where event = 'reversed' and verdict = 'ham') as missed_spam,
  count(*) filter (where event = 'corrected' and verdict <> 'ham')
    - count(*) filter (where event = 'reversed' and verdict <> 'ham') as false_positives`;

/** Roll-ups of what the table expression `events` holds. */
const PERIODS = `
  days as (select day, ${COUNTERS} from events group by day),
  periods as (
    select 'day' as period, day as start, spam, ham, missed_spam, false_positives from days
    union all
    select 'month', date_trunc('month', day)::date, sum(spam), sum(ham), sum(missed_spam), sum(false_positives)
    from days group by 2)`;

export const lockCounting = (tx: Db): Promise<unknown> =>
  tx.first(`select pg_advisory_xact_lock(hashtext('spamfilter.count'))`);

/** Moves so many events at most into the roll-ups; answers how many. */
export async function count(tx: Db, most: number): Promise<number> {
  await lockCounting(tx);
  const row = await tx.first<{ counted: number }>(
    `with events as (
       delete from uncounted_events where id in (select id from uncounted_events order by id limit $1)
       returning event, verdict, day),
     ${PERIODS},
     noted as (
       insert into rollups as old (period, start, spam, ham, missed_spam, false_positives)
       select * from periods
       on conflict (period, start) do update set
         spam = old.spam + excluded.spam,
         ham = old.ham + excluded.ham,
         missed_spam = old.missed_spam + excluded.missed_spam,
         false_positives = old.false_positives + excluded.false_positives)
     select count(*) as counted from events`,
    [most],
  );
  return (row as { counted: number }).counted;
}
