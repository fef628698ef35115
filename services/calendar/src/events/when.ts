/**
 * When an event takes place: the clock of its zone and the moments that follow from it. Pure. The clock is what people
 * wrote; a change of the zone keeps it and derives the moments anew.
 */
import { invalidParam } from '@sevenfold/chassis/errors';
import { isZone, parseDateTime, parseFreeDate, secondPass } from '@sevenfold/text/dates';
import { sqlUtc } from '@sevenfold/publishing/dates';
import { wireDate } from '../common/dates';

export interface When {
  readonly timezone: string;
  readonly allDay: boolean;
  /** `YYYY-MM-DD hh:mm:ss` on the clock of the zone. */
  readonly startLocal: string;
  readonly endLocal: string;
  /** The same in UTC, as text that PostgreSQL reads. */
  readonly startUtc: string;
  readonly endUtc: string;
}

/** What a body said; undefined is what it did not mention. */
export interface AskedWhen {
  readonly timezone?: string;
  readonly allDay?: boolean;
  readonly start?: string;
  readonly end?: string;
}

/** Check of the argument; empty text is the zone of the site. */
export const checkZone = (text: string): string | undefined =>
  text.trim() === '' || (text.length <= 64 && isZone(text.trim()))
    ? undefined
    : 'timezone is neither the name of a time zone, such as Europe/Berlin, nor an offset, such as UTC+2.';

interface Moment {
  readonly local: string;
  readonly utc: string;
  /** Whether this very moment was named, by Unix seconds or with an offset, and not what a clock shows. */
  readonly isNamed?: boolean;
}

export function settleWhen(current: When | undefined, asked: AskedWhen, siteZone: string, now: Date): When {
  const timezone =
    asked.timezone === undefined ? (current?.timezone ?? siteZone) : asked.timezone.trim() || siteZone;
  const allDay = asked.allDay ?? current?.allDay ?? false;
  const sameClock = current !== undefined && timezone === current.timezone;
  const moment = (name: 'start' | 'end'): Moment => {
    const text = asked[name];
    if (current) {
      const local = wireDate(name === 'start' ? current.startLocal : current.endLocal);
      const utc = wireDate(name === 'start' ? current.startUtc : current.endUtc);
      // Clients send back whole objects: the clock that they were shown is no choice, and a clock that is set back shows it twice.
      if (sameClock && (text === undefined || text.trim() === local)) return { local, utc };
      if (text === undefined) return onClock(local, timezone, name);
    }
    const read = parseFreeDate(text ?? '', timezone, now);
    if (!read) throw unreadable(name);
    return { local: read.local, utc: sqlUtc(read.utc), isNamed: read.hadZone };
  };
  let start = moment('start');
  let end = moment('end');
  // Day bounds are names of days, not moments: a midnight that the clock skips is still written as 00:00:00.
  const dayStart = ({ local }: Moment): Moment => wholeDay(local, '00:00:00', timezone, 'start');
  const dayEnd = ({ local }: Moment): Moment => wholeDay(local, '23:59:59', timezone, 'end');
  if (allDay) [start, end] = [dayStart(start), dayEnd(end)];
  // Both in one notation: the later one is the greater text.
  if (end.utc < start.utc) end = allDay ? dayEnd(start) : (onceMore(end, start, timezone) ?? start);
  return {
    timezone,
    allDay,
    startLocal: start.local,
    endLocal: end.local,
    startUtc: start.utc,
    endUtc: end.utc,
  };
}

function onClock(local: string, timezone: string, name: 'start' | 'end'): Moment {
  const read = parseDateTime(local, timezone);
  if (!read) throw unreadable(name);
  return { local: read.local, utc: sqlUtc(read.utc) };
}

/** An end before the start, where a clock that is set back shows it once more behind that. */
function onceMore(end: Moment, start: Moment, timezone: string): Moment | undefined {
  const second = end.isNamed === true ? undefined : secondPass(end.local, timezone);
  const utc = second && sqlUtc(second);
  return utc !== undefined && utc >= start.utc ? { local: end.local, utc } : undefined;
}

const wholeDay = (local: string, time: string, timezone: string, name: 'start' | 'end'): Moment => {
  const clock = `${local.slice(0, 10)} ${time}`;
  return { local: clock, utc: onClock(clock, timezone, name).utc };
};

const unreadable = (name: 'start' | 'end'): Error =>
  invalidParam(`${name}_date`, `${name}_date is not a date of a year from 1 to 9999.`);
