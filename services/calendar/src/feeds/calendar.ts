/**
 * Published events as a calendar that other programs subscribe to. Pure, and the same for as long as the events are: what it
 * says of time is when events were changed, never when it was asked for.
 */
import { isEmail } from '@sevenfold/chassis/http/coerce';
import { fromSqlUtc } from '@sevenfold/publishing/dates';
import { isOffset, secondPass, toLocal } from '@sevenfold/text/dates';
import { decodeEntities, stripTags } from '@sevenfold/text/html';
import { textOf as htmlText } from '@sevenfold/text/markup';
import { shorten } from '@sevenfold/text/text';
import { wireDate } from '../common/dates';
import { publicLink } from '../common/links';
import { CATEGORY } from '../content/resolve-terms';
import type { Around } from '../events/presenter';
import type { OrganizerRow } from '../organizers/fields';
import type { VenueRow } from '../venues/fields';
import { type Component, type Property, plain, textOf } from './jcal';
import type { TellableEvent } from './store';
import { zoneComponent } from './zones';

export interface About {
  readonly siteUrl: string;
  /** Name of the calendar; absent of a single event. */
  readonly name?: string;
  /** Zone of the site. */
  readonly zone: string;
  /** A description that is longer is cut. */
  readonly mostText: number;
}

const PROGRAM = '-//Sevenfold//Calendar//EN';
/** How often programs may ask again, as RFC 7986 and an older custom say it. */
const PAUSE = 'PT1H';
const DAY_MS = 86_400_000;

export function calendarText(events: readonly TellableEvent[], around: Around, about: About): string {
  const zones = new Map<string, Date[]>();
  // A calendar has to hold something.
  if (events.length === 0) zones.set(about.zone, [new Date(0)]);
  const components = events.map((event) => eventComponent(event, around, about, zones));
  const { name } = about;
  const named: Property[] =
    name === undefined
      ? []
      : [
          ['name', {}, 'text', plain(name)],
          ['x-wr-calname', {}, 'text', plain(name)],
          ['refresh-interval', {}, 'duration', PAUSE],
          ['x-published-ttl', {}, 'duration', PAUSE],
        ];
  return textOf([
    'vcalendar',
    [
      ['version', {}, 'text', '2.0'],
      ['prodid', {}, 'text', PROGRAM],
      ['calscale', {}, 'text', 'GREGORIAN'],
      ...named,
    ],
    [...[...zones].map(([zone, moments]) => zoneComponent(zone, moments)), ...components],
  ]);
}

function eventComponent(
  row: TellableEvent,
  { venues, organizers, terms, media }: Around,
  { siteUrl, mostText }: About,
  zones: Map<string, Date[]>,
): Component {
  const venue = venues.get(row.venueId);
  const [organizer, ...others] = row.organizerIds.flatMap((id) => organizers.get(id) ?? []);
  const image = media.get(row.imageId);
  const modified = Math.max(
    ...[row, venue, organizer, ...others].map((one) => (one ? fromSqlUtc(one.modifiedUtc).getTime() : 0)),
  );
  const names = row.categoryIds
    .map((id) => terms.get(id))
    .flatMap((term) => (term?.taxonomy === CATEGORY ? line(term.name) : []))
    .sort();
  const description = shortened(linesOf(row.descriptionHtml || row.excerptHtml), mostText);
  const properties: Property[] = [
    ['uid', {}, 'text', `event-${row.id}@${new URL(siteUrl).hostname}`],
    // Without a method it is the moment of the last change (RFC 5545, 3.8.7.2).
    ['dtstamp', {}, 'date-time', utc(new Date(modified))],
    ['created', {}, 'date-time', utc(fromSqlUtc(row.dateUtc))],
    ['last-modified', {}, 'date-time', utc(new Date(modified))],
    ['sequence', {}, 'integer', row.sequence],
    ...when(row, zones),
    ['summary', {}, 'text', line(row.titleHtml)],
    ...(description === '' ? [] : ([['description', {}, 'text', description]] as const)),
    ...placeOf(venue, siteUrl),
    ...(organizer ? [organizerOf(organizer, siteUrl)] : []),
    // There may be one organizer only.
    ...others.map((one): Property => [
      'contact',
      { altrep: link(siteUrl, 'organizer', one) },
      'text',
      plain(one.name),
    ]),
    ['url', {}, 'uri', link(siteUrl, 'event', row)],
    ...(names.length === 0 ? [] : ([['categories', {}, 'text', ...names]] as const)),
    ...(image ? [attached(image)] : []),
    ['status', {}, 'text', 'CONFIRMED'],
    ['class', {}, 'text', 'PUBLIC'],
  ];
  return ['vevent', properties, []];
}

const utc = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;

/** Whole days have no zone: they are days of whoever reads them. */
function when(row: TellableEvent, zones: Map<string, Date[]>): Property[] {
  const [start, end] = [wireDate(row.startLocal), wireDate(row.endLocal)];
  if (row.allDay)
    return [
      ['dtstart', {}, 'date', start.slice(0, 10)],
      // The first day that it does not take.
      ['dtend', {}, 'date', dayAfter(end.slice(0, 10))],
    ];
  const first = moment('dtstart', start, row.startUtc, row.timezone, zones);
  // What takes no time has no end.
  return fromSqlUtc(row.startUtc) >= fromSqlUtc(row.endUtc)
    ? [first]
    : [first, moment('dtend', end, row.endUtc, row.timezone, zones)];
}

const dayAfter = (day: string): string => {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString();
  // Nobody writes a year of five digits.
  return next.startsWith('+') ? day : next.slice(0, 10);
};

/**
 * On the clock of the zone, unless that shows the same time twice, since readers differ in which of the two they take, or the zone
 * has no name but an offset: readers that know zones by their names lose the event.
 */
function moment(
  name: 'dtstart' | 'dtend',
  local: string,
  at: string,
  zone: string,
  zones: Map<string, Date[]>,
): Property {
  const instant = fromSqlUtc(at);
  if (isOffset(zone) || toLocal(instant, zone) !== local || secondPass(local, zone))
    return [name, {}, 'date-time', utc(instant)];
  const moments = zones.get(zone);
  if (moments) moments.push(instant);
  else zones.set(zone, [instant]);
  return [name, { tzid: zone }, 'date-time', local.replace(' ', 'T')];
}

const line = (html: string): string => plain(decodeEntities(stripTags(html)).replace(/\s+/g, ' ').trim());

/** HTML as lines of text. */
const linesOf = (html: string): string =>
  plain(decodeEntities(htmlText(html.replace(/\s+/g, ' '), '\n')))
    .split('\n')
    .map((part) => part.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${shorten(text, most - 1)}…`;

function placeOf(venue: VenueRow | undefined, siteUrl: string): Property[] {
  if (!venue) return [];
  const { name, address, zip, city, stateprovince, country, geoLat, geoLng } = venue;
  const parts = [name, address, `${zip} ${city}`, stateprovince, country].map((part) => plain(part).trim());
  const location: Property = [
    'location',
    { altrep: link(siteUrl, 'venue', venue) },
    'text',
    parts.filter((part) => part !== '').join(', '),
  ];
  return geoLat === null || geoLng === null
    ? [location]
    : [location, ['geo', {}, 'float', [degrees(geoLat), degrees(geoLng)]]];
}

/** To six places behind the point, as RFC 5545 wants them; JavaScript writes numbers that are smaller with an exponent, which it does not know. */
const degrees = (angle: number): number => Number(angle.toFixed(6));

/** Who has no mail address is told by the page about him. */
const organizerOf = (organizer: OrganizerRow, siteUrl: string): Property => [
  'organizer',
  { cn: plain(organizer.name) },
  'cal-address',
  isEmail(organizer.email) ? `mailto:${organizer.email}` : link(siteUrl, 'organizer', organizer),
];

const attached = ({ url, mimeType }: { readonly url: string; readonly mimeType: string }): Property => [
  'attach',
  { fmttype: mimeType },
  'uri',
  addressOf(url),
];

const link = (
  siteUrl: string,
  ...what: [Parameters<typeof publicLink>[1], Parameters<typeof publicLink>[2]]
): string => addressOf(publicLink(siteUrl, ...what));

/** An address is written as it is: nothing in it may end its line. */
const addressOf = (url: string): string => new URL(url).href;
