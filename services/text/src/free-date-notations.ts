/*
 * How people write dates: notations, each with what it says, tried in order. free-date.ts makes a moment of what was read.
 */
import * as zones from './zones';

/** What has been read so far. */
export interface Reading {
  year?: number;
  month?: number;
  day?: number;
  /** Seconds since midnight. */
  time?: number;
  /** The text names a day, so the time of day is midnight unless it is given. */
  isDay: boolean;
  zone?: zones.Zone;
  months: number;
  days: number;
  seconds: number;
  /** `next week`: together with a weekday it means that day of the calendar week. */
  inWeek: boolean;
  hadTime: boolean;
  weekday?: { day: number; direction: -1 | 0 | 1 };
  /** `first day of`, `last day of`; with a weekday `second monday of`. */
  edge?: { ordinal: number; weekday?: number };
}

/** Takes what a notation matched into the reading; false if it contradicts what is there. */
type Take = (match: string[], reading: Reading) => boolean;

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const WEEKDAYS = 'sun mon tue wed thu fri sat'.split(' ');
const ORDINALS = 'first second third fourth fifth'.split(' ');
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

// Named offsets in hours. Only such as mean one thing: of the many readings of CST and IST the mail one counts.
// prettier-ignore
const ZONE_WORDS: Record<string, number> = {
  z: 0, utc: 0, gmt: 0, wet: 0, west: 1, bst: 1, cet: 1, cest: 2, eet: 2, eest: 3, msk: 3, jst: 9, kst: 9,
  est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7, akst: -9, akdt: -8, hst: -10,
  aest: 10, aedt: 11, nzst: 12, nzdt: 13,
};

const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?';
const WEEKDAY =
  '(sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?)\\b';
const UNIT = '(sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|weekdays?|weeks?|fortnights?|months?|years?)\\b';
const NOTHING_MORE = '(?![\\d:./-])';

export const HOUR = 3600;
export const DAY = 24 * HOUR;

// Order matters: of two notations that fit, the longer one stands first.
export const NOTATIONS: [RegExp, Take][] = [
  [/[\s,@]+/y, () => true],
  [/(?:at|on|the|of|in|and)\b/y, () => true],
  notation('(\\d{4})-(\\d{1,2})-(\\d{1,2})(?:t(?=\\d)|(?![\\d-]))', ([, y, m, d], r) =>
    setDate(r, +y!, +m!, +d!),
  ),
  notation(`(\\d{4})/(\\d{1,2})/(\\d{1,2})${NOTHING_MORE}`, ([, y, m, d], r) => setDate(r, +y!, +m!, +d!)),
  notation(`(\\d{1,2})/(\\d{1,2})/(\\d{4})${NOTHING_MORE}`, ([, m, d, y], r) => setDate(r, +y!, +m!, +d!)),
  notation(`(\\d{1,2})[.-](\\d{1,2})[.-](\\d{4})${NOTHING_MORE}`, ([, d, m, y], r) =>
    setDate(r, +y!, +m!, +d!),
  ),
  notation('(\\d{4})(\\d\\d)(\\d\\d)(?![\\d:.])', ([, y, m, d], r) => setDate(r, +y!, +m!, +d!)),
  notation(
    `(\\d{1,2})(?:st|nd|rd|th)?[\\s-]*(?:of\\s+)?${MONTH}(?:[\\s,-]*(\\d{4})(?![\\d:]))?`,
    ([, d, m, y], r) => setDate(r, optional(y), monthNumber(m!), +d!),
  ),
  notation(
    `${MONTH}[\\s-]*(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:]|\\s*[ap]\\.?m\\b)(?:[\\s,-]+(\\d{4})(?![\\d:]))?`,
    ([, m, d, y], r) => setDate(r, optional(y), monthNumber(m!), +d!),
  ),
  notation(`${MONTH}(?:[\\s,]*(\\d{4})(?![\\d:]))?`, ([, m, y], r) =>
    setDate(r, optional(y), monthNumber(m!), 1),
  ),
  notation(
    '(\\d{1,2})(?::(\\d\\d))?(?::(\\d\\d)(?:[.,]\\d{1,9})?)?\\s*([ap])\\.?m\\b\\.?',
    ([, h, m, s, half], r) => +h! >= 1 && +h! <= 12 && setTime(r, (+h! % 12) + (half === 'p' ? 12 : 0), m, s),
  ),
  notation('(\\d{1,2}):(\\d\\d)(?::(\\d\\d)(?:[.,]\\d{1,9})?)?(?![\\d:])', ([, h, m, s], r) =>
    setTime(r, +h!, m, s),
  ),
  notation('t(\\d\\d)(\\d\\d)(\\d\\d)?(?!\\d)', ([, h, m, s], r) => setTime(r, +h!, m, s)),
  notation(
    `([+-]?)\\s*(\\d{1,6}|an?\\b|${NUMBERS.join('|')})\\s*${UNIT}(\\s*ago\\b)?`,
    ([, sign, count, unit, ago], r) => {
      if (!shift(r, (sign === '-' ? -1 : 1) * countOf(count!), unit!)) return false;
      if (ago) {
        // Turns all of `2 days 3 hours ago`.
        r.months = -r.months;
        r.days = -r.days;
        r.seconds = -r.seconds;
      }
      return true;
    },
  ),
  notation(
    '(?:utc|gmt)?\\s*([+-])(\\d{1,2})(?::?([0-5]\\d))?(?![\\d:.])',
    ([, sign, h, m = '0'], r) =>
      +h! <= 23 && setZone(r, zones.offsetZone((sign === '-' ? -1000 : 1000) * (+h! * HOUR + +m * 60))),
  ),
  notation('now\\b', (_, r) => (r.hadTime = true)),
  notation('(?:today|midnight)\\b', ([word], r) => (word === 'midnight' ? setTime(r, 0) : dayOnly(r, 0))),
  notation('noon\\b', (_, r) => setTime(r, 12)),
  notation('tomorrow\\b', (_, r) => dayOnly(r, 1)),
  notation('yesterday\\b', (_, r) => dayOnly(r, -1)),
  notation(`(first|last)\\s+day\\s+of\\b(?:\\s+(?:the\\s+)?month\\b)?`, ([, which], r) =>
    setEdge(r, { ordinal: which === 'last' ? -1 : 1 }),
  ),
  notation(`(${ORDINALS.join('|')}|last)\\s+${WEEKDAY}\\s+of\\b`, ([, which, weekday], r) => {
    r.isDay = true;
    const ordinal = which === 'last' ? -1 : ORDINALS.indexOf(which!) + 1;
    return setEdge(r, { ordinal, weekday: weekdayNumber(weekday!) });
  }),
  notation(`(?:(next|last|previous|this)\\s+)?${WEEKDAY}`, ([, which, weekday], r) => {
    if (r.weekday) return false;
    const direction = which === 'next' ? 1 : which === 'last' || which === 'previous' ? -1 : 0;
    r.weekday = { day: weekdayNumber(weekday!), direction };
    r.isDay = true;
    return true;
  }),
  notation(`(next|last|previous|this)\\s+${UNIT}`, ([, which, unit], r) => {
    if (/^weeks?$/.test(unit!)) r.inWeek = true;
    return shift(r, which === 'next' ? 1 : which === 'this' ? 0 : -1, unit!);
  }),
  notation('[a-z][a-z_]+/[a-z][a-z_/+-]*(?:\\d{1,2})?', ([name], r) => setZone(r, zones.findZone(name!))),
  notation('[a-z]{1,4}\\b', ([word], r) => {
    const hours = ZONE_WORDS[word!];
    return hours !== undefined && setZone(r, zones.offsetZone(hours * HOUR * 1000));
  }),
];

function setDate(reading: Reading, year: number | undefined, month: number, day: number): boolean {
  if (reading.month !== undefined) return false;
  reading.isDay = true;
  reading.year = year;
  reading.month = month;
  reading.day = day;
  return true;
}

function setTime(reading: Reading, hour: number, minute = '0', second = '0'): boolean {
  if (reading.time !== undefined || hour > 23 || +minute > 59 || +second > 59) return false;
  reading.time = hour * HOUR + +minute * 60 + +second;
  reading.hadTime = true;
  return true;
}

function dayOnly(reading: Reading, days: number): boolean {
  reading.isDay = true;
  reading.days += days;
  return true;
}

function setZone(reading: Reading, found: zones.Zone | undefined): boolean {
  if (reading.zone || !found) return false;
  reading.zone = found;
  return true;
}

function setEdge(reading: Reading, found: NonNullable<Reading['edge']>): boolean {
  if (reading.edge) return false;
  reading.edge = found;
  return true;
}

function shift(reading: Reading, count: number, unit: string): boolean {
  const seconds = unit.startsWith('sec')
    ? 1
    : unit.startsWith('min')
      ? 60
      : unit.startsWith('hour')
        ? HOUR
        : 0;
  if (seconds) {
    reading.seconds += count * seconds;
    reading.hadTime = true;
  } else if (unit.startsWith('year')) reading.months += 12 * count;
  else if (unit.startsWith('month')) reading.months += count;
  else if (unit.startsWith('fortnight')) reading.days += 14 * count;
  else if (unit.startsWith('weekday')) return false;
  else reading.days += (unit.startsWith('week') ? 7 : 1) * count;
  return true;
}

function countOf(word: string): number {
  if (/^\d/.test(word)) return Number(word);
  return word.startsWith('a') ? 1 : NUMBERS.indexOf(word);
}

function monthNumber(word: string): number {
  return MONTHS.indexOf(word.slice(0, 3)) + 1;
}

function weekdayNumber(word: string): number {
  return WEEKDAYS.indexOf(word.slice(0, 3));
}

function optional(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}

function notation(pattern: string, take: Take): [RegExp, Take] {
  return [new RegExp(pattern, 'y'), take];
}
