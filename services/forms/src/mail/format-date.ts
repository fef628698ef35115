/** Dates as `[_format_field "D, d M y"]` asks for them: the letters that site settings use for dates, too. */

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?$/;
const TIME = /^(\d\d):(\d\d)(?::(\d\d))?$/;

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

const two = (number: number): string => String(number).padStart(2, '0');
const twelve = (hour: number): number => hour % 12 || 12;

const LETTERS: Readonly<Record<string, (at: Date) => string>> = {
  d: (at) => two(at.getUTCDate()),
  j: (at) => String(at.getUTCDate()),
  D: (at) => (WEEKDAYS[at.getUTCDay()] as string).slice(0, 3),
  l: (at) => WEEKDAYS[at.getUTCDay()] as string,
  N: (at) => String(at.getUTCDay() || 7),
  m: (at) => two(at.getUTCMonth() + 1),
  n: (at) => String(at.getUTCMonth() + 1),
  M: (at) => (MONTHS[at.getUTCMonth()] as string).slice(0, 3),
  F: (at) => MONTHS[at.getUTCMonth()] as string,
  Y: (at) => String(at.getUTCFullYear()),
  y: (at) => two(at.getUTCFullYear() % 100),
  a: (at) => (at.getUTCHours() < 12 ? 'am' : 'pm'),
  A: (at) => (at.getUTCHours() < 12 ? 'AM' : 'PM'),
  g: (at) => String(twelve(at.getUTCHours())),
  h: (at) => two(twelve(at.getUTCHours())),
  G: (at) => String(at.getUTCHours()),
  H: (at) => two(at.getUTCHours()),
  i: (at) => two(at.getUTCMinutes()),
  s: (at) => two(at.getUTCSeconds()),
};

/** A text that is no date stays as it is. */
export function formatDate(text: string, format: string): string {
  const at = read(text.trim());
  if (!at) return text;
  return format.replace(/\\(.)|([A-Za-z])/g, (written, plain?: string, letter?: string) =>
    plain === undefined ? (LETTERS[letter as string]?.(at) ?? written) : plain,
  );
}

function read(text: string): Date | undefined {
  const date = DATE.exec(text);
  const time = date ? undefined : TIME.exec(text);
  if (!date && !time) return undefined;
  const [year, month, day] = date ? [+date[1]!, +date[2]!, +date[3]!] : [1970, 1, 1];
  const [hour, minute, second] = (date ? date.slice(4) : time!.slice(1)).map((part) => +(part ?? 0));
  const at = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day && at.getUTCHours() === hour
    ? at
    : undefined;
}
