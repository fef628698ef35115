/*
 * Time zones: which names there are, their offset at an instant, and the way between clock time and instants.
 * Intl knows the rules but answers in microseconds; since lists format hundreds of dates, each zone remembers
 * the days it was asked about.
 */

export interface Zone {
  isNamed: boolean;
  /** Milliseconds to add to UTC to get clock time. */
  offsetAt(utc: number): number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

// Before this all zones kept their own mean time; also keeps Intl away from years it writes ambiguously.
const EARLIEST_RULE = Date.UTC(1800, 0, 1);

// Bounds on memory, since names and dates come from callers.
const MAX_ZONES = 1000;
const MAX_DAYS = 1000;

const OFFSET_NAME = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?([0-5]\d)|\.(\d{1,2}))?$/i;

const zones = new Map<string, Zone>();

/** The zone of an IANA name, `UTC`, `UTC+5`, `UTC-3.5`, `UTC+5:30` or `+05:30`; undefined for anything else. */
export function findZone(name: string): Zone | undefined {
  // Intl takes names in any mixture of cases.
  const key = name.toLowerCase();
  const known = zones.get(key);
  if (known) return known;
  const zone = fixedZone(name) ?? namedZone(name);
  if (!zone) return undefined;
  if (zones.size >= MAX_ZONES) zones.clear();
  zones.set(key, zone);
  return zone;
}

/** Like findZone; throws RangeError for a name that isZone refuses. */
export function getZone(name: string): Zone {
  const zone = findZone(name);
  if (!zone) throw new RangeError(`Unknown time zone: ${name.slice(0, 64)}`);
  return zone;
}

/** A zone that is always `offset` milliseconds from UTC. */
export function offsetZone(offset: number): Zone {
  return { isNamed: false, offsetAt: () => offset };
}

/**
 * The instant at which a clock in the zone shows `clock` (milliseconds as if it were UTC). Where the clock is
 * set forward, a time it skips moves forward by the gap; where it is set back, the first of the two passes
 * counts (the offset before the change).
 */
export function instantOf(clock: number, zone: Zone): number {
  const before = zone.offsetAt(clock - DAY);
  if (zone.offsetAt(clock - before) === before) return clock - before;
  const after = zone.offsetAt(clock + DAY);
  if (zone.offsetAt(clock - after) === after) return clock - after;
  return clock - before;
}

/** Clock time in the zone, in milliseconds as if it were UTC. */
export function clockOf(utc: number, zone: Zone): number {
  return utc + zone.offsetAt(utc);
}

/** `YYYY-MM-DD HH:MM:SS`. Throws RangeError for NaN. */
export function formatClock(clock: number): string {
  const day = Math.floor(clock / DAY);
  const seconds = Math.floor((clock - day * DAY) / 1000);
  const hour = Math.floor(seconds / 3600);
  const minute = Math.floor(seconds / 60) % 60;
  return `${formatDay(day)} ${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[seconds % 60]}`;
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

const dayTexts = new Map<number, string>();

// Several times faster than Date's own writing, and lists repeat their days.
function formatDay(day: number): string {
  let text = dayTexts.get(day);
  if (text === undefined) {
    text = new Date(day * DAY).toISOString().slice(0, 10);
    if (dayTexts.size >= MAX_DAYS) dayTexts.clear();
    dayTexts.set(day, text);
  }
  return text;
}

/** Milliseconds as if UTC; undefined for a date or time that does not exist. `month` counts from 1. */
export function clockTime(
  year: number,
  month: number,
  day: number,
  hour = 0,
  minute = 0,
  second = 0,
): number | undefined {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    return undefined;
  }
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  // Date.UTC takes years below 100 for the last century.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() + hour * HOUR + minute * MINUTE + second * 1000;
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Whether both readings fall in the years that the API can write. */
export function isWritable(clock: number, utc: number): boolean {
  return clock >= FIRST && clock <= LAST && utc >= FIRST && utc <= LAST;
}

export interface DateTime {
  /** Clock time in the zone asked for, `YYYY-MM-DD HH:MM:SS`. */
  local: string;
  utc: Date;
}

/** The instant as a clock in the zone shows it; undefined where either cannot be written. */
export function dateTimeOf(instant: number, zone: Zone): DateTime | undefined {
  const clock = clockOf(instant, zone);
  return isWritable(clock, instant) ? { local: formatClock(clock), utc: new Date(instant) } : undefined;
}

const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59Z');

/** Milliseconds of `±hh`, `±hh:mm`, `±hhmm` or `±h.5`, with or without `UTC`; undefined if it is none. */
function parseOffset(text: string): number | undefined {
  const match = OFFSET_NAME.exec(text);
  if (!match) return undefined;
  const [, sign, hours, minutes = '0', fraction = '0'] = match;
  const size =
    Number(hours) * HOUR + Number(minutes) * MINUTE + Math.round(Number(`0.${fraction}`) * 60) * MINUTE;
  // No place on earth is further from UTC.
  if (size > 14 * HOUR) return undefined;
  return sign === '-' ? -size : size;
}

function fixedZone(name: string): Zone | undefined {
  if (/^UTC$/i.test(name)) return offsetZone(0);
  const offset = parseOffset(name);
  return offset === undefined ? undefined : offsetZone(offset);
}

interface Day {
  offset: number;
  /** The instant within the day from which `later` counts; Infinity on all but a few days. */
  changesAt: number;
  later: number;
}

function namedZone(name: string): Zone | undefined {
  const measure = offsetMeter(name);
  if (!measure) return undefined;
  const days = new Map<number, Day>();

  function describe(day: number): Day {
    let unchanged = day * DAY;
    const offset = measure!(unchanged);
    const later = measure!(unchanged + DAY);
    if (offset === later) return { offset, changesAt: Infinity, later };
    let changed = unchanged + DAY;
    while (changed - unchanged > 1000) {
      const middle = Math.floor((unchanged + changed) / 2000) * 1000;
      if (measure!(middle) === offset) unchanged = middle;
      else changed = middle;
    }
    return { offset, changesAt: changed, later };
  }

  return {
    isNamed: true,
    offsetAt(utc) {
      const instant = Math.max(utc, EARLIEST_RULE);
      const key = Math.floor(instant / DAY);
      let day = days.get(key);
      if (!day) {
        if (days.size >= MAX_DAYS) days.clear();
        day = describe(key);
        days.set(key, day);
      }
      return instant < day.changesAt ? day.offset : day.later;
    },
  };
}

/** Measures a zone's offset at an instant through Intl; undefined for unknown names. */
function offsetMeter(name: string): ((utc: number) => number) | undefined {
  // Intl of some versions takes offsets as names; those are read above, by one rule for all versions.
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return undefined;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
  return (utc) => {
    const [month, day, year, hour, minute, second] = format.format(utc).match(/\d+/g)!.map(Number);
    return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(utc / 1000) * 1000;
  };
}
