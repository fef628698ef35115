/**
 * One event of a batch, as foreign senders write it (REFERENCE.md 10), read into columns. Pure. Without a title or a
 * date that can be read there is no event: the answer is the reason. Everything else that cannot be read is left out.
 */
import { ApiError } from '@sevenfold/chassis/errors';
import { isZone, parseFreeDate } from '@sevenfold/text/dates';
import type { Steps } from '@sevenfold/text/steps';
import { shorten } from '@sevenfold/text/text';
import { type Rendered, readTitle } from '@sevenfold/publishing/texts';
import { readingBody } from '../common/bodies';
import { readCost } from '../events/cost';
import { type LONGEST, plainFields } from '../events/fields';
import { settleWhen } from '../events/when';
import {
  MOST_SENT,
  type Raw,
  Refusal,
  asSent,
  flagOf,
  isRecord,
  lineOf,
  listOf,
  namesOf,
  plainOf,
  refuseRounded,
  sentIdOf,
  textOf,
  webAddressOf,
  websiteOf,
} from './fields';
import { type Linked, type TextStyle, parsingOrganizers, parsingVenue } from './parse-linked';

export interface ParseContext extends TextStyle {
  /** How much of its texts an event may have; all of them without it. */
  readonly longest?: typeof LONGEST;
  readonly origin: string;
  readonly siteZone: string;
  readonly now: Date;
}

export interface ParsedEvent {
  readonly uid: string;
  readonly globalId: string;
  readonly title: string;
  /**
   * By column name; absent ones keep their value when the event exists. Zone, day length, start and end are one
   * statement: every event makes it anew.
   */
  readonly columns: Readonly<Record<string, unknown>>;
  /** Undefined: not mentioned. */
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
  /** Null: none. */
  readonly venue?: Linked | null;
  readonly organizers?: readonly Linked[];
  readonly imageUrl?: string;
}

export interface Unusable {
  readonly uid: string;
  readonly title: string;
  readonly reason: string;
}

export type Parsed = { readonly event: ParsedEvent } | { readonly skipped: Unusable };

// Both are keys of an index.
const LONGEST_ID = 500;
const MOST_LINEAGE = 20;

/** In steps: the texts of one event may have megabytes. */
export function* parsingEvent(raw: unknown, context: ParseContext): Steps<Parsed> {
  if (!isRecord(raw)) return { skipped: { uid: '', title: '', reason: 'It is not an object.' } };
  const { title = Infinity } = context.longest ?? {};
  const sent = textOf(raw.title) ?? '';
  const read = readTitle(context.actor, shorten(sent, title));
  try {
    if (read.raw === '') throw new Refusal('It has no title.');
    if (sent.length > title) throw new Refusal(`Its title is longer than ${title} characters.`);
    return { event: yield* reading(raw, read, context) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const uid = sentIdOf(raw, ...namesOfId(context.origin)) ?? '';
    const named = { uid: shorten(uid, LONGEST_ID), title: shorten(read.raw, 200) };
    return { skipped: { ...named, reason: error.message } };
  }
}

function* reading(raw: Raw, title: Rendered, context: ParseContext): Steps<ParsedEvent> {
  const uid = idOf(raw, ...namesOfId(context.origin));
  const globalId = idOf(raw, 'global_id');
  const when = whenOf(raw, context);
  if (typeof when === 'string') throw new Refusal(when);
  return {
    uid,
    globalId,
    title: title.raw,
    columns: {
      title_raw: title.raw,
      title_html: title.html,
      ...when,
      ...(yield* textColumns(raw, context)),
      ...costColumns(raw),
      ...plainOf(plainFields, raw),
      ...lineageColumn(raw),
      ...parentColumn(raw),
    },
    categories: namesOf(raw.categories),
    tags: namesOf(raw.tags),
    venue: yield* parsingVenue(raw.venue, context),
    organizers: yield* parsingOrganizers(raw.organizer ?? raw.organizers, context),
    imageUrl: webAddressOf(raw.image),
  };
}

/** Sources that have no uid name their events by a number of their own: `meetup_id`, `eventbrite_id`. */
const namesOfId = (origin: string): string[] => ['uid', `${origin}_id`, `${origin.replaceAll('-', '_')}_id`];

/** As it was sent, or another event would be meant. */
function idOf(raw: Raw, ...names: readonly string[]): string {
  for (const name of names) {
    refuseRounded(raw[name], `Its ${name}`);
    const text = textOf(raw[name]);
    if (text === undefined) continue;
    const id = text.length > MOST_SENT ? undefined : asSent(text);
    if (id === undefined || id.length > LONGEST_ID)
      throw new Refusal(`Its uid or global_id is longer than ${LONGEST_ID} characters.`);
    return id;
  }
  return '';
}

/** What its source calls the series it belongs to. */
function parentColumn(raw: Raw): Record<string, unknown> {
  const uid = shorten(sentIdOf(raw, 'parent_uid') ?? '', LONGEST_ID);
  return uid === '' ? {} : { parent_uid: uid };
}

/** Columns, or the reason why there are none. */
function whenOf(raw: Raw, { siteZone, now }: ParseContext): Record<string, unknown> | string {
  const zone = lineOf(raw, 'timezone') ?? '';
  if (zone !== '' && (zone.length > 64 || !isZone(zone)))
    return `Its time zone is unknown: ${shorten(zone, 64)}.`;
  const allDay = flagOf(raw.all_day) ?? false;
  const day = lineOf(raw, 'start_date') ?? '';
  if (day === '') return 'It has no start date.';
  const start = clockOf(raw, 'start', day, allDay, zone || siteZone, now);
  if (start === undefined) return 'Its start cannot be read as a date and time.';
  const lastDay = lineOf(raw, 'end_date') || (raw.end_hour === undefined ? '' : day);
  const end = lastDay === '' ? start : clockOf(raw, 'end', lastDay, allDay, zone || siteZone, now);
  if (end === undefined) return 'Its end cannot be read as a date and time.';
  try {
    const when = settleWhen(undefined, { timezone: zone, allDay, start, end }, siteZone, now);
    return {
      timezone: when.timezone,
      all_day: when.allDay,
      start_local: when.startLocal,
      end_local: when.endLocal,
      start_utc: `${when.startUtc}+00`,
      end_utc: `${when.endUtc}+00`,
    };
  } catch (error) {
    if (error instanceof ApiError)
      return `Its ${error.message.includes('start_date') ? 'start' : 'end'} cannot be read as a date and time.`;
    throw error;
  }
}

const clockNames = (which: string): Record<'hour' | 'minute' | 'second' | 'meridian', string> => ({
  hour: `${which}_hour`,
  minute: `${which}_minute`,
  second: `${which}_second`,
  meridian: `${which}_meridian`,
});
// Made once: V8 looks for a name that is put together among all it knows, for each event anew.
const CLOCK = { start: clockNames('start'), end: clockNames('end') };

/** `YYYY-MM-DD hh:mm:ss` or any notation of a date; undefined when it makes no sense. */
function clockOf(
  raw: Raw,
  which: 'start' | 'end',
  date: string,
  allDay: boolean,
  zone: string,
  now: Date,
): string | undefined {
  const names = CLOCK[which];
  const hour = lineOf(raw, names.hour);
  // Most senders write plain days, which settleWhen reads anyway: no need to do it twice.
  const day = PLAIN_DAY.test(date) ? date : parseFreeDate(date, zone, now)?.local.slice(0, 10);
  if (day === undefined) return undefined;
  if (allDay) return day;
  if (hour === undefined || hour === '') return date;
  const minute = lineOf(raw, names.minute) || '0';
  const second = lineOf(raw, names.second) || '0';
  const meridian = lineOf(raw, names.meridian) ?? '';
  const clock = hourOf(hour, meridian.toLowerCase().replaceAll('.', ''));
  if (clock === undefined || !isSixty(minute) || !isSixty(second)) return undefined;
  const two = (text: string | number): string => String(text).padStart(2, '0');
  return `${day} ${two(clock)}:${two(minute)}:${two(second)}`;
}

const PLAIN_DAY = /^\d{4}-\d\d-\d\d$/;

const isSixty = (text: string): boolean => /^\d{1,2}$/.test(text) && Number(text) < 60;

function hourOf(text: string, meridian: string): number | undefined {
  if (!/^\d{1,2}$/.test(text)) return undefined;
  const hour = Number(text);
  // Some senders give the meridian beside a clock of twenty-four hours: it then says nothing new.
  if (meridian === '' || hour > 12) return hour < 24 ? hour : undefined;
  if (meridian === 'am') return hour % 12;
  return meridian === 'pm' ? (hour % 12) + 12 : undefined;
}

function* textColumns(raw: Raw, { actor, sources, longest }: ParseContext): Steps<Record<string, string>> {
  const columns: Record<string, string> = {};
  for (const field of ['description', 'excerpt'] as const) {
    const text = textOf(raw[field]);
    if (text === undefined) continue;
    const read = yield* readingBody(actor, shorten(text, longest?.[field] ?? Infinity), sources);
    Object.assign(columns, { [`${field}_raw`]: read.raw, [`${field}_html`]: read.html });
  }
  const website = websiteOf(raw, 'url', 'website');
  if (website !== undefined) columns.website = website;
  return columns;
}

function costColumns(raw: Raw): Record<string, unknown> {
  if (raw.cost === undefined) return {};
  const cost = readCost(raw.cost, {
    symbol: shortened(lineOf(raw, 'currency_symbol', 'currency'), 20),
    position: lineOf(raw, 'currency_position'),
  });
  return cost ? { cost: cost.text, cost_details: cost.details } : {};
}

const shortened = (text: string | undefined, most: number): string | undefined =>
  text === undefined ? undefined : shorten(text, most);

function lineageColumn(raw: Raw): Record<string, string[]> {
  const lineage = listOf(raw.global_id_lineage)?.flatMap((entry) => {
    const text = textOf(entry);
    return text === undefined ? [] : shorten(asSent(text), LONGEST_ID);
  });
  return lineage ? { global_id_lineage: lineage.slice(0, MOST_LINEAGE) } : {};
}
