/** Dates of items as people and machines read them. What is no date gives '' and never an error. */
import { isZone, toLocal, zoneOffsetHours } from '@sevenfold/text/dates';

const MOST_FORMATS = 100;
const formats = new Map<string, Intl.DateTimeFormat>();

/** `22 November 2026`, `22. November 2026`: as the language writes a day, in the time zone. */
export function dayInWords(utc: string, language: string, zone: string): string {
  const clock = clockOf(utc, zone);
  return clock ? formatOf(language).format(Date.parse(`${clock.slice(0, 10)}T00:00:00Z`)) : '';
}

/** `2026-11-22T20:00:00+01:00` */
export function localIso(utc: string, zone: string): string {
  const clock = clockOf(utc, zone);
  if (!clock) return '';
  const minutes = Math.round(zoneOffsetHours(zoneOr(zone), new Date(utc)) * 60);
  const absolute = Math.abs(minutes);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${clock.replace(' ', 'T')}${minutes < 0 ? '-' : '+'}${two(absolute / 60)}:${two(absolute % 60)}`;
}

/** `2026-11-22` */
export const localDay = (utc: string, zone: string): string => clockOf(utc, zone)?.slice(0, 10) ?? '';

/** `2026-11-22T19:00:00Z` */
export const isoUtc = (utc: string): string =>
  Number.isNaN(Date.parse(utc)) ? '' : new Date(utc).toISOString().replace('.000Z', 'Z');

const clockOf = (utc: string, zone: string): string | undefined =>
  Number.isNaN(Date.parse(utc)) ? undefined : toLocal(new Date(utc), zoneOr(zone));

const zoneOr = (zone: string): string => (isZone(zone) ? zone : 'UTC');

function formatOf(language: string): Intl.DateTimeFormat {
  const known = formats.get(language);
  if (known) return known;
  const format = new Intl.DateTimeFormat(isLanguage(language) ? language : 'en', {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(language, format);
  return format;
}

export function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
