/**
 * Dates as the calendar writes them (`YYYY-MM-DD hh:mm:ss`, and taken apart), and when something is published. The
 * dates of an event itself are in events/when.ts.
 */
import {
  type Publication,
  type WantedDate,
  unshowable,
  wantedDate as wanted,
} from '@sevenfold/publishing/dates';
import { parseFreeDate } from '@sevenfold/text/dates';
import { isUnfinished } from '@sevenfold/publishing/statuses';

export interface DateDetails {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minutes: string;
  readonly seconds: string;
}

/** PostgreSQL's `YYYY-MM-DD hh:mm:ss[.ffffff]` without the fraction. */
export const wireDate = (text: string): string => (text.length > 19 ? text.slice(0, 19) : text);

export const dateDetails = (text: string): DateDetails => ({
  year: text.slice(0, 4),
  month: text.slice(5, 7),
  day: text.slice(8, 10),
  hour: text.slice(11, 13),
  minutes: text.slice(14, 16),
  seconds: text.slice(17, 19),
});

/** Check of arguments that hold a date in any notation. Whether it can be read does not depend on the zone. */
export const checkDate = (text: string): string | undefined =>
  text === '' || parseFreeDate(text, 'UTC', new Date()) === undefined
    ? 'It is not a date, such as 2030-01-31 18:00:00, "tomorrow 10am" or Unix seconds.'
    : undefined;

/** Null takes the present (BEHAVIOUR.md 22). */
export interface PublicationDates {
  readonly date?: string | null;
  readonly date_utc?: string | null;
}

const NO_DATE = '0000-00-00 00:00:00';

/** `date_utc` as clients see it: a draft without a chosen date has none. */
export const shownDateUtc = (row: Publication): string =>
  !row.dateChosen && isUnfinished(row.status) ? NO_DATE : wireDate(row.dateUtc);

/** The dates of publication that a body names, in any notation. Throws 400 for one that the site's clock cannot show. */
export function wantedDate(args: PublicationDates, timezone: string, now: Date): WantedDate {
  const found = wanted({ local: args.date, utc: args.date_utc }, timezone, (text, zone) =>
    text === NO_DATE ? undefined : parseFreeDate(text, zone, now),
  );
  const name = args.date ? 'date' : 'date_utc';
  if (args[name] && args[name] !== NO_DATE && !found) throw unshowable(name);
  return found;
}

/** Check of `date` and `date_utc`: clients may send back what a draft shows. */
export const checkPublicationDate = (text: string): string | undefined =>
  text === NO_DATE ? undefined : checkDate(text);
