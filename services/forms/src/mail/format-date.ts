/** Dates as `[_format_field "D, d M y"]` asks for them: the letters that site settings use for dates (those of PHP), in English. */
import { parseDateTime, toLocal, zoneAbbreviation, zoneOffsetHours } from '@sevenfold/text/dates';

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?$/;
const TIME = /^\d\d:\d\d(?::\d\d)?$/;

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const DAY_MS = 86_400_000;

interface Moment {
  /** What the clock of the zone shows, as if it were UTC. */
  readonly clock: Date;
  readonly utc: Date;
  readonly zone: string;
}

const padded = (number: number, digits: number): string => String(number).padStart(digits, '0');
const two = (number: number): string => padded(number, 2);
const twelve = (hour: number): number => hour % 12 || 12;

const weekday = (day: Date): string => WEEKDAYS[day.getUTCDay()] as string;
const month = (day: Date): string => MONTHS[day.getUTCMonth()] as string;
/** Monday is 1. */
const numberInWeek = (day: Date): number => day.getUTCDay() || 7;
const dayOfYear = (day: Date): number =>
  Math.floor((day.getTime() - new Date(day).setUTCMonth(0, 1)) / DAY_MS);
const daysInMonth = (day: Date): number =>
  new Date(new Date(day).setUTCMonth(day.getUTCMonth() + 1, 0)).getUTCDate();
const isLeapYear = (day: Date): boolean => new Date(new Date(day).setUTCMonth(2, 0)).getUTCDate() === 29;
/** Whose year and number are those of the week (ISO 8601). */
const thursday = (day: Date): Date => new Date(day.getTime() + (4 - numberInWeek(day)) * DAY_MS);

function ordinalSuffix(number: number): string {
  if (number > 10 && number < 14) return 'th';
  return ['th', 'st', 'nd', 'rd'][number % 10] ?? 'th';
}

const offsetSeconds = ({ zone, utc }: Pick<Moment, 'zone' | 'utc'>): number =>
  Math.round(zoneOffsetHours(zone, utc) * 3_600);

function offset(at: Moment, colon: '' | ':'): string {
  const seconds = offsetSeconds(at);
  const minutes = Math.floor(Math.abs(seconds) / 60);
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${colon}${two(minutes % 60)}`;
}

/** Whether the clock is ahead of what it shows in the other half of the year. */
function isSummerTime({ zone, utc }: Moment): boolean {
  const at = (inMonth: number): number =>
    offsetSeconds({ zone, utc: new Date(new Date(utc).setUTCMonth(inMonth, 1)) });
  return offsetSeconds({ zone, utc }) > Math.min(at(0), at(6));
}

/** Thousandths of a day, on a clock that is an hour ahead of UTC all year. */
const beats = ({ utc }: Moment): number =>
  Math.floor(((((utc.getTime() + 3_600_000) % DAY_MS) + DAY_MS) % DAY_MS) / 86_400);

const LETTERS: Readonly<Record<string, (at: Moment) => string>> = {
  d: ({ clock }) => two(clock.getUTCDate()),
  j: ({ clock }) => String(clock.getUTCDate()),
  S: ({ clock }) => ordinalSuffix(clock.getUTCDate()),
  D: ({ clock }) => weekday(clock).slice(0, 3),
  l: ({ clock }) => weekday(clock),
  N: ({ clock }) => String(numberInWeek(clock)),
  w: ({ clock }) => String(clock.getUTCDay()),
  z: ({ clock }) => String(dayOfYear(clock)),
  W: ({ clock }) => two(Math.floor(dayOfYear(thursday(clock)) / 7) + 1),
  m: ({ clock }) => two(clock.getUTCMonth() + 1),
  n: ({ clock }) => String(clock.getUTCMonth() + 1),
  M: ({ clock }) => month(clock).slice(0, 3),
  F: ({ clock }) => month(clock),
  t: ({ clock }) => String(daysInMonth(clock)),
  L: ({ clock }) => (isLeapYear(clock) ? '1' : '0'),
  o: ({ clock }) => padded(thursday(clock).getUTCFullYear(), 4),
  Y: ({ clock }) => padded(clock.getUTCFullYear(), 4),
  X: ({ clock }) => `+${padded(clock.getUTCFullYear(), 4)}`,
  x: ({ clock }) => padded(clock.getUTCFullYear(), 4),
  y: ({ clock }) => two(clock.getUTCFullYear() % 100),
  a: ({ clock }) => (clock.getUTCHours() < 12 ? 'am' : 'pm'),
  A: ({ clock }) => (clock.getUTCHours() < 12 ? 'AM' : 'PM'),
  B: (at) => padded(beats(at), 3),
  g: ({ clock }) => String(twelve(clock.getUTCHours())),
  h: ({ clock }) => two(twelve(clock.getUTCHours())),
  G: ({ clock }) => String(clock.getUTCHours()),
  H: ({ clock }) => two(clock.getUTCHours()),
  i: ({ clock }) => two(clock.getUTCMinutes()),
  s: ({ clock }) => two(clock.getUTCSeconds()),
  v: ({ utc }) => padded(utc.getUTCMilliseconds(), 3),
  u: ({ utc }) => padded(utc.getUTCMilliseconds() * 1_000, 6),
  e: ({ zone }) => zone,
  T: ({ zone, utc }) => zoneAbbreviation(zone, utc),
  I: (at) => (isSummerTime(at) ? '1' : '0'),
  O: (at) => offset(at, ''),
  P: (at) => offset(at, ':'),
  p: (at) => (offsetSeconds(at) === 0 ? 'Z' : offset(at, ':')),
  Z: (at) => String(offsetSeconds(at)),
  U: ({ utc }) => String(Math.floor(utc.getTime() / 1_000)),
  c: (at) => written(at, 'Y-m-d\\TH:i:sP'),
  r: (at) => written(at, 'D, d M Y H:i:s O'),
};

const written = (at: Moment, format: string): string =>
  format.replace(/\\(.)|([A-Za-z])/g, (found, plain?: string, letter?: string) =>
    plain === undefined ? (LETTERS[letter as string]?.(at) ?? found) : plain,
  );

/** By the clock of the zone. */
export const formatDate = (utc: Date, format: string, zone: string): string =>
  written({ clock: asUtc(toLocal(utc, zone)), utc, zone }, format);

/** A text that somebody sent, by the clock of the zone. One that is no date stays as it is. */
export function formatText(text: string, format: string, zone: string): string {
  const [, date, time = '00:00'] = DATE.exec(text.trim()) ?? [];
  const whole = date === undefined ? `1970-01-01 ${text.trim()}` : `${date} ${time}`;
  if (date === undefined && !TIME.test(text.trim())) return text;
  const clock = parseDateTime(whole, 'UTC')?.utc;
  return clock ? written({ clock, utc: parseDateTime(whole, zone)?.utc ?? clock, zone }, format) : text;
}

const asUtc = (clock: string): Date => new Date(`${clock.replace(' ', 'T')}Z`);
