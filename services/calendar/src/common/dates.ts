/**
 * Dates as the calendar writes them (`YYYY-MM-DD hh:mm:ss`, and taken apart), and when something is published. The
 * dates of an event itself are in events/when.ts.
 */
import { parseFreeDate, toLocal } from '@sevenfold/text/dates';
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

/** `YYYY-MM-DD hh:mm:ss` in UTC, whole seconds. */
export const sqlUtc = (moment: Date): string => moment.toISOString().slice(0, 19).replace('T', ' ');

export const fromSqlUtc = (text: string): Date => new Date(`${text.slice(0, 19).replace(' ', 'T')}Z`);

/** Check of arguments that hold a date in any notation. Whether it can be read does not depend on the zone. */
export const checkDate = (text: string): string | undefined =>
  text === '' || parseFreeDate(text, 'UTC', new Date()) === undefined
    ? 'It is not a date, such as 2030-01-31 18:00:00, "tomorrow 10am" or Unix seconds.'
    : undefined;

const NO_DATE = '0000-00-00 00:00:00';

export interface Publication {
  readonly status: string;
  /** Clock of the site. */
  readonly dateLocal: string;
  /** UTC, as text that PostgreSQL reads. */
  readonly dateUtc: string;
  /** Whether somebody chose the date; a draft without one takes the moment of its publication. */
  readonly dateChosen: boolean;
}

/** `date_utc` as clients see it: a draft without a chosen date has none. */
export const shownDateUtc = (row: Publication): string =>
  !row.dateChosen && isUnfinished(row.status) ? NO_DATE : wireDate(row.dateUtc);

/**
 * Date and status after a write; `date` of the body wins over `date_utc`. Published ahead of its date a thing is
 * scheduled, scheduled for the past it is published.
 */
export function settlePublication(
  current: Publication | undefined,
  status: string,
  args: { readonly date?: string; readonly date_utc?: string },
  now: Date,
  timezone: string,
): Publication {
  const present = { dateLocal: toLocal(now, timezone), dateUtc: sqlUtc(now) };
  const wanted = wantedDate(args, now, timezone);
  // Only its own part of the row: what else the row holds is not for this function to say.
  let state: Publication = current
    ? { status, dateLocal: current.dateLocal, dateUtc: current.dateUtc, dateChosen: current.dateChosen }
    : { ...present, dateChosen: false, status };
  // Clients send back whole objects: the date that they were shown is no choice.
  if (wanted && !(current && wanted.dateLocal === wireDate(current.dateLocal)))
    state = { ...wanted, dateChosen: true, status };
  if (!state.dateChosen && status !== 'trash')
    state = { ...present, dateChosen: !isUnfinished(status), status };
  const ahead = fromSqlUtc(state.dateUtc).getTime() > now.getTime();
  if (status === 'publish' && ahead) return { ...state, status: 'future' };
  if (status === 'future' && !ahead) return { ...state, status: 'publish' };
  return { ...state, status };
}

function wantedDate(
  args: { readonly date?: string; readonly date_utc?: string },
  now: Date,
  timezone: string,
): { dateLocal: string; dateUtc: string } | undefined {
  const read = args.date
    ? parseFreeDate(args.date, timezone, now)
    : args.date_utc && args.date_utc !== NO_DATE
      ? parseFreeDate(args.date_utc, 'UTC', now)
      : undefined;
  return read && { dateLocal: toLocal(read.utc, timezone), dateUtc: sqlUtc(read.utc) };
}

/** Check of `date` and `date_utc`: clients may send back what a draft shows. */
export const checkPublicationDate = (text: string): string | undefined =>
  text === NO_DATE ? undefined : checkDate(text);
