/** Statistics are read from roll-ups: one look into one index, however much was judged. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { type IntervalName, intervals } from './intervals';

export interface Counters {
  readonly spam: number;
  readonly ham: number;
  readonly missed_spam: number;
  readonly false_positives: number;
}

export interface Rollup extends Counters {
  /** The first day, in UTC: `2026-10-01`. */
  readonly start: string;
}

/** The oldest first; days or months in which nothing happened are not there. */
export function read(db: Db, interval: IntervalName): Promise<Rollup[]> {
  const { period, back } = intervals[interval];
  return db.rows<Rollup>(READ, [period, back ?? null]);
}

export const READ = `select start, spam, ham, missed_spam, false_positives from rollups
  where period = $1
    and start >= coalesce((date_trunc($1, now() at time zone 'UTC') - $2::interval)::date, '-infinity')
  order by start`;
