/*
 * Dates as they cross the API: clock time of a zone on one side, instants on the other. Strict readers and
 * writers are here; the lenient reader of the calendar routes is parseFreeDate.
 * Zone names must have passed isZone: an unknown one is a RangeError.
 */

import {
  type DateTime,
  clockOf,
  clockTime,
  dateTimeOf,
  findZone,
  formatClock,
  getZone,
  instantOf,
  offsetZone,
} from './zones';

export { parseFreeDate } from './free-date';
export type { DateTime };

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?:([Zz])|([+-])(\d\d)(?::?(\d\d))?)?$/;

/**
 * Reads ISO 8601 / RFC 3339 text that has both date and time; undefined for anything else and for dates that
 * do not exist. Without an offset it is clock time in `zone`. Fractions of a second are dropped. At changes
 * of the clock: see instantOf.
 */
export function parseDateTime(text: string, zone: string): DateTime | undefined {
  const match = DATE_TIME.exec(text.trim());
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = '0', utc, sign, offsetHours, offsetMinutes = '0'] = match;
  const clock = clockTime(+year!, +month!, +day!, +hour!, +minute!, +second);
  if (clock === undefined) return undefined;
  const target = getZone(zone);
  let source = target;
  if (utc) {
    source = offsetZone(0);
  } else if (sign) {
    if (+offsetHours! > 23 || +offsetMinutes > 59) return undefined;
    source = offsetZone((sign === '-' ? -1 : 1) * (+offsetHours! * 60 + +offsetMinutes) * 60_000);
  }
  return dateTimeOf(instantOf(clock, source), target);
}

const DAY = 86_400_000;

/** The second of the two moments at which a clock that is set back shows `local`; undefined where it shows it once. */
export function secondPass(local: string, zone: string): Date | undefined {
  const first = parseDateTime(local, zone)?.utc.getTime();
  if (first === undefined) return undefined;
  const target = getZone(zone);
  const second = first + target.offsetAt(first) - target.offsetAt(first + DAY);
  return second > first && clockOf(second, target) === clockOf(first, target) ? new Date(second) : undefined;
}

/**
 * The moment alone, which may be one that clocks of the zone cannot show: the last second of the year 9999, west of them. What
 * is compared with it has whole seconds, so a part of one stays a part of it.
 */
export function readMoment(text: string, zone: string): Date | undefined {
  const second = (parseDateTime(text, zone) ?? parseDateTime(text, 'UTC'))?.utc;
  const part = Math.ceil(Number(/\.\d+/.exec(text)?.[0] ?? 0) * 1_000);
  return second && new Date(second.getTime() + Math.min(part, 999));
}

/** `YYYY-MM-DD HH:MM:SS` as a clock in the zone shows it. Throws RangeError for an invalid Date. */
export function toLocal(utc: Date, zone: string): string {
  return formatClock(clockOf(utc.getTime(), getZone(zone)));
}

/** `YYYY-MM-DD HH:MM:SS[.fff]`, as PostgreSQL writes it, as `YYYY-MM-DDTHH:MM:SS`. */
export function isoLocal(sqlTimestamp: string): string {
  return `${sqlTimestamp.slice(0, 10)}T${sqlTimestamp.slice(11, 19)}`;
}

/** Whether it is a distance from UTC, always the same, rather than a place whose clocks may change. */
export const isOffset = (zone: string): boolean => !getZone(zone).isNamed;

/** Hours to add to UTC, in quarter hours as a rule: -4, 5.5. */
export function zoneOffsetHours(zone: string, at: Date): number {
  return getZone(zone).offsetAt(at.getTime()) / 3_600_000;
}

/** IANA names, `UTC`, `UTC+5`, `UTC-3.5`, `UTC+5:30`, `+05:30`. */
export function isZone(name: string): boolean {
  return findZone(name) !== undefined;
}

// Intl gives an abbreviation only to readers of whose country it is; these cover most that are in use.
const ABBREVIATION_LOCALES = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-ZA', 'ja-JP'];

const OTHER_ABBREVIATIONS: Record<string, Record<number, string>> = {
  'Asia/Seoul': { 9: 'KST' },
  'Asia/Shanghai': { 8: 'CST' },
  'Asia/Hong_Kong': { 8: 'HKT' },
  'Asia/Jakarta': { 7: 'WIB' },
  'Asia/Karachi': { 5: 'PKT' },
  'Asia/Jerusalem': { 2: 'IST', 3: 'IDT' },
  'Asia/Manila': { 8: 'PST' },
  'Europe/Moscow': { 3: 'MSK' },
};

const abbreviations = new Map<string, string>();

/** `EDT`, `CEST`; `+04` where the zone has no abbreviation; zones that are an offset give their name. */
export function zoneAbbreviation(zone: string, at: Date): string {
  if (!getZone(zone).isNamed) return zone;
  const hours = zoneOffsetHours(zone, at);
  const key = `${zone} ${hours}`;
  let found = abbreviations.get(key);
  if (found === undefined) {
    found = OTHER_ABBREVIATIONS[zone]?.[hours] ?? intlAbbreviation(zone, at) ?? numericAbbreviation(hours);
    if (abbreviations.size >= 2000) abbreviations.clear();
    abbreviations.set(key, found);
  }
  return found;
}

function intlAbbreviation(zone: string, at: Date): string | undefined {
  for (const locale of ABBREVIATION_LOCALES) {
    const parts = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' }).formatToParts(
      at,
    );
    const name = parts.find((part) => part.type === 'timeZoneName')?.value;
    if (name && /^[A-Z]{2,5}$/.test(name)) return name;
  }
  return undefined;
}

function numericAbbreviation(hours: number): string {
  const minutes = Math.round(Math.abs(hours) * 60);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${hours < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}${minutes % 60 ? pad(minutes % 60) : ''}`;
}
