/** Moments as people read them: by a clock of a zone, in the language of the site. */
import { isZone, toLocal, zoneAbbreviation } from '@sevenfold/text/dates';
import { escapeAttribute, escapeHtml } from '@sevenfold/text/html';

const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 50;

/** The clock is read by toLocal, which knows zones that are an offset, too; what is formatted is that clock. */
function formatOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${Object.keys(options).join()}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
    if (formats.size < MOST_FORMATS) formats.set(key, format);
  }
  return format;
}

const clockOf = (utc: Date, zone: string): Date => new Date(`${toLocal(utc, zone).replace(' ', 'T')}Z`);

const instantOf = (utc: string): Date | undefined => {
  const date = new Date(/Z$/.test(utc) ? utc : `${utc}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

const element = (at: Date, text: string): string =>
  `<time datetime="${escapeAttribute(at.toISOString())}">${escapeHtml(text)}</time>`;

/** HTML of a day; empty where there is none. */
export function dayHtml(utc: string, zone: string, language: string): string {
  const at = instantOf(utc);
  return at ? element(at, formatOf(language, { dateStyle: 'long' }).format(clockOf(at, zone))) : '';
}

/**
 * HTML of a span by its own clock, with the zone: that of each end where they are not the same, as when the clocks change in between.
 * The second day is left out where it is the first.
 */
export function spanHtml(
  {
    startUtc,
    endUtc,
    timezone,
    allDay,
  }: { startUtc: string; endUtc: string; timezone: string; allDay: boolean },
  language: string,
): string {
  const [start, end] = [instantOf(startUtc), instantOf(endUtc)];
  if (!start || !end) return '';
  const zone = isZone(timezone) ? timezone : 'UTC';
  const day = formatOf(language, { dateStyle: 'long' });
  const time = formatOf(language, { timeStyle: 'short' });
  const [from, to] = [clockOf(start, zone), clockOf(end, zone)];
  const isOneDay = day.format(from) === day.format(to);
  if (allDay)
    return isOneDay
      ? element(start, day.format(from))
      : `${element(start, day.format(from))} – ${element(end, day.format(to))}`;
  const first = element(start, `${day.format(from)}, ${time.format(from)}`);
  const last = element(end, isOneDay ? time.format(to) : `${day.format(to)}, ${time.format(to)}`);
  const named = escapeHtml(zoneAbbreviation(zone, start));
  const atEnd = escapeHtml(zoneAbbreviation(zone, end));
  if (start.getTime() === end.getTime()) return `${first} ${named}`;
  return named === atEnd ? `${first} – ${last} ${named}` : `${first} ${named} – ${last} ${atEnd}`;
}
