/** Dates of an export: a clock, and the same moment in UTC, either of which may be missing. */
import { sqlUtc } from '@sevenfold/publishing/dates';
import { parseDateTime, toLocal } from '@sevenfold/text/dates';

const UNSET = /^0000-00-00/;

export interface ItemDate {
  readonly local: string;
  readonly gmt: string;
  /** Of what is unfinished: somebody said when it is to be published. */
  readonly isChosen: boolean;
}

/** The clock of the other site is kept, as permalinks hang on it; the moment is what the file says, or that clock here. */
export function dateOf(
  { date, dateGmt }: { readonly date: string; readonly dateGmt: string },
  timezone: string,
): ItemDate {
  const gmt = UNSET.test(dateGmt) ? undefined : parseDateTime(dateGmt, 'UTC')?.utc;
  const local = UNSET.test(date) ? undefined : parseDateTime(date, timezone);
  const moment = gmt ?? local?.utc ?? new Date();
  return {
    local: local?.local ?? toLocal(moment, timezone),
    gmt: sqlUtc(moment),
    isChosen: !UNSET.test(dateGmt),
  };
}

/** Exports tell of no changes: then it is as old as its publication. */
export const modifiedOf = (
  { modified = '', modifiedGmt = '' }: { readonly modified?: string; readonly modifiedGmt?: string },
  date: ItemDate,
  timezone: string,
): ItemDate =>
  modified === '' && modifiedGmt === '' ? date : dateOf({ date: modified, dateGmt: modifiedGmt }, timezone);
