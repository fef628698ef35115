/** When a thing is published and which status follows from that (REFERENCE.md 3.4 and 3.5). Pure. */
import { type DateTime, toLocal } from '@sevenfold/text/dates';
import { isUnfinished } from './statuses';

/** `YYYY-MM-DD HH:MM:SS` in UTC, whole seconds as clients see them. */
export const sqlUtc = (moment: Date): string => toLocal(moment, 'UTC');

/** The way back; takes PostgreSQL's fractions, too. */
export const fromSqlUtc = (text: string): Date => new Date(`${text.slice(0, 19).replace(' ', 'T')}Z`);

/** `reset` takes the present; undefined keeps what is there. */
export type WantedDate = Pick<DateTime, 'local' | 'utc'> | 'reset' | undefined;

/**
 * Reads the two dates of a body, on the site's clock and in UTC; the first wins, and null in either resets (BEHAVIOUR.md
 * 22). `read` knows the notation of the service; what it cannot read counts as not sent.
 */
export function wantedDate(
  sent: { readonly local?: string | null; readonly utc?: string | null },
  timezone: string,
  read: (text: string, zone: string) => Pick<DateTime, 'local' | 'utc'> | undefined,
): WantedDate {
  if (sent.local) return read(sent.local, timezone);
  if (sent.utc) {
    const utc = read(sent.utc, 'UTC')?.utc;
    return utc && { utc, local: toLocal(utc, timezone) };
  }
  return sent.local === null || sent.utc === null ? 'reset' : undefined;
}

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
  if (wanted && wanted !== 'reset' && wanted.local !== current?.dateLocal.slice(0, 19))
    date = { dateLocal: wanted.local, dateUtc: sqlUtc(wanted.utc), dateChosen: true };
  if (!date.dateChosen && status !== 'trash') date = { ...present, dateChosen: !isUnfinished(status) };
  const isAhead = fromSqlUtc(date.dateUtc).getTime() > now.getTime();
  if (status === 'publish' && isAhead) return { ...date, status: 'future' };
  if (status === 'future' && !isAhead) return { ...date, status: 'publish' };
  return { ...date, status };
}
