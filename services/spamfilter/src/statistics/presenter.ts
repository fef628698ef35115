/** Statistics as clients show them. */
import { intervals, type IntervalName } from './intervals';
import type { Counters, Rollup } from './store';

/** What it takes a person to look at a message and throw it away. */
const SECONDS_SAVED_BY_SPAM = 40;

export interface Statistics extends Counters {
  /** Per cent of what was judged and of the faults in it, to two places; 0 where nothing was judged. */
  readonly accuracy: number;
  /** Seconds. */
  readonly time_saved: number;
  /** By day or month, in UTC. */
  readonly breakdown: Readonly<Record<string, Counters & { readonly da: string }>>;
}

export function present(interval: IntervalName, rows: readonly Rollup[]): Record<string, Statistics> {
  const sum = (name: keyof Counters): number => rows.reduce((total, row) => total + row[name], 0);
  const totals: Counters = {
    spam: sum('spam'),
    ham: sum('ham'),
    missed_spam: sum('missed_spam'),
    false_positives: sum('false_positives'),
  };
  const nameOf = (start: string): string =>
    intervals[interval].period === 'day' ? start : start.slice(0, '2026-10'.length);
  return {
    [interval]: {
      ...totals,
      accuracy: accuracyOf(totals),
      time_saved: totals.spam * SECONDS_SAVED_BY_SPAM,
      breakdown: Object.fromEntries(
        rows.map(({ start, spam, ham, missed_spam, false_positives }) => [
          nameOf(start),
          { spam, ham, missed_spam, false_positives, da: start },
        ]),
      ),
    },
  };
}

function accuracyOf({ spam, ham, missed_spam: missed, false_positives: wrong }: Counters): number {
  const judged = spam + ham;
  return judged === 0 ? 0 : Math.round((10_000 * judged) / (judged + missed + wrong)) / 100;
}
