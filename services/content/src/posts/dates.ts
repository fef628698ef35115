/** When a post is published and which status follows from that (REFERENCE.md 3.4 and 3.5). Pure. */
import { type DateTime, parseDateTime, toLocal } from '@sevenfold/text/dates';
import { isUnfinished } from '@sevenfold/publishing/statuses';

/** `reset` takes the present; undefined keeps what is there. */
export type WantedDate = DateTime | 'reset' | undefined;

/** Reads `date` and `date_gmt` of a write; `date` wins. `null` in either resets. The texts are already checked. */
export function wantedDate(
  args: { readonly date?: string | null; readonly date_gmt?: string | null },
  timezone: string,
): WantedDate {
  if (args.date) return parseDateTime(args.date, timezone);
  if (args.date_gmt) {
    const utc = parseDateTime(args.date_gmt, 'UTC')?.utc;
    return utc && { utc, local: toLocal(utc, timezone) };
  }
  return args.date === null || args.date_gmt === null ? 'reset' : undefined;
}

export interface DateState {
  readonly status: string;
  readonly dateLocal: string;
  /** UTC, as text that PostgreSQL reads. */
  readonly dateGmt: string;
  readonly dateChosen: boolean;
}

/**
 * Date and status after a write. A draft without a chosen date moves with the present and takes the moment of its
 * publication; published ahead of its date a post is scheduled, scheduled for the past it is published.
 */
export function settleDate(
  current: Omit<DateState, 'status'> | undefined,
  status: string,
  wanted: WantedDate,
  now: Date,
  timezone: string,
): DateState {
  const present = { dateLocal: toLocal(now, timezone), dateGmt: sqlUtc(now) };
  let state = current ?? { ...present, dateChosen: false };
  if (wanted === 'reset') state = { ...present, dateChosen: false };
  // Clients send back whole objects: the date that they were shown is no choice.
  else if (wanted && !(current && wanted.local === current.dateLocal.slice(0, 19)))
    state = { dateLocal: wanted.local, dateGmt: sqlUtc(wanted.utc), dateChosen: true };
  if (!state.dateChosen && status !== 'trash') state = { ...present, dateChosen: !isUnfinished(status) };
  const ahead = isAhead(state.dateGmt, now);
  if (status === 'publish' && ahead) return { ...state, status: 'future' };
  if (status === 'future' && !ahead) return { ...state, status: 'publish' };
  return { ...state, status };
}

/** `YYYY-MM-DD HH:MM:SS`, whole seconds as clients see them. */
export const sqlUtc = (moment: Date): string => moment.toISOString().slice(0, 19).replace('T', ' ');

export const fromSqlUtc = (text: string): Date => new Date(`${text.slice(0, 19).replace(' ', 'T')}Z`);

const isAhead = (dateGmt: string, now: Date): boolean => fromSqlUtc(dateGmt).getTime() > now.getTime();
