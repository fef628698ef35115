/** Dates of HTTP headers (RFC 9110, 5.6.7). `Date.parse` alone takes years, numbers and times of unknown zones for dates, too. */

const FORMS = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>[\d:]{8}) GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>[\d:]{8}) GMT$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>[\d:]{8}) (?<year>\d{4})$/,
];

/** In milliseconds since 1970; NaN for what is none of the three forms, or no day of the calendar. */
export function parseHttpDate(text = ''): number {
  for (const form of FORMS) {
    const { day, month, year, time } = form.exec(text)?.groups ?? {};
    if (day === undefined || year === undefined) continue;
    const rest = `${day.replace(' ', '0')} ${month} ${year.length === 2 ? wholeYear(year) : year} ${time} GMT`;
    const found = new Date(rest);
    // What is written in another way again was no date: the 30th of February, the 25th hour.
    return !Number.isNaN(found.getTime()) && found.toUTCString().endsWith(rest) ? found.getTime() : NaN;
  }
  return NaN;
}

/** Of two digits: not more than fifty years ahead. */
function wholeYear(digits: string): number {
  const now = new Date().getUTCFullYear();
  const year = now - (now % 100) + Number(digits);
  return year > now + 50 ? year - 100 : year;
}
