/** Dates of date fields: days of the calendar, written `YYYY-MM-DD`, and bounds that count from today. */

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const FROM_TODAY = /^today(?:([+-]\d{1,4})(day|week|month|year)s?)?$/i;

/** Whether the text is a day that exists. */
export function isDay(text: string): boolean {
  const match = DAY.exec(text);
  if (!match) return false;
  const [, year, month, day] = match;
  return Number(month) >= 1 && Number(day) >= 1 && toText(utc(+year!, +month! - 1, +day!)) === text;
}

export function isDateBound(text: string): boolean {
  return isDay(text) || FROM_TODAY.test(text);
}

/** The day a bound means on the day `today`; undefined where it is none. Months end with their last day. */
export function dayOf(bound: string, today: string): string | undefined {
  if (isDay(bound)) return bound;
  const match = FROM_TODAY.exec(bound);
  if (!match || !isDay(today)) return undefined;
  const [year, month, day] = today.split('-').map(Number) as [number, number, number];
  const count = Number(match[1] ?? 0);
  switch (match[2]?.toLowerCase()) {
    case 'week':
      return toText(utc(year, month - 1, day + 7 * count));
    case 'month':
      return inMonth(year, month - 1 + count, day);
    case 'year':
      return inMonth(year + count, month - 1, day);
    default:
      return toText(utc(year, month - 1, day + count));
  }
}

/** Days since 1970 of a day that exists. */
export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 86_400_000;
}

function inMonth(year: number, month: number, day: number): string {
  const last = utc(year, month + 1, 0).getUTCDate();
  return toText(utc(year, month, Math.min(day, last)));
}

/** Date.UTC takes years below 100 for those of the last century. */
function utc(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date;
}

function toText(date: Date): string {
  // Years of more or fewer than four digits are written with a sign, which no comparison of texts understands.
  if (date.getUTCFullYear() > 9999) return '9999-12-31';
  return date.getUTCFullYear() < 0 ? '0000-01-01' : date.toISOString().slice(0, 10);
}
