/** From events to roll-ups. Counting and counting again exclude each other by one lock; writers wait for neither. */
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import { COUNT, QUEUE } from './queue';

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

const lockCounting = (tx: Db): Promise<unknown> =>
  tx.first(`select pg_advisory_xact_lock(hashtext('spamfilter.count'))`);

/** Moves so many events at most into the roll-ups; answers how many. */
export async function count(tx: Db, most: number): Promise<number> {
  await lockCounting(tx);
  const row = await tx.first<{ counted: number }>(
    `with events as (
       delete from uncounted_events where id = any(array(select id from uncounted_events order by id limit $1))
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

/** SQL: whether the job that counts is promised and not done. */
export const IS_QUEUED = `exists (
  select from outbox where kind = 'job' and channel = '${QUEUE}' and name = '${COUNT}' and done_at is null and failed_at is null)`;

/** Whether events wait that no job is going to count. */
export async function isForgotten(db: Db): Promise<boolean> {
  const row = await db.first(`select where exists (select from uncounted_events) and not ${IS_QUEUED}`);
  return row !== undefined;
}

/** A roll-up that was not what its events say. */
export interface Mended {
  readonly period: 'day' | 'month';
  readonly start: string;
  readonly before: string;
  readonly after: string;
}

const VALUES = ['spam', 'ham', 'missed_spam', 'false_positives'];
const tuple = (table: string): string =>
  `(${VALUES.map((name) => `coalesce(${table}.${name}, 0)`).join(', ')})`;

/**
 * Counts again all days of which the events are still there, and mends what differs. One statement sees one state of the
 * database: an event is either among the uncounted or in the roll-ups, whatever is written meanwhile.
 */
export const rebuild = (db: Database): Promise<{ readonly since: string; readonly mended: Mended[] }> =>
  db.transaction(async (tx) => {
    await lockCounting(tx);
    // A month may be going: from here on none does, or its days would be counted as if nothing had happened on them.
    await tx.run('lock table verdict_events in access share mode');
    const kept = await tx.first<{ since: string }>('select since::text from events_kept');
    const { since } = kept as { since: string };
    const mended = await tx.rows<Mended>(
      `with events as (
         select event, verdict, day from verdict_events as told
         where day >= $1::date and not exists (select from uncounted_events where id = told.id)),
       ${PERIODS},
       wrong as (
         select period, start, ${tuple('known')}::text as before, ${tuple('periods')}::text as after,
           periods.spam, periods.ham, periods.missed_spam, periods.false_positives
         from periods full join (select * from rollups where start >= $1::date) as known using (period, start)
         where ${tuple('known')} <> ${tuple('periods')}),
       mended as (
         insert into rollups (period, start, ${VALUES.join(', ')})
         select period, start, ${VALUES.map((name) => `coalesce(${name}, 0)`).join(', ')} from wrong
         on conflict (period, start) do update set
           ${VALUES.map((name) => `${name} = excluded.${name}`).join(', ')})
       select period, start::text, before, after from wrong order by period, start`,
      [since],
    );
    return { since, mended };
  });
