/**
 * Events, venues and organizers as a calendar's interface shows them, as records that move in: with the fields that exports
 * have, all of them, so that what was emptied there becomes empty here.
 */
import type { ExportedItem } from '@sevenfold/content/site-import/exported';
import { decodeEntities } from '@sevenfold/text/html';
import type { Ours } from './read-content';
import { type Raw, idOf, isTrue, listOf, recordOf, textOf } from './values';

export type CalendarThing = 'event' | 'venue' | 'organizer';

/** Texts as they were written. */
export interface Written {
  /** Of events. */
  readonly title?: string;
  readonly description: string;
  readonly excerpt?: string;
}

/** Types of exports end so (content/site-import/calendar.ts). */
export const TYPES: Readonly<Record<CalendarThing, string>> = {
  event: 'calendar_events',
  venue: 'calendar_venue',
  organizer: 'calendar_organizer',
};

/** With the texts as they were written, where those may be read. */
export function readCalendarItem(
  raw: Raw,
  thing: CalendarThing,
  ours: Ours,
  written: Written | undefined,
): ExportedItem {
  const isEvent = thing === 'event';
  return {
    kind: 'item',
    line: 0,
    foreignId: idOf(raw.id),
    type: TYPES[thing],
    // Names of venues and organizers are plain text here.
    title: isEvent ? (written?.title ?? textOf(raw.title)) : decodeEntities(textOf(raw[thing])),
    link: textOf(raw.url),
    creator: '',
    creatorId: idOf(raw.author),
    guid: '',
    content: written?.description ?? textOf(raw.description),
    excerpt: written?.excerpt ?? textOf(raw.excerpt),
    date: textOf(raw.date),
    dateGmt: textOf(raw.date_utc),
    modified: textOf(raw.modified),
    modifiedGmt: textOf(raw.modified_utc),
    commentStatus: '',
    pingStatus: '',
    slug: textOf(raw.slug),
    status: ours(textOf(raw.status)),
    parent: '0',
    // Pinned ones stand before the first.
    menuOrder: isTrue(raw.sticky) ? '-1' : '0',
    password: '',
    sticky: '0',
    attachmentUrl: '',
    terms: isEvent
      ? [...termsOf(raw.categories, 'calendar_events_cat'), ...termsOf(raw.tags, 'post_tag')]
      : [],
    meta: new Map([
      ['_thumbnail_id', [idOf(recordOf(raw.image).id)]],
      ...Object.entries(META[thing](raw)).map(([key, value]): [string, string[]] => [
        key,
        Array.isArray(value) ? value : [value],
      ]),
    ]),
    comments: [],
    isRendered: written === undefined,
  };
}

type Meta = Readonly<Record<string, string | string[]>>;

const META: Readonly<Record<CalendarThing, (raw: Raw) => Meta>> = {
  event: (raw) => ({
    _EventStartDate: textOf(raw.start_date),
    _EventEndDate: textOf(raw.end_date),
    _EventTimezone: textOf(raw.timezone),
    _EventAllDay: flag(raw.all_day),
    ...costOf(raw),
    ...websiteOf(raw),
    _EventShowMap: flag(raw.show_map),
    _EventShowMapLink: flag(raw.show_map_link),
    _EventHideFromUpcoming: flag(raw.hide_from_listings),
    _calendar_featured: flag(raw.featured),
    _EventVenueID: idOf(recordOf(raw.venue).id),
    _EventOrganizerID: listOf(raw.organizer)
      .slice(0, 100)
      .map((one) => idOf(recordOf(one).id)),
  }),
  venue: (raw) => ({
    _VenueAddress: plain(raw.address),
    _VenueCity: plain(raw.city),
    _VenueCountry: plain(raw.country),
    _VenueProvince: plain(raw.province),
    _VenueState: plain(raw.state),
    _VenueStateProvince: plain(raw.stateprovince),
    _VenueZip: plain(raw.zip),
    _VenuePhone: plain(raw.phone),
    _VenueURL: textOf(raw.website),
    _VenueLat: textOf(raw.geo_lat),
    _VenueLng: textOf(raw.geo_lng),
    _VenueShowMap: flag(raw.show_map),
    _VenueShowMapLink: flag(raw.show_map_link),
  }),
  organizer: (raw) => ({
    _OrganizerPhone: plain(raw.phone),
    _OrganizerWebsite: textOf(raw.website),
    _OrganizerEmail: plain(raw.email),
  }),
};

const flag = (value: unknown): string => (isTrue(value) ? '1' : '0');
/** Some sites write addresses as entities against those who collect them. */
const plain = (value: unknown): string => decodeEntities(textOf(value));

/** The text as it is shown; where it names no currency, the one before it is the site's own. */
function costOf(raw: Raw): Meta {
  const details = recordOf(raw.cost_details);
  const symbol = plain(details.currency_symbol);
  const cost = plain(raw.cost);
  if (symbol === '') return { _EventCost: cost.replace(/\p{Sc}/gu, '').trim() };
  return {
    _EventCost: cost,
    _EventCurrencySymbol: symbol,
    _EventCurrencyPosition: textOf(details.currency_position),
  };
}

/** An event without a website answers its own address. */
const websiteOf = (raw: Raw): Meta =>
  textOf(raw.website) === textOf(raw.url) ? {} : { _EventURL: textOf(raw.website) };

const termsOf = (value: unknown, taxonomy: string): ExportedItem['terms'] =>
  listOf(value)
    .slice(0, 1_000)
    .map(recordOf)
    .map((term) => ({
      taxonomy,
      slug: textOf(term.slug),
      name: textOf(term.name),
      foreignId: idOf(term.id),
    }));
