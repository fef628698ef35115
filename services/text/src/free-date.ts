/*
 * The lenient date reader of the calendar routes: dates in several notations, Unix seconds, and English words
 * (`next friday 10am`, `+1 week 2 days`, `last day of next month`). It reads the text from left to right by a
 * table of notations (free-date-notations.ts); anything it does not know makes the whole text unreadable. It guesses nothing.
 */

import * as zones from './zones';
import { type Reading, HOUR, DAY, NOTATIONS } from './free-date-notations';

export interface FreeDate extends zones.DateTime {
  /** Whether the text named a time of day (or an instant), not only a day. */
  hadTime: boolean;
  /** Whether the text named its own zone or offset; so do Unix seconds. */
  hadZone: boolean;
}
const MAX_LENGTH = 100;
// What clients and imports send, but for a few: read by one pattern instead of the table.
const PLAIN = /^(\d{4})-(\d\d)-(\d\d)(?:[ t](\d\d):(\d\d)(?::(\d\d))?)?$/;

/**
 * Reads a date in any notation the calendar takes; undefined if it cannot. Clock time without a zone of its
 * own is in `zone`; words count from `now`. Weekdays mean the next such day, today included. Adding months
 * stays inside the month (31 January + 1 month = the last of February). Nine digits and more are Unix seconds,
 * eight are YYYYMMDD, fewer are nothing; behind `@` any number is seconds.
 */
export function parseFreeDate(text: string, zone: string, now: Date): FreeDate | undefined {
  const target = zones.getZone(zone);
  const source = text.trim().toLowerCase();
  if (source.length > MAX_LENGTH) return undefined;
  if (isUnixSeconds(source)) {
    return result(Number(source.replace('@', '')) * 1000, target, { hadTime: true, hadZone: true });
  }
  const plain = plainClock(source);
  if (plain)
    return result(zones.instantOf(plain.clock, target), target, { hadTime: plain.hadTime, hadZone: false });
  const reading = read(source);
  if (!reading) return undefined;
  const instant = resolve(reading, reading.zone ?? target, now);
  if (instant === undefined) return undefined;
  return result(instant, target, { hadTime: reading.hadTime, hadZone: reading.zone !== undefined });
}

function plainClock(source: string): { clock: number; hadTime: boolean } | undefined {
  const match = PLAIN.exec(source);
  if (!match) return undefined;
  const [, year, month, day, hour, minute = '0', second = '0'] = match;
  const clock = zones.clockTime(+year!, +month!, +day!, +(hour ?? '0'), +minute, +second);
  return clock === undefined ? undefined : { clock, hadTime: hour !== undefined };
}

function isUnixSeconds(source: string): boolean {
  const match = /^(@-?)?(\d{1,12})$/.exec(source);
  if (!match) return false;
  return match[1] !== undefined || match[2]!.length >= 9;
}

function result(
  instant: number,
  target: zones.Zone,
  had: { hadTime: boolean; hadZone: boolean },
): FreeDate | undefined {
  const found = zones.dateTimeOf(instant, target);
  return found && { local: found.local, utc: found.utc, hadTime: had.hadTime, hadZone: had.hadZone };
}

function read(source: string): Reading | undefined {
  const reading: Reading = { months: 0, days: 0, seconds: 0, isDay: false, inWeek: false, hadTime: false };
  let at = 0;
  let understood = false;
  while (at < source.length) {
    const step = NOTATIONS.findIndex(([pattern]) => {
      pattern.lastIndex = at;
      return pattern.test(source);
    });
    if (step === -1) return undefined;
    const [pattern, take] = NOTATIONS[step]!;
    pattern.lastIndex = at;
    if (!take(pattern.exec(source)!, reading)) return undefined;
    at = pattern.lastIndex;
    understood ||= step > 1;
  }
  return understood ? reading : undefined;
}

function resolve(reading: Reading, zone: zones.Zone, now: Date): number | undefined {
  const today = new Date(zones.clockOf(now.getTime(), zone));
  let year = reading.year ?? today.getUTCFullYear();
  let month = reading.month ?? today.getUTCMonth() + 1;
  let day = reading.day ?? today.getUTCDate();
  if (zones.clockTime(year, month, day) === undefined) return undefined;

  const monthIndex = year * 12 + month - 1 + reading.months;
  year = Math.floor(monthIndex / 12);
  month = monthIndex - year * 12 + 1;
  day = Math.min(day, zones.daysInMonth(year, month));
  let extraDays = reading.days;
  const { edge } = reading;
  if (edge && edge.weekday === undefined) {
    day = edge.ordinal === 1 ? 1 : zones.daysInMonth(year, month);
  } else if (edge) {
    const found = nthWeekday(year, month, edge.weekday!, edge.ordinal);
    if (found === undefined) return undefined;
    day = found;
  }
  const start = zones.clockTime(year, month, day);
  if (start === undefined) return undefined;

  if (reading.weekday) {
    const current = new Date(start + extraDays * DAY * 1000).getUTCDay();
    extraDays += daysToWeekday(current, reading.weekday, reading.inWeek);
  }
  const nowTime = today.getUTCHours() * HOUR + today.getUTCMinutes() * 60 + today.getUTCSeconds();
  const time = reading.time ?? (reading.isDay ? 0 : nowTime);
  const clock = start + (extraDays * DAY + time) * 1000;
  // An hour more is an hour that passes, whatever the clock does meanwhile.
  return zones.instantOf(clock, zone) + reading.seconds * 1000;
}

function daysToWeekday(
  current: number,
  { day, direction }: { day: number; direction: -1 | 0 | 1 },
  inWeek: boolean,
): number {
  if (inWeek) return ((day + 6) % 7) - ((current + 6) % 7);
  const ahead = (day - current + 7) % 7;
  if (direction === 0) return ahead;
  if (direction === 1) return ahead === 0 ? 7 : ahead;
  return ahead - 7;
}

function nthWeekday(year: number, month: number, weekday: number, ordinal: number): number | undefined {
  const first = zones.clockTime(year, month, 1);
  if (first === undefined) return undefined;
  const earliest = 1 + ((weekday - new Date(first).getUTCDay() + 7) % 7);
  if (ordinal === -1) return earliest + 7 * Math.floor((zones.daysInMonth(year, month) - earliest) / 7);
  // A fifth one may lie behind the end of the month: then it is no date.
  return earliest + 7 * (ordinal - 1);
}
