/**
 * What of a new value is stored. Values are cleaned, not refused: one that cannot be what it should be is as if it had
 * not been sent, and the setting stays as it was.
 */
import { isZone, zoneOffsetHours } from '@sevenfold/text/dates';
import { decodeEntities } from '@sevenfold/text/html';
import { cleanText, stripControl } from '@sevenfold/text/text';
import type { SettingName } from './schema';
import { type SiteSettings, defaultSettings } from './values';

/** Clients see it escaped and send it back so. */
const unescaped = (text: string): string => stripControl(decodeEntities(text)).replace(/\s+/g, ' ').trim();

type Cleaner<T> = (value: T) => T | undefined;

const cleaners: { readonly [N in SettingName]?: Cleaner<NonNullable<SiteSettings[N]>> } = {
  title: unescaped,
  description: unescaped,
  // Configuration decides it.
  url: () => undefined,
  timezone: (zone) => (isSettable(zone) ? zone : undefined),
  date_format: cleanText,
  time_format: cleanText,
  language: (code) => (code === '' ? defaultSettings.language : isLocale(code) ? code : undefined),
  default_post_format: cleanText,
  posts_per_page: (count) => Math.min(Math.abs(count) || 1, 2 ** 31 - 1),
};

/** Undefined when the setting is to stay as it is. */
export function cleanSetting(name: SettingName, value: unknown): unknown {
  const clean = cleaners[name] as Cleaner<unknown> | undefined;
  return clean ? clean(value) : value;
}

/** A name, or UTC with an offset in quarters of an hour: no clock anywhere is set otherwise. */
const isSettable = (zone: string): boolean =>
  isZone(zone) && /^[a-z]/i.test(zone) && Number.isInteger(zoneOffsetHours(zone, new Date()) * 4);

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** `de`, `de_AT`, `de_DE_formal`: a known language, a known region, and a variant of our users' choice. */
function isLocale(code: string): boolean {
  const match = /^([a-z]{2,3})(?:_([A-Z]{2}))?(?:_[a-z]{1,20})?$/.exec(code);
  if (!match) return false;
  const [, language, region] = match;
  return (
    languages.of(language as string) !== undefined &&
    (region === undefined || regions.of(region) !== undefined)
  );
}
