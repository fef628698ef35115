/** The dates of a write of posts, pages and media; the columns of this service say `gmt` where the calendar says `utc`. */
import {
  type Publication,
  type WantedDate,
  settlePublication,
  wantedDate as wanted,
} from '@sevenfold/publishing/dates';
import { parseDateTime } from '@sevenfold/text/dates';

/** `date` and `date_gmt` of a body, whose texts are already checked. */
export const wantedDate = (
  args: { readonly date?: string | null; readonly date_gmt?: string | null },
  timezone: string,
): WantedDate => wanted({ local: args.date, utc: args.date_gmt }, timezone, parseDateTime);

export interface DateState extends Omit<Publication, 'dateUtc'> {
  /** UTC, as text that PostgreSQL reads. */
  readonly dateGmt: string;
}

/** Date and status after a write. */
export function settleDate(
  current: Omit<DateState, 'status'> | undefined,
  status: string,
  date: WantedDate,
  now: Date,
  timezone: string,
): DateState {
  const before = current && { ...current, dateUtc: current.dateGmt };
  const { dateUtc, ...rest } = settlePublication(before, status, date, now, timezone);
  return { ...rest, dateGmt: dateUtc };
}
