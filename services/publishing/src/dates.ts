/** When a thing is published and which status follows from that (REFERENCE.md 3.4 and 3.5). */
import { type ApiError, invalidParam } from '@sevenfold/chassis/errors';
import { type DateTime, parseDateTime, toLocal } from '@sevenfold/text/dates';
import { isUnfinished } from './statuses';

/** `YYYY-MM-DD HH:MM:SS` in UTC, whole seconds as clients see them. */
export const sqlUtc = (moment: Date): string => toLocal(moment, 'UTC');

/** The way back; takes PostgreSQL's fractions, too. */
export const fromSqlUtc = (text: string): Date => new Date(`${text.slice(0, 19).replace(' ', 'T')}Z`);

/** `reset` takes the present; undefined keeps what is there. */
export type WantedDate =
  | (Pick<DateTime, 'local' | 'utc'> & {
      /** It names a moment, whatever the clock of the site shows then. */
      readonly isInstant?: boolean;
    })
  | 'reset'
  | undefined;

/**
 * Reads the two dates of a body, on the site's clock and in UTC; the first wins, and null in either resets (BEHAVIOUR.md
 * 22). `read` knows the notation of the service; undefined for what it cannot read, and for what the site's clock cannot show.
 */
export function wantedDate(
  sent: { readonly local?: string | null; readonly utc?: string | null },
  timezone: string,
  read: (text: string, zone: string) => Pick<DateTime, 'local' | 'utc'> | undefined,
): WantedDate {
  const momentIn = (text: string, zone: string): number | undefined => read(text, zone)?.utc.getTime();
  if (sent.local) {
    const found = read(sent.local, timezone);
    return found && { ...found, isInstant: momentIn(sent.local, 'UTC') === momentIn(sent.local, 'UTC+1') };
  }
  if (sent.utc) {
    const found = parseDateTime(read(sent.utc, 'UTC')?.utc.toISOString() ?? '', timezone);
    return found && { ...found, isInstant: true };
  }
  return sent.local === null || sent.utc === null ? 'reset' : undefined;
}

/** A moment such as the last second of the year 9999, which a clock ahead of UTC shows in a year that has five digits. */
export const unshowable = (name: string): ApiError =>
  invalidParam(
    name,
    `${name} is no date of the years 1 to 9999 by the clock of the site.`,
    'rest_invalid_date',
  );

export interface Publication {
  readonly status: string;
  /** Clock of the site. */
  readonly dateLocal: string;
  /** UTC, as text that PostgreSQL reads. */
  readonly dateUtc: string;
  /** Whether somebody chose the date; a draft without one takes the moment of its publication. */
  readonly dateChosen: boolean;
}

/**
 * Date and status after a write. A draft without a chosen date moves with the present and takes the moment of its
 * publication; published ahead of its date a thing is scheduled, scheduled for the past it is published.
 */
export function settlePublication(
  current: Omit<Publication, 'status'> | undefined,
  status: string,
  wanted: WantedDate,
  now: Date,
  timezone: string,
): Publication {
  const present = { dateLocal: toLocal(now, timezone), dateUtc: sqlUtc(now), dateChosen: false };
  let date = present;
  // Only its own part of the row: what else the row holds is not for this function to say.
  if (current && wanted !== 'reset')
    date = {
      dateLocal: current.dateLocal,
      dateUtc: current.dateUtc,
      dateChosen: current.dateChosen,
    };
  // Clients send back whole objects: the date that they were shown is no choice.
  if (wanted && wanted !== 'reset' && !(current && isShown(wanted, current)))
    date = { dateLocal: wanted.local, dateUtc: sqlUtc(wanted.utc), dateChosen: true };
  if (!date.dateChosen && status !== 'trash') date = { ...present, dateChosen: !isUnfinished(status) };
  const isAhead = fromSqlUtc(date.dateUtc).getTime() > now.getTime();
  if (status === 'publish' && isAhead) return { ...date, status: 'future' };
  if (status === 'future' && !isAhead) return { ...date, status: 'publish' };
  return { ...date, status };
}

/** Whether it says what the row says: its clock, or its moment where it names one. */
export const isShown = (
  wanted: Exclude<WantedDate, 'reset' | undefined>,
  current: Pick<Publication, 'dateLocal' | 'dateUtc'>,
): boolean =>
  wanted.isInstant
    ? sqlUtc(wanted.utc) === current.dateUtc.slice(0, 19)
    : wanted.local === current.dateLocal.slice(0, 19);
