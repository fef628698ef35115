/** Dates of an export: a clock, and the same moment in UTC, either of which may be missing. */
import { sqlUtc } from '@sevenfold/publishing/dates';
import { parseDateTime, toLocal } from '@sevenfold/text/dates';

const UNSET = /^0000-00-00/;

/** The clock of the other site is kept, as permalinks hang on it; the moment is what the file says, or that clock here. */
export function dateOf(
  { date, dateGmt }: { readonly date: string; readonly dateGmt: string },
  timezone: string,
): { local: string; gmt: string } {
  const gmt = UNSET.test(dateGmt) ? undefined : parseDateTime(dateGmt, 'UTC')?.utc;
  const local = UNSET.test(date) ? undefined : parseDateTime(date, timezone);
  const moment = gmt ?? local?.utc ?? new Date();
  return { local: local?.local ?? toLocal(moment, timezone), gmt: sqlUtc(moment) };
}
