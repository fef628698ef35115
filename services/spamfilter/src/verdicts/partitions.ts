/**
 * The months of the events: made ahead, and dropped when they are old. A month that is missing when its first event comes keeps
 * nobody waiting: the event goes to the default partition, and into its month when that is made. The lock on all events is taken
 * first, so that nobody waits for each other, and never waited for long, so that writers go on.
 */
import type { Database, Db } from '@sevenfold/chassis/db/sql';

const MONTHS_AHEAD = 2;
const ALL = 'verdict_events';
const OTHER = 'verdict_events_other';
// A writer that holds us up longer is let go on; the next sweep tries again.
const PATIENCE = `set local lock_timeout = '2s'`;

/** Of the first day of a month: `2026-11-01`. */
const nameOf = (month: string): string => `${ALL}_${month.slice(0, 7).replace('-', '_')}`;

interface Missing {
  /** Its first day: `2026-11-01`. */
  readonly month: string;
  /** Whether events of it may be on their way. */
  readonly hasBegun: boolean;
}

/** Makes the months from this one on, and those of events that had none. Answers which. */
export async function makeMonths(db: Database): Promise<string[]> {
  const made: string[] = [];
  for (const missing of await missingMonths(db)) if (await makeMonth(db, missing)) made.push(missing.month);
  return made;
}

const missingMonths = (db: Db): Promise<Missing[]> =>
  db.rows<Missing>(
    `select month::text, month <= now() at time zone 'UTC' as "hasBegun" from (
       select generate_series(this, this + make_interval(months => $1), interval '1 month')::date as month
       from (select date_trunc('month', now() at time zone 'UTC') as this) as now
       union
       select date_trunc('month', at at time zone 'UTC')::date from ${OTHER}) as wanted
     where to_regclass('${ALL}_' || to_char(month, 'YYYY_MM')) is null
     order by month`,
    [MONTHS_AHEAD],
  );

/** False where somebody else made it meanwhile. */
const makeMonth = (db: Database, { month, hasBegun }: Missing): Promise<boolean> =>
  db.transaction(async (tx) => {
    const name = nameOf(month);
    await tx.run(PATIENCE);
    // Others make and drop no months now. Writers go on, but where an event may be on its way into the default partition:
    // it would be refused there once the month is.
    await tx.run(`lock table ${ALL} in ${hasBegun ? 'access exclusive' : 'share update exclusive'} mode`);
    if (await isThere(tx, name)) return false;
    const next = await tx.first<{ end: string }>(`select ($1::date + interval '1 month')::date as end`, [
      month,
    ]);
    const [from, to] = [`${month} 00:00:00+00`, `${(next as { end: string }).end} 00:00:00+00`];
    await tx.run(`create table ${name} (like ${ALL} including all)`);
    await tx.run(
      `with moved as (delete from ${OTHER} where at >= '${from}' and at < '${to}' returning *)
       insert into ${name} select * from moved`,
    );
    await tx.run(`alter table ${ALL} attach partition ${name} for values from ('${from}') to ('${to}')`);
    return true;
  });

async function isThere(tx: Db, name: string): Promise<boolean> {
  const row = await tx.first<{ isThere: boolean }>('select to_regclass($1) is not null as "isThere"', [name]);
  return row?.isThere ?? false;
}

/** Drops the months that ended so many days ago. Answers which. The roll-ups stay as they are. */
export async function dropMonths(db: Database, days: number): Promise<string[]> {
  const dropped: string[] = [];
  for (const { name, end } of await oldMonths(db, days))
    if (await dropMonth(db, name, end)) dropped.push(name);
  return dropped;
}

interface OldMonth {
  readonly name: string;
  /** The first day that is not in it. */
  readonly end: string;
}

const oldMonths = (db: Db, days: number): Promise<OldMonth[]> =>
  db.rows<OldMonth>(
    `select name, "end"::text from (
       select inhrelid::regclass::text as name,
         (to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM') + interval '1 month')::date as "end"
       from pg_inherits
       where inhparent = '${ALL}'::regclass and inhrelid <> '${OTHER}'::regclass) as months
     where "end" <= (now() at time zone 'UTC')::date - $1::integer
     order by name`,
    [days],
  );

const dropMonth = (db: Database, name: string, end: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    await tx.run(PATIENCE);
    await tx.run(`lock table ${ALL} in access exclusive mode`);
    const known = await tx.first<{ isThere: boolean }>(`select to_regclass($1) is not null as "isThere"`, [
      name,
    ]);
    if (!known?.isThere) return false;
    await tx.run('update events_kept set since = greatest(since, $1::date)', [end]);
    await tx.run(`drop table ${name}`);
    return true;
  });
